"""Find a row of `lanes.instructions` by the names that people use for it."""

import numpy.typing as npt

from lanes.fragments import Fragment, dtype_name
from lanes.instructions import LDMATRIX, MMA, Ldmatrix, Mma


def mma_names() -> str:
    """Return every mma there is as "shape dtype acc", in one line.

    >>> mma_names().split(", ")[0]
    'm16n8k16 f16 f16'
    """
    return ", ".join(f"{row.shape} {row.dtype} {row.acc}" for row in MMA)


def mma_row(shape: str, dtype: npt.DTypeLike, acc: npt.DTypeLike) -> Mma:
    """Return the row of an mma. dtype is of A and B, acc of C and D: PTX names or NumPy dtypes.

    Raises ValueError that names the rows there are.

    >>> mma_row("m16n8k16", "bf16", "f32").arch
    'sm_80'
    """
    key = shape, dtype_name(dtype), dtype_name(acc)
    for row in MMA:
        if key == (row.shape, row.dtype, row.acc):
            return row
    raise ValueError(f"shape, dtype and acc are {key}; wanted one of {mma_names()}.")


def ldmatrix_row(num: int, *, trans: bool = False) -> Ldmatrix:
    """Return the row of ldmatrix .x1, .x2 or .x4.

    Raises ValueError unless num is 1, 2 or 4.

    >>> ldmatrix_row(2).num
    2
    """
    for row in LDMATRIX:
        if (num, trans) == (row.num, row.trans):
            return row
    raise ValueError(f"num is {num!r}; ldmatrix moves 1, 2 or 4 matrices.")


def fragment(shape: str, operand: str, *, dtype: npt.DTypeLike = "f16") -> Fragment:
    """Return how an mma's operand "A", "B" or "C" lies in the lanes.

    A is M-by-K, (row, col) = (m, k); B is K-by-N, (k, n); C is M-by-N, (m, n), and D lies as C does.
    dtype is the operand's own: "f16" or "bf16" for A and B, the accumulator's "f16" or "f32" for C; NumPy's
    dtypes do too.

    Raises ValueError that names what there is.

    Source: PTX ISA, "Matrix Fragments for mma.m16n8k16 with floating point type"; CUTLASS,
    `include/cute/atom/mma_traits_sm80.hpp`.

    >>> fragment("m16n8k16", "A").owner(0, 9)
    (0, 2, 1)
    """
    shapes = dict.fromkeys(row.shape for row in MMA)
    if shape not in shapes:
        raise ValueError(f"shape is {shape!r}; wanted one of {', '.join(shapes)}.")
    if operand not in ("A", "B", "C"):
        raise ValueError(f"operand is {operand!r}; wanted A, B or C.")
    found: dict[str, Fragment] = {}
    for row in MMA:
        if row.shape == shape:
            part = {"A": row.a, "B": row.b, "C": row.c}[operand]
            found.setdefault(part.dtype, part)
    name = dtype_name(dtype)
    if name not in found:
        raise ValueError(f"dtype is {name}; {operand} of {shape} wants {' or '.join(found)}.")
    return found[name]
