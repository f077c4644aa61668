"""How a block of C is cut up: block, warp, mma, lane. And who copies what for it.

All rows and columns are in elements and inside the block's own tiles, row-major: A's (M, K), B's (K, N),
C's (M, N).
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy.typing as npt

from lanes.catalog import fragment, ldmatrix_row
from lanes.fragments import WARP, Fragment, within

CHUNK = 8  # 16-bit elements in a 16-byte copy
ELEMENT_BYTES = 2


class Place(NamedTuple):
    """Where a thread stands: its warp, its lane in it, and the warp's place in the grid of warps."""

    warp: int
    lane: int
    warp_m: int
    warp_n: int


@dataclass(frozen=True)
class Tiling:
    """A block's share of C, from the mma up.

    mma: the shape of one instruction. warps_m, warps_n: the grid of warps in the block.
    mmas_m, mmas_n: the grid of mmas in a warp's tile. One step of the K loop is one mma deep.

    Warps are numbered down M first: warp_m = warp % warps_m.

    Raises ValueError, when made, unless the counts are at least 1, the threads at most 1024, and both tiles
    are copied in whole rounds, in which every thread copies 16 bytes.

    >>> REFERENCE.block, REFERENCE.warp_tile, REFERENCE.threads
    ((128, 128, 16), (64, 32), 256)
    """

    mma: str = "m16n8k16"
    warps_m: int = 2
    warps_n: int = 4
    mmas_m: int = 4
    mmas_n: int = 4

    def __post_init__(self) -> None:
        """Check the counts, and that the threads' copies cover the tiles."""
        fragment(self.mma, "A")  # raises, with the shapes there are
        for name in ("warps_m", "warps_n", "mmas_m", "mmas_n"):
            count = getattr(self, name)
            if not isinstance(count, int) or count < 1:
                raise ValueError(f"{name} is {count!r}; wanted an integer of at least 1.")
        if self.threads > 1024:
            raise ValueError(f"warps_m x warps_n is {self.warps} warps; a block has at most 32.")
        m, n, k = self.block
        for name, rows, cols in (("A", m, k), ("B", k, n)):
            if rows * cols % (CHUNK * self.threads):
                raise ValueError(
                    f"{name}'s tile of {rows}x{cols} is {rows * cols // CHUNK} copies of 16 bytes; "
                    f"wanted a multiple of the {self.threads} threads."
                )

    @property
    def mma_tile(self) -> tuple[int, int, int]:
        """(M, N, K) of one mma."""
        m, k = fragment(self.mma, "A").shape
        _, n = fragment(self.mma, "B").shape
        return m, n, k

    @property
    def warp_tile(self) -> tuple[int, int]:
        """(M, N) of the part of C that one warp owns."""
        m, n, _ = self.mma_tile
        return m * self.mmas_m, n * self.mmas_n

    @property
    def block(self) -> tuple[int, int, int]:
        """(BM, BN, BK): the block's part of C, and the depth of one step."""
        m, n = self.warp_tile
        return m * self.warps_m, n * self.warps_n, self.mma_tile[2]

    @property
    def warps(self) -> int:
        """Warps in a block."""
        return self.warps_m * self.warps_n

    @property
    def threads(self) -> int:
        """Threads in a block."""
        return WARP * self.warps

    @property
    def copies(self) -> tuple[int, int]:
        """16-byte copies that each thread makes per step, of A's tile and of B's."""
        m, n, k = self.block
        return m * k // (CHUNK * self.threads), k * n // (CHUNK * self.threads)

    @property
    def reuse(self) -> tuple[int, int]:
        """How many warps read each element of A's tile and of B's: bytes read from shared over bytes held.

        >>> REFERENCE.reuse
        (4, 2)
        """
        return self.warps_n, self.warps_m

    @property
    def flop_per_byte(self) -> float:
        """Floating-point operations per byte that the block loads from global memory.

        >>> REFERENCE.flop_per_byte
        64.0
        """
        m, n, k = self.block
        return 2 * m * n * k / (ELEMENT_BYTES * (m * k + k * n))

    def smem_bytes(self, pad: int = 0) -> int:
        """Bytes of shared memory for both tiles; pad is in elements, at the end of every row of both.

        Raises ValueError for a negative pad.

        >>> REFERENCE.smem_bytes(), REFERENCE.smem_bytes(pad=8)
        (8192, 10496)
        """
        if pad < 0:
            raise ValueError(f"pad is {pad}; wanted 0 or more elements.")
        m, n, k = self.block
        return ELEMENT_BYTES * (m * (k + pad) + k * (n + pad))

    def acc_registers(self, acc: npt.DTypeLike = "f16") -> int:
        """32-bit registers in which each thread keeps its part of C, for "f16" or "f32".

        >>> REFERENCE.acc_registers("f16"), REFERENCE.acc_registers("f32")
        (32, 64)
        """
        return self.mmas_m * self.mmas_n * fragment(self.mma, "C", dtype=acc).registers

    def place(self, thread: int) -> Place:
        """Return where a thread of the block stands. Raises IndexError for another thread.

        >>> REFERENCE.place(100)
        Place(warp=3, lane=4, warp_m=1, warp_n=1)
        """
        warp, lane = divmod(within("thread", thread, self.threads), WARP)
        return Place(warp, lane, warp % self.warps_m, warp // self.warps_m)

    def copy_a(self, thread: int, step: int = 0) -> tuple[int, int]:
        """Return (row, col) in A's tile of the first of the 8 elements of a thread's copy number `step`.

        Raises IndexError for another thread or step.

        >>> REFERENCE.copy_a(1)
        (0, 8)
        """
        return self._copy(thread, step, self.copies[0], cols=self.block[2])

    def copy_b(self, thread: int, step: int = 0) -> tuple[int, int]:
        """Return the same for B's tile.

        >>> REFERENCE.copy_b(17)
        (1, 8)
        """
        return self._copy(thread, step, self.copies[1], cols=self.block[1])

    def a_address(self, warp: int, lane: int, i: int) -> tuple[int, int]:
        """Return (row, col) in A's tile of the 16 bytes whose address a lane supplies to ldmatrix.

        i is the row of mmas in the warp's tile. Raises IndexError outside the block.

        >>> REFERENCE.a_address(warp=0, lane=16, i=0)
        (0, 8)
        """
        row, _ = self.c_origin(warp, i, 0)
        down, right = _supplied(fragment(self.mma, "A"), lane)
        return row + down, right

    def b_address(self, warp: int, lane: int, j: int) -> tuple[int, int]:
        """Return (row, col) in B's tile of the 16 bytes whose address a lane supplies to ldmatrix.trans.

        j is the column of mmas in the warp's tile. Upper lanes repeat the lower ones: their addresses are
        ignored, but sm_75 wants them valid. Raises IndexError outside the block.

        >>> REFERENCE.b_address(warp=2, lane=9, j=3), REFERENCE.b_address(warp=2, lane=25, j=3)
        ((9, 56), (9, 56))
        """
        _, col = self.c_origin(warp, 0, j)
        down, right = _supplied(fragment(self.mma, "B"), lane)
        return down, col + right

    def c_origin(self, warp: int, i: int, j: int) -> tuple[int, int]:
        """Return (row, col) in the block's part of C of the top left corner of a warp's mma (i, j).

        Raises IndexError outside the block.

        >>> REFERENCE.c_origin(warp=3, i=1, j=2)
        (80, 48)
        """
        warp_n, warp_m = divmod(within("warp", warp, self.warps), self.warps_m)
        i, j = within("i", i, self.mmas_m), within("j", j, self.mmas_n)
        m, n, _ = self.mma_tile
        return (warp_m * self.mmas_m + i) * m, (warp_n * self.mmas_n + j) * n

    def _copy(self, thread: int, step: int, steps: int, cols: int) -> tuple[int, int]:
        chunk = within("step", step, steps) * self.threads + within("thread", thread, self.threads)
        row, piece = divmod(chunk, cols // CHUNK)
        return row, CHUNK * piece


def _supplied(part: Fragment, lane: int) -> tuple[int, int]:
    """Return (row, col), in one mma's operand, of the matrix row whose address a lane supplies."""
    row = ldmatrix_row(len(part.blocks))
    # Wrapped round, so that lanes whose address is ignored supply a valid one.
    place = row.supplier(within("lane", lane, WARP) % (8 * row.num))
    assert place is not None
    matrix, down = place
    top, left = part.blocks[matrix]
    return top + down, left


REFERENCE = Tiling()
