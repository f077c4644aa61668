"""What a warp reads of the tiles in shared memory, against counting by hand over the elements of C."""

import itertools

import numpy as np
import pytest

import lanes

TILINGS = [
    lanes.REFERENCE,
    lanes.Tiling(warps_m=4, warps_n=2, mmas_m=2, mmas_n=8),
    lanes.Tiling(warps_m=1, warps_n=8, mmas_m=8, mmas_n=2),
    lanes.Tiling(warps_m=2, warps_n=2, mmas_m=2, mmas_n=4),
    lanes.Tiling(mma="m16n8k8", warps_m=2, warps_n=2, mmas_m=4, mmas_n=8),
    lanes.Tiling(warps_m=3, warps_n=1, mmas_m=3, mmas_n=6),  # as many mmas across as no multiple of the warps
]
EACH = pytest.mark.parametrize("tiling", TILINGS, ids=str)
WALK = pytest.mark.parametrize("walk", ["blocked", "striding"])


def owners(tiling, walk):
    """The warp of each mma of the block, an array of mma rows and columns, filled by what the function says."""
    m, n, _ = tiling.block
    owner = np.full((m // 16, n // 8), -1)
    for warp in range(tiling.warps):
        for row, col in lanes.mma_origins(tiling, warp, walk):
            assert row % 16 == col % 8 == 0
            assert owner[row // 16, col // 8] == -1
            owner[row // 16, col // 8] = warp
    return owner


@WALK
@EACH
def test_the_warps_own_every_mma_of_the_block_once(tiling, walk):
    owner = owners(tiling, walk)
    assert (owner >= 0).all()
    assert (np.bincount(owner.ravel()) == tiling.mmas_m * tiling.mmas_n).all()


@EACH
def test_blocked_is_a_rectangle_that_warps_share_down_m_first(tiling):
    owner = owners(tiling, "blocked")
    for i, j in np.ndindex(owner.shape):
        assert owner[i, j] == i // tiling.mmas_m + tiling.warps_m * (j // tiling.mmas_n)


@EACH
def test_striding_deals_the_mmas_out_in_reading_order(tiling):
    dealt = owners(tiling, "striding").ravel()
    assert (dealt == np.arange(dealt.size) % tiling.warps).all()
    for warp in range(tiling.warps):
        origins = lanes.mma_origins(tiling, warp, "striding")
        assert origins == sorted(origins)


@WALK
@EACH
def test_what_is_kept_is_read_once_element_by_element(tiling, walk):
    """C(r, c) wants A(r, k) and B(k, c) for every k of the step: collect them, two bytes each."""
    depth = tiling.block[2]
    for warp in range(tiling.warps):
        mmas = lanes.mma_origins(tiling, warp, walk)
        c = [(row + r, col + n) for row, col in mmas for r in range(16) for n in range(8)]
        a, b = {(r, k) for r, _ in c for k in range(depth)}, {(k, n) for _, n in c for k in range(depth)}
        assert lanes.smem_reads(tiling, warp, walk) == (2 * len(a), 2 * len(b))
        rows, cols = lanes.fragments_read(tiling, warp, walk)
        assert sorted(r for top in rows for r in range(top, top + 16)) == sorted({r for r, _ in a})
        assert sorted(n for left in cols for n in range(left, left + 8)) == sorted({n for _, n in b})


@WALK
@EACH
def test_what_is_not_kept_is_read_for_every_mma(tiling, walk):
    _, _, depth = tiling.mma_tile
    mmas = tiling.mmas_m * tiling.mmas_n
    for warp in range(tiling.warps):
        reads = lanes.smem_reads(tiling, warp, walk, kept=False)
        assert reads == (mmas * 16 * depth * 2, mmas * depth * 8 * 2)
        rows, cols = lanes.fragments_read(tiling, warp, walk, kept=False)
        origins = lanes.mma_origins(tiling, warp, walk)
        assert rows == sorted(row for row, _ in origins)
        assert cols == sorted(col for _, col in origins)


@EACH
def test_a_blocked_warp_reads_the_rows_that_its_lanes_supply_to_ldmatrix(tiling):
    """The addresses that the tiling gives to the kernel, 16 bytes each, without those that repeat."""
    for warp in range(tiling.warps):
        everyone = list(itertools.product(range(32), range(8)))
        a = {tiling.a_address(warp, lane, i) for lane, i in everyone if i < tiling.mmas_m}
        b = {tiling.b_address(warp, lane, j) for lane, j in everyone if j < tiling.mmas_n}
        assert lanes.smem_reads(tiling, warp) == (16 * len(a), 16 * len(b))


@EACH
def test_all_warps_together_read_each_tile_as_often_as_reuse_says(tiling):
    m, n, depth = tiling.block
    read = np.sum([lanes.smem_reads(tiling, warp) for warp in range(tiling.warps)], axis=0)
    assert read.tolist() == [tiling.reuse[0] * m * depth * 2, tiling.reuse[1] * depth * n * 2]


def test_the_reference_kernels_numbers():
    """16 mmas a warp and step: 16 fragments of 512 and 256 bytes each, against 4 and 4."""
    blocked = {sum(lanes.smem_reads(lanes.REFERENCE, warp)) for warp in range(8)}
    striding = {sum(lanes.smem_reads(lanes.REFERENCE, warp, "striding", kept=False)) for warp in range(8)}
    assert (blocked, striding) == ({3_072}, {12_288})
    # Warp w strides over columns w and w + 8 of the 16, and over all 8 rows.
    assert lanes.smem_reads(lanes.REFERENCE, 5, "striding") == (8 * 512, 2 * 256)


@pytest.mark.parametrize("ask", [lanes.mma_origins, lanes.fragments_read, lanes.smem_reads])
def test_what_is_not_there_is_refused(ask):
    with pytest.raises(ValueError, match="walk is 'diagonal'; wanted one of blocked, striding"):
        ask(lanes.REFERENCE, 0, "diagonal")
    for walk in ("blocked", "striding"):
        with pytest.raises(IndexError, match="warp is 8; wanted 0-7"):
            ask(lanes.REFERENCE, 8, walk)
