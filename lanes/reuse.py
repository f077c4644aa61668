"""Which mmas of a block a warp owns, and what it reads of the two tiles in shared memory for them.

A warp that owns a block of mmas finds its fragments again and again: those in one row of mmas share a fragment of A,
those in one column a fragment of B. A warp that strides takes every so many mmas, in reading order.

All rows and columns are in elements, inside the block's own tiles. Source: `ldmatrix` reads 16 bytes for each row of
a matrix (PTX ISA, "Warp-level matrix load instruction: ldmatrix").
"""

from typing import NamedTuple

from lanes.catalog import fragment
from lanes.fragments import within
from lanes.tiling import Tiling

WALKS = ("blocked", "striding")
MATRIX_BYTES = 8 * 16  # one 8x8 matrix: eight rows of 16 bytes


class Reads(NamedTuple):
    """Bytes that a warp reads from shared memory in one step of the K loop."""

    a_bytes: int
    b_bytes: int


def mma_origins(tiling: Tiling, warp: int, walk: str = "blocked") -> list[tuple[int, int]]:
    """Return (row, col) of the top left corner in C of each of a warp's mmas, in the order in which it does them.

    walk: "blocked", the warp's own rectangle, row by row; or "striding", in which the mmas of the whole block are
    numbered row by row and the warp does number `warp`, `warp + warps`, and so on.

    Raises ValueError for another walk, IndexError for another warp.

    >>> from lanes import REFERENCE
    >>> mma_origins(REFERENCE, 3)[:5]
    [(64, 32), (64, 40), (64, 48), (64, 56), (80, 32)]
    >>> mma_origins(REFERENCE, 3, "striding")[:4]
    [(0, 24), (0, 88), (16, 24), (16, 88)]
    """
    if walk not in WALKS:
        raise ValueError(f"walk is {walk!r}; wanted one of {', '.join(WALKS)}.")
    within("warp", warp, tiling.warps)
    if walk == "blocked":
        places = ((i, j) for i in range(tiling.mmas_m) for j in range(tiling.mmas_n))
        return [tiling.c_origin(warp, i, j) for i, j in places]
    m, n, _ = tiling.mma_tile
    across = tiling.warps_n * tiling.mmas_n
    mmas = tiling.warps * tiling.mmas_m * tiling.mmas_n
    return [(number // across * m, number % across * n) for number in range(warp, mmas, tiling.warps)]


def fragments_read(
    tiling: Tiling, warp: int, walk: str = "blocked", *, kept: bool = True
) -> tuple[list[int], list[int]]:
    """Return what a warp loads in one step: the first row of each fragment of A, the first column of each of B.

    kept: a fragment is loaded once and stays in registers for the rest of the step. Otherwise every mma loads both of
    its fragments, and one stands in the list as often as it is loaded. Raises as `mma_origins` does.

    >>> from lanes import REFERENCE
    >>> fragments_read(REFERENCE, 3)
    ([64, 80, 96, 112], [32, 40, 48, 56])
    """
    origins = mma_origins(tiling, warp, walk)
    rows, cols = [row for row, _ in origins], [col for _, col in origins]
    return (sorted(set(rows)), sorted(set(cols))) if kept else (sorted(rows), sorted(cols))


def smem_reads(tiling: Tiling, warp: int, walk: str = "blocked", *, kept: bool = True) -> Reads:
    """Return the bytes of A and of B that a warp reads from shared memory in one step, by ldmatrix.

    walk and kept are those of `fragments_read`, and what is raised too.

    >>> from lanes import REFERENCE
    >>> smem_reads(REFERENCE, 0), smem_reads(REFERENCE, 0, "striding", kept=False)
    (Reads(a_bytes=2048, b_bytes=1024), Reads(a_bytes=8192, b_bytes=4096))
    """
    rows, cols = fragments_read(tiling, warp, walk, kept=kept)
    a, b = (fragment(tiling.mma, operand).registers for operand in "AB")  # a matrix fills a register
    return Reads(len(rows) * a * MATRIX_BYTES, len(cols) * b * MATRIX_BYTES)
