"""A fragment: how the 32 lanes of a warp hold one small matrix in their registers.

Everything here rests on one picture. Take an 8x8 matrix of 16-bit elements in row-major order and cut it
into 32 pieces of two neighbours: piece number `lane` is the 32-bit register of that lane. So element
(row, col) is in lane 4*row + col//2, half col%2. A larger operand is an ordered list of such matrices.
"""

from dataclasses import dataclass
from functools import cached_property
from operator import index
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt

WARP = 32
DTYPES: dict[str, np.dtype[Any]] = {
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "f32": np.dtype(np.float32),
}

# The picture above: MATRIX[lane, half] is (row, col).
MATRIX = np.stack(np.divmod(np.arange(64), 8), axis=-1).reshape(WARP, 2, 2)


def within(name: str, number: int, count: int) -> int:
    """Return number as a plain int. Raises IndexError, which calls it by name, unless it is 0 to count - 1.

    >>> within("lane", np.int64(31), 32)
    31
    """
    number = index(number)
    if not 0 <= number < count:
        raise IndexError(f"{name} is {number}; wanted 0-{count - 1}.")
    return number


def dtype_name(dtype: npt.DTypeLike) -> str:
    """Return PTX's name, "f16", "bf16" or "f32", of a dtype or of such a name.

    Raises ValueError for any other dtype.

    >>> dtype_name(np.float16), dtype_name(ml_dtypes.bfloat16), dtype_name("f32")
    ('f16', 'bf16', 'f32')
    """
    if isinstance(dtype, str) and dtype in DTYPES:
        return dtype
    try:
        found = np.dtype(dtype)
    except (TypeError, ValueError):
        raise ValueError(f"dtype is {dtype!r}; wanted one of {', '.join(DTYPES)}.") from None
    for name, known in DTYPES.items():
        if found == known:
            return name
    raise ValueError(f"dtype is {found}; wanted one of {', '.join(DTYPES)}.")


@dataclass(frozen=True)
class Fragment:
    """One operand of a warp instruction, spread over 32 lanes.

    operand: its letter. dtype: "f16", "bf16" or "f32". shape: (rows, cols) in elements.
    blocks: the top left corner (row, col) of each 8x8 matrix, in register order.
    transposed: lanes hold column pairs, as in B, and not row pairs.

    A register is 32 bits: two 16-bit elements (half 0 is the low 16 bits) or one f32 (half 0).

    Raises ValueError, when made, unless every element of the operand has exactly one place.

    Source: PTX ISA, "Matrix Fragments for mma.m16n8k16 with floating point type", here said with matrices.

    >>> Fragment("A", "f16", (16, 8), blocks=((0, 0), (8, 0))).owner(9, 3)
    (5, 1, 1)
    """

    operand: str
    dtype: str
    shape: tuple[int, int]
    blocks: tuple[tuple[int, int], ...]
    transposed: bool = False

    def __post_init__(self) -> None:
        """Prove that the slots of the lanes and the elements of the operand are one to one."""
        if self.dtype not in DTYPES:
            raise ValueError(f"dtype is {self.dtype!r}; wanted one of {', '.join(DTYPES)}.")
        if ((self.coords < 0) | (self.coords >= self.shape)).any():
            raise ValueError(f"blocks {self.blocks} reach outside {self.operand}'s shape {self.shape}.")
        held = np.zeros(self.shape, int)
        np.add.at(held, (self.coords[..., 0], self.coords[..., 1]), 1)
        for row, col in np.argwhere(held != 1).tolist():
            raise ValueError(f"{self.operand}({row},{col}) is held {held[row, col]} times; wanted once.")

    @property
    def elements(self) -> int:
        """Elements in a 32-bit register: 2, or 1 for f32."""
        return 4 // DTYPES[self.dtype].itemsize

    @property
    def registers(self) -> int:
        """32-bit registers that each lane gives to this operand."""
        return len(self.blocks) * 2 // self.elements

    @property
    def names(self) -> tuple[tuple[str, ...], ...]:
        """PTX's names of the elements, [reg][half].

        >>> Fragment("B", "f16", (16, 8), ((0, 0), (8, 0)), transposed=True).names
        (('b0', 'b1'), ('b2', 'b3'))
        """
        slots = np.arange(self.registers * self.elements).reshape(self.registers, self.elements)
        return tuple(tuple(f"{self.operand.lower()}{slot}" for slot in reg) for reg in slots.tolist())

    @cached_property
    def coords(self) -> npt.NDArray[np.intp]:
        """(row, col) of what each lane holds: read-only intp (32, registers, elements, 2), [lane, reg, half].

        >>> Fragment("C", "f32", (16, 8), ((0, 0), (8, 0))).coords[0].tolist()
        [[[0, 0]], [[0, 1]], [[8, 0]], [[8, 1]]]
        """
        matrix = MATRIX[..., ::-1] if self.transposed else MATRIX
        corners = np.array(self.blocks).reshape(-1, 1, 2)
        # [lane, matrix, half]; an f32 takes a whole register, so there each half becomes a register.
        coords = (matrix[:, np.newaxis] + corners).reshape(WARP, self.registers, self.elements, 2)
        return _read_only(coords)

    @cached_property
    def _element(self) -> npt.NDArray[np.intp]:
        """Row-major number of the element in each slot, (32, registers, elements)."""
        return _read_only(self.coords @ np.array([self.shape[1], 1]))

    @cached_property
    def _slot(self) -> npt.NDArray[np.intp]:
        """Number of the slot that holds each element, (rows, cols): the inverse of _element."""
        return _read_only(np.argsort(self._element, axis=None).reshape(self.shape))

    def owner(self, row: int, col: int) -> tuple[int, int, int]:
        """Return (lane, reg, half) of element (row, col), as plain ints.

        Raises IndexError outside the operand.

        >>> Fragment("B", "f16", (8, 8), ((0, 0),), transposed=True).owner(3, 2)
        (9, 0, 1)
        """
        row, col = within("row", row, self.shape[0]), within("col", col, self.shape[1])
        pair, half = divmod(int(self._slot[row, col]), self.elements)
        lane, reg = divmod(pair, self.registers)
        return lane, reg, half

    def gather(self, matrix: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return what each lane holds of a matrix of any dtype: a new (32, registers, elements) array.

        Raises ValueError for another shape than the operand's.

        >>> Fragment("A", "f16", (8, 8), ((0, 0),)).gather(np.arange(64).reshape(8, 8))[4].tolist()
        [[8, 9]]
        """
        if matrix.shape != self.shape:
            raise ValueError(f"{self.operand}'s matrix has shape {matrix.shape}; wanted {self.shape}.")
        return matrix.reshape(-1)[self._element]

    def scatter(self, registers: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the matrix that (32, registers, elements) of any dtype hold: a new (rows, cols) array.

        Raises ValueError for another shape than the fragment's.

        >>> a = Fragment("A", "f16", (8, 8), ((0, 0),))
        >>> bool((a.scatter(a.gather(np.eye(8))) == np.eye(8)).all())
        True
        """
        wanted = self._element.shape
        if registers.shape != wanted:
            raise ValueError(f"{self.operand}'s registers have shape {registers.shape}; wanted {wanted}.")
        return registers.reshape(-1)[self._slot]


def _read_only(array: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    array = array.astype(np.intp)
    array.flags.writeable = False
    return array
