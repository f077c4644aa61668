"""The four ways in which A and B lie in shared memory, and what ldmatrix needs for each: its addresses, and `.trans`.

An mma wants one layout of registers, however the operand lies in memory. Nothing about that is a table here: a row
tries ldmatrix without and with .trans, asks the model where each element of a supplied row would arrive and which
element the mma wants there, and keeps the one way in which those eight elements are neighbours in memory.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from lanes.catalog import fragment, ldmatrix_row
from lanes.fragments import WARP, Fragment, within
from lanes.instructions import Ldmatrix

AXES = {"A": "MK", "B": "KN"}  # (row, col) of the operand
SIDE = 8  # of a matrix


@dataclass(frozen=True)
class Storage:
    """An operand as it lies in shared memory, and the ldmatrix that fills its fragments from there.

    operand: "A" or "B". stored: "MK" or "KM" for A, "KN" or "NK" for B: the first letter counts the rows of memory,
    so memory runs along the second. shape: of the mma. num: matrices to load at once; None for those of one fragment.
    Twice as many load two fragments, the second beside the first: the next M of A, the next N of B.

    `load` is the row of ldmatrix, with or without .trans, `fragments` how many it fills, `memory` the (rows, cols) of
    the tile that it reads, and `starts` the (row, col) in it where each lane's row of 8 elements begins.

    Raises ValueError, when made, for an operand, an order or a number that there is not.

    Source: PTX ISA, "Warp-level matrix load instruction: ldmatrix" and "Matrix Fragments for mma.m16n8k16 with
    floating point type"; for the letters N and T, CUTLASS, `media/docs/cpp/cute/0x_gemm_tutorial.md`.

    >>> Storage("A", "KM").load.trans, Storage("A", "KM").start(8)
    (True, (0, 8))
    """

    operand: str
    stored: str
    shape: str = "m16n8k16"
    num: int | None = None
    fragment: Fragment = field(init=False, repr=False, compare=False)
    load: Ldmatrix = field(init=False, repr=False, compare=False)
    starts: tuple[tuple[int, int], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Find out whether each matrix is transposed on its way, and where the rows of the lanes begin."""
        axes = AXES.get(self.operand)
        if axes is None:
            raise ValueError(f"operand is {self.operand!r}; wanted A or B.")
        if self.stored not in (axes, axes[::-1]):
            raise ValueError(f"stored is {self.stored!r}; wanted {axes} or {axes[::-1]} for {self.operand}.")
        part = fragment(self.shape, self.operand)
        num = part.registers if self.num is None else self.num
        if num not in (1, 2, 4) or num % part.registers:
            raise ValueError(
                f"num is {self.num!r}; a fragment of {self.operand} of {self.shape} has {part.registers} matrices, "
                "and ldmatrix moves 1, 2 or 4."
            )
        set_once = object.__setattr__  # the way into a frozen dataclass
        set_once(self, "fragment", part)
        for trans in (False, True):
            load = ldmatrix_row(num, trans=trans)
            starts = self._starts(load)
            if starts is not None:
                set_once(self, "load", load)
                set_once(self, "starts", starts)

    def _starts(self, load: Ldmatrix) -> tuple[tuple[int, int], ...] | None:
        """Where the lanes' rows begin in memory; None if a row would have to be 8 elements that are no neighbours."""
        starts = []
        for lane in range(SIDE * load.num):
            matrix, row = divmod(lane, SIDE)
            assert load.supplier(lane) == (matrix, row)
            wanted = [self.place(*self.wanted(*load.receiver(matrix, row, col))) for col in range(SIDE)]
            down, right = wanted[0]
            if wanted != [(down, right + col) for col in range(SIDE)]:
                return None
            starts.append((down, right))
        return tuple(starts)

    @property
    def trans(self) -> bool:
        """Whether the load needs .trans: memory does not run along k.

        >>> [one.trans for one in STORAGES]
        [False, True, True, False]
        """
        return self.load.trans

    @property
    def blas(self) -> str:
        """BLAS's letter, as in TN: "T" where the operand lies row by row, "N" where it lies column by column.

        >>> "".join(one.blas for one in STORAGES)
        'TNTN'
        """
        return "T" if self.stored == AXES[self.operand] else "N"

    @property
    def fragments(self) -> int:
        """How many fragments one load fills."""
        return self.load.num // self.fragment.registers

    @property
    def matrix(self) -> tuple[int, int]:
        """(rows, cols) of the part of the operand that one load brings: all its fragments."""
        rows, cols = self.fragment.shape
        return (rows * self.fragments, cols) if self.operand == "A" else (rows, cols * self.fragments)

    @property
    def memory(self) -> tuple[int, int]:
        """(rows, cols) of that part as it lies in memory."""
        rows, cols = self.place(*self.matrix)
        return rows, cols

    def place(self, row: int, col: int) -> tuple[int, int]:
        """Return the (row, col) in memory of element (row, col) of the operand, and the other way round.

        >>> Storage("A", "KM").place(0, 9)
        (9, 0)
        """
        return (row, col) if self.blas == "T" else (col, row)

    def wanted(self, lane: int, reg: int, half: int) -> tuple[int, int]:
        """Return the (row, col) of the operand that the mma wants in a slot; reg counts on over the fragments.

        Raises IndexError outside the registers.

        >>> Storage("B", "NK", num=4).wanted(0, 2, 0)
        (0, 8)
        """
        part = self.fragment
        which, reg = divmod(within("reg", reg, self.num or part.registers), part.registers)
        lane, half = within("lane", lane, WARP), within("half", half, part.elements)
        row, col = part.coords[lane, reg, half].tolist()
        rows, cols = part.shape
        return (row + which * rows, col) if self.operand == "A" else (row, col + which * cols)

    def start(self, lane: int) -> tuple[int, int] | None:
        """Return the (row, col) in memory where the row begins whose address a lane supplies; None if it is ignored.

        Raises IndexError unless lane is 0-31.

        >>> Storage("B", "NK").start(8), Storage("B", "NK").start(16)
        ((0, 8), None)
        """
        lane = within("lane", lane, WARP)
        return self.starts[lane] if lane < len(self.starts) else None

    def stores(self, matrix: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the memory, a new array, in which a matrix (of `matrix`'s shape) lies this way.

        Raises ValueError for another shape.

        >>> Storage("B", "NK").stores(np.zeros((16, 8))).shape
        (8, 16)
        """
        if matrix.shape != self.matrix:
            raise ValueError(f"{self.operand}'s matrix has shape {matrix.shape}; wanted {self.matrix}.")
        return np.array(matrix if self.blas == "T" else matrix.T, order="C")

    def rows(self, memory: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return what the lanes point at in memory (of `memory`'s shape): a new (8*num, 8) array for `lanes.ldmatrix`.

        Raises ValueError for another shape.

        >>> Storage("A", "KM").rows(np.arange(256).reshape(16, 16))[8].tolist()
        [8, 9, 10, 11, 12, 13, 14, 15]
        """
        if memory.shape != self.memory:
            raise ValueError(f"memory has shape {memory.shape}; wanted {self.memory}.")
        return np.stack([memory[row, col : col + SIDE] for row, col in self.starts])


STORAGES = tuple(
    Storage(operand, stored) for operand, stored in (("A", "MK"), ("A", "KM"), ("B", "KN"), ("B", "NK"))
)
