"""What a warp's instructions do, on arrays whose first axis is the lane.

Registers are `[lane, reg, half]`: half 0 is the low 16 bits, and an f32 register has one element.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from lanes.catalog import mma_names
from lanes.fragments import DTYPES, WARP
from lanes.instructions import MMA

# Looked up on every call, so kept ready under the arrays' own dtypes.
_ROWS = {(row.shape, DTYPES[row.dtype], DTYPES[row.dtype], DTYPES[row.acc]): row for row in MMA}


def ldmatrix(rows: npt.NDArray[Any], *, trans: bool = False) -> npt.NDArray[Any]:
    """Load 1, 2 or 4 matrices from shared memory into the registers of a warp.

    rows: (8*num, 8), any 16-bit dtype; row i is the 16 bytes that lane i points at: matrix i // 8, row i % 8.
    Returns a new (32, num, 2) array of the same dtype, `[lane, reg, half]`; reg is the matrix.

    Raises ValueError unless rows hold 1, 2 or 4 matrices of 16-bit elements.

    Source: PTX ISA, "Warp-level matrix load instruction: ldmatrix".

    >>> rows = np.arange(256, dtype=np.uint16).reshape(32, 8)
    >>> ldmatrix(rows)[0].tolist()
    [[0, 1], [64, 65], [128, 129], [192, 193]]
    >>> ldmatrix(rows, trans=True)[0].tolist()
    [[0, 8], [64, 72], [128, 136], [192, 200]]
    """
    rows = np.asarray(rows)
    if rows.shape not in ((8, 8), (16, 8), (32, 8)):
        raise ValueError(f"rows has shape {rows.shape}; ldmatrix wants (8, 8), (16, 8) or (32, 8).")
    if rows.dtype.itemsize != 2:
        raise ValueError(f"rows is {rows.dtype}; ldmatrix wants 16-bit elements.")
    num = len(rows) // 8
    matrices = rows.reshape(num, 8, 8)
    if trans:
        matrices = matrices.transpose(0, 2, 1)
    # Cut each matrix into 32 pairs of neighbours, one a lane. A copy: registers do not alias memory.
    return matrices.reshape(num, WARP, 2).transpose(1, 0, 2).copy()


def movmatrix(registers: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Transpose 8x8 matrices that lie in the registers of a warp; each register takes one instruction.

    registers: (32, num, 2), any 16-bit dtype: register reg of the lanes holds one matrix, a row pair a lane.
    Returns a new array like it, `[lane, reg, half]`, in which each lane holds a column pair of the same matrix.

    Raises ValueError for another shape, and unless the elements have 16 bits.

    Source: PTX ISA, "Warp-level matrix transpose instruction: movmatrix".

    >>> movmatrix(np.arange(64, dtype=np.uint16).reshape(32, 1, 2))[4].tolist()
    [[1, 9]]
    """
    registers = np.asarray(registers)
    if registers.ndim != 3 or registers.shape[::2] != (WARP, 2):
        raise ValueError(f"registers has shape {registers.shape}; movmatrix wants (32, num, 2).")
    if registers.dtype.itemsize != 2:
        raise ValueError(f"registers is {registers.dtype}; movmatrix wants 16-bit elements.")
    matrices = registers.transpose(1, 0, 2).reshape(-1, 8, 8)
    return matrices.transpose(0, 2, 1).reshape(-1, WARP, 2).transpose(1, 0, 2).copy()


def mma(
    a: npt.NDArray[Any], b: npt.NDArray[Any], c: npt.NDArray[Any], *, shape: str = "m16n8k16"
) -> npt.NDArray[Any]:
    """Multiply and accumulate the fragments of a warp: D = A @ B + C.

    a, b: (32, registers, 2), both f16 or both bf16 (ml_dtypes.bfloat16).
    c: (32, registers, 2) f16 or (32, registers, 1) f32. Returns a new array like c.

    Exact wherever every partial sum is representable in c's dtype. Otherwise the products and their sum with
    C are computed in float64 and rounded once, to nearest even. Hardware aligns the products to the largest,
    truncates them before it adds, and may do so a few k at a time, so its last bits can differ from these.
    NaN, Inf and overflow go through without a warning, as IEEE 754 says.

    Raises ValueError for a shape and dtypes that are no instruction here, and for a wrong number of
    registers.

    Source: PTX ISA, "Multiply-and-Accumulate Instruction: mma".

    >>> row = MMA[1]  # m16n8k16, f32 accumulator
    >>> a, b = np.ones((16, 16), np.float16), np.ones((16, 8), np.float16)
    >>> d = mma(row.a.gather(a), row.b.gather(b), np.ones((32, 4, 1), np.float32))
    >>> d[5].tolist()
    [[17.0], [17.0], [17.0], [17.0]]
    """
    a, b, c = np.asarray(a), np.asarray(b), np.asarray(c)
    row = _ROWS.get((shape, a.dtype, b.dtype, c.dtype))
    if row is None:
        got = f"shape {shape!r} with a {a.dtype}, b {b.dtype}, c {c.dtype}"
        raise ValueError(f"mma got {got}; wanted (shape, a and b, c) to be one of {mma_names()}.")
    with np.errstate(all="ignore"):
        matrix_a, matrix_b = row.a.scatter(a).astype(np.float64), row.b.scatter(b).astype(np.float64)
        matrix_d = matrix_a @ matrix_b + row.c.scatter(c)
        return row.c.gather(matrix_d.astype(c.dtype))
