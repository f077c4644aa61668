"""The reference tiling: who copies, who supplies, who owns; and a block multiplied by following it."""

import dataclasses
import itertools

import numpy as np
import pytest

import lanes

TILINGS = [
    lanes.REFERENCE,
    lanes.Tiling(mma="m16n8k8", warps_m=2, warps_n=2, mmas_m=4, mmas_n=8),
    lanes.Tiling(warps_m=1, warps_n=1, mmas_m=4, mmas_n=4),
    lanes.Tiling(warps_m=4, warps_n=2, mmas_m=2, mmas_n=8),
    lanes.Tiling(mma="m16n8k8", warps_m=1, warps_n=2, mmas_m=4, mmas_n=8),
]
EACH = pytest.mark.parametrize("tiling", TILINGS, ids=str)


def test_the_reference_kernels_numbers():
    tiling = lanes.REFERENCE
    assert tiling == lanes.Tiling()
    assert (tiling.mma_tile, tiling.warp_tile, tiling.block) == ((16, 8, 16), (64, 32), (128, 128, 16))
    assert (tiling.warps, tiling.threads, tiling.copies) == (8, 256, (1, 1))
    assert (tiling.reuse, tiling.flop_per_byte) == ((4, 2), 64)
    # A: 128 rows of 16 + pad; B: 16 rows of 128 + pad; 2 bytes an element.
    assert tiling.smem_bytes() == 8192
    assert tiling.smem_bytes(pad=8) == 2 * (128 * 24 + 16 * 136)
    assert (tiling.acc_registers("f16"), tiling.acc_registers("f32")) == (32, 64)


def test_two_threads_copy_a_row_of_a_and_sixteen_a_row_of_b():
    for thread in range(256):
        assert lanes.REFERENCE.copy_a(thread) == (thread // 2, thread % 2 * 8)
        assert lanes.REFERENCE.copy_b(thread) == (thread // 16, thread % 16 * 8)


@EACH
def test_copies_cover_each_tile_exactly_once(tiling):
    m, n, k = tiling.block
    for copy, steps, shape in (
        (tiling.copy_a, tiling.copies[0], (m, k)),
        (tiling.copy_b, tiling.copies[1], (k, n)),
    ):
        copied = np.zeros(shape, int)
        for step, thread in itertools.product(range(steps), range(tiling.threads)):
            row, col = copy(thread, step)
            copied[row, col : col + 8] += 1
        assert (copied == 1).all()


@EACH
def test_patches_cover_the_block_of_c_exactly_once(tiling):
    m, n, _ = tiling.block
    owned = np.zeros((m, n), int)
    for warp, i, j in itertools.product(range(tiling.warps), range(tiling.mmas_m), range(tiling.mmas_n)):
        row, col = tiling.c_origin(warp, i, j)
        owned[row : row + 16, col : col + 8] += 1
    assert (owned == 1).all()


def test_warps_stand_two_by_four_down_m_first():
    for thread in range(256):
        place = lanes.REFERENCE.place(thread)
        assert place == (thread // 32, thread % 32, thread // 32 % 2, thread // 32 // 2)
        assert lanes.REFERENCE.c_origin(place.warp, 0, 0) == (64 * place.warp_m, 32 * place.warp_n)


def test_the_story_of_a_0_9():
    tiling = lanes.REFERENCE
    load = lanes.ldmatrix_row(4)
    row, col = 0, 9

    def holds(start):
        return start[0] == row and start[1] <= col < start[1] + 8

    assert [thread for thread in range(256) if holds(tiling.copy_a(thread))] == [1]

    places = itertools.product(range(8), range(32), range(4))
    suppliers = [(warp, lane, i) for warp, lane, i in places if holds(tiling.a_address(warp, lane, i))]
    assert suppliers == [(0, 16, 0), (2, 16, 0), (4, 16, 0), (6, 16, 0)]

    matrix, line = load.supplier(16)
    owner = load.receiver(matrix, line, col - tiling.a_address(0, 16, 0)[1])
    assert owner == lanes.fragment("m16n8k16", "A").owner(row, col) == (0, 2, 1)

    # Each of the four warps multiplies that fragment by each of its four columns of mmas.
    mmas = [(warp, i, j) for warp, _, i in suppliers for j in range(4)]
    assert len(mmas) == 16
    c = lanes.fragment("m16n8k16", "C")
    fed = {(tiling.c_origin(warp, i, j)[1] + n, c.owner(row, n)[0]) for warp, i, j in mmas for n in range(8)}
    assert len(fed) == 128
    assert {lane for _, lane in fed} == {0, 1, 2, 3}


@EACH
def test_upper_lanes_supply_valid_addresses(tiling):
    m, n, k = tiling.block
    for warp, lane in itertools.product(range(tiling.warps), range(32)):
        row, col = tiling.a_address(warp, lane, tiling.mmas_m - 1)
        assert 0 <= row < m
        assert 0 <= col <= k - 8
        row, col = tiling.b_address(warp, lane, tiling.mmas_n - 1)
        assert 0 <= row < k
        assert 0 <= col <= n - 8


@EACH
def test_a_block_multiplied_along_the_tiling_is_a_times_b(tiling):
    m, n, k = tiling.block
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-8, 9, shape).astype(np.float16) for shape in ((m, k), (k, n)))
    row = lanes.mma_row(tiling.mma, "f16", "f32")
    c = np.full((m, n), np.nan, np.float32)
    for warp, i, j in itertools.product(range(tiling.warps), range(tiling.mmas_m), range(tiling.mmas_n)):
        from_a = [tiling.a_address(warp, lane, i) for lane in range(8 * row.a.registers)]
        from_b = [tiling.b_address(warp, lane, j) for lane in range(8 * row.b.registers)]
        fragment_a = lanes.ldmatrix(np.stack([a[r, s : s + 8] for r, s in from_a]))
        fragment_b = lanes.ldmatrix(np.stack([b[r, s : s + 8] for r, s in from_b]), trans=True)
        zeros = np.zeros((32, row.c.registers, 1), np.float32)
        top, left = tiling.c_origin(warp, i, j)
        d = lanes.mma(fragment_a, fragment_b, zeros, shape=tiling.mma)
        c[top : top + 16, left : left + 8] = row.c.scatter(d)
    assert c.tolist() == (a.astype(int) @ b.astype(int)).tolist()


@pytest.mark.parametrize(
    ("broken", "sentence"),
    [
        ({"mma": "m8n8k4"}, "shape is 'm8n8k4'; wanted one of m16n8k16, m16n8k8."),
        ({"warps_m": 0}, "warps_m is 0; wanted an integer of at least 1."),
        ({"mmas_n": -4}, "mmas_n is -4; wanted an integer of at least 1."),
        ({"mmas_m": 4.0}, "mmas_m is 4.0; wanted an integer of at least 1."),
        ({"warps_m": 8, "warps_n": 8}, "warps_m x warps_n is 64 warps; a block has at most 32."),
        ({"mmas_n": 2}, "B's tile of 16x64 is 128 copies of 16 bytes; wanted a multiple of the 256 threads."),
        ({"mmas_m": 1}, "A's tile of 32x16 is 64 copies of 16 bytes; wanted a multiple of the 256 threads."),
    ],
)
def test_a_broken_tiling_is_refused(broken, sentence):
    with pytest.raises(ValueError) as refusal:  # noqa: PT011 - the sentence is checked whole
        dataclasses.replace(lanes.REFERENCE, **broken)
    assert str(refusal.value) == sentence


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        (lambda tiling: tiling.place(256), "thread is 256; wanted 0-255."),
        (lambda tiling: tiling.copy_a(-1), "thread is -1; wanted 0-255."),
        (lambda tiling: tiling.copy_b(0, 1), "step is 1; wanted 0-0."),
        (lambda tiling: tiling.a_address(8, 0, 0), "warp is 8; wanted 0-7."),
        (lambda tiling: tiling.a_address(0, 32, 0), "lane is 32; wanted 0-31."),
        (lambda tiling: tiling.a_address(0, 0, 4), "i is 4; wanted 0-3."),
        (lambda tiling: tiling.b_address(0, 0, 4), "j is 4; wanted 0-3."),
        (lambda tiling: tiling.c_origin(0, -1, 0), "i is -1; wanted 0-3."),
    ],
)
def test_what_is_not_in_the_block_is_refused(question, sentence):
    with pytest.raises(IndexError, match=sentence):
        question(lanes.REFERENCE)


def test_a_negative_pad_is_refused():
    with pytest.raises(ValueError, match="pad is -8; wanted 0 or more elements"):
        lanes.REFERENCE.smem_bytes(pad=-8)


def test_accumulators_are_f16_or_f32():
    with pytest.raises(ValueError, match="dtype is bf16; C of m16n8k16 wants f16 or f32"):
        lanes.REFERENCE.acc_registers("bf16")
