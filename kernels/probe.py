"""Ask the hardware who holds what, and compare its answer with `lanes`.

ldmatrix can be asked outright: every element of shared memory gets a number of its own, and the registers come out.
An mma cannot. A multiplication never shows which of its sums is "row 3": rename m, n and k consistently in A, B and C,
and C = A @ B stays true. What it does show is which register halves meet. A single 1 in one half of A, and a number of
its own in every half of B, give a C in which each half shows the half of B that the 1 was multiplied by. That fixes
the layouts up to such a renaming, and the labels are those that the PTX ISA prints.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import lanes
from kernels import ptx
from kernels.adapter import cuda, f32, u32, uint16, uint32
from kernels.provenance import provenance
from kernels.ptx import at, copy16
from lanes.fragments import DTYPES, WARP

if TYPE_CHECKING:
    from collections.abc import Callable

LDMATRIX = [(num, trans) for trans in (False, True) for num in (1, 2, 4)]
MMA = [(row.shape, row.acc, row.dtype) for row in lanes.MMA]


def ldmatrix_registers(num: int, trans: bool) -> Any:
    """What the lanes hold after ``ldmatrix_x{num}`` of a tile in which element i of row r is 8 * r + i.

    Returns (32, num, 2) uint16, `[lane, reg, half]`.
    """
    kernel = cuda.jit(ldmatrix_kernel(num, trans))
    numbers = np.arange(WARP * 8, dtype=np.uint16).reshape(WARP, 8)
    out = cuda.to_device(np.full((WARP, num), 0xFFFFFFFF, np.uint32))
    kernel[1, WARP](cuda.to_device(numbers), out)
    return out.copy_to_host().view(np.uint16).reshape(WARP, num, 2)


def ldmatrix_kernel(num: int, trans: bool) -> Callable[..., None]:
    """One warp: copy 32 rows to shared memory, load them, write the registers out."""
    load = getattr(ptx, f"ldmatrix_x{num}{'_trans' * trans}")

    def kernel(numbers: Any, out: Any) -> None:
        tile = cuda.shared.array((32, 8), uint16, alignment=16)
        registers = cuda.local.array(num, uint32)
        lane = u32(cuda.threadIdx.x)
        copy16(at(tile, (lane, 0)), at(numbers, (lane, 0)))
        cuda.syncthreads()
        load(at(registers, (0,)), at(tile, (lane, 0)))
        for reg in range(num):
            out[lane, reg] = registers[reg]

    return kernel


def mma_meetings(shape: str, acc: str, dtype: str = "f16") -> Any:
    """Which half of B each half of C shows when one half of A is 1: (halves of A, halves of C) integers.

    Halves are numbered in the order of `coords`, lane, reg, half; B's from 1, and 0 is "none". There are 128 at most,
    and bf16 holds every integer up to 256.
    """
    a, b, c = (part.coords.shape[:3] for part in _fragments(shape, acc, dtype))
    cases = a[0] * a[1] * a[2]
    ones = np.eye(cases).astype(DTYPES[dtype]).reshape(cases, *a).view(np.uint32)[..., 0]
    numbers = np.arange(1, b[0] * b[1] * b[2] + 1).astype(DTYPES[dtype]).reshape(b).view(np.uint32)[..., 0]
    acc_dtype = np.float16 if acc == "f16" else np.float32
    poison = np.full((cases, WARP, c[1]), 0xFFFFFFFF, np.uint32).view(
        np.uint32 if acc == "f16" else np.float32
    )
    out = cuda.to_device(poison)
    cuda.jit(mma_kernel(shape, acc, dtype))[cases, WARP](cuda.to_device(ones), cuda.to_device(numbers), out)
    return out.copy_to_host().view(acc_dtype).reshape(cases, -1).astype(int)


def mma_kernel(shape: str, acc: str, dtype: str = "f16") -> Callable[..., None]:
    """One warp a case: registers of A for that case, of B for all, C = A @ B, and C's registers out."""
    multiply = getattr(ptx, f"mma_{shape}_{acc}_{dtype}")
    a_regs, b_regs, c_regs = (part.registers for part in _fragments(shape, acc, dtype))
    acc_type = uint32 if acc == "f16" else f32

    def kernel(ones: Any, numbers: Any, out: Any) -> None:
        r_a = cuda.local.array(a_regs, uint32)
        r_b = cuda.local.array(b_regs, uint32)
        r_c = cuda.local.array(c_regs, acc_type)
        case, lane = cuda.blockIdx.x, cuda.threadIdx.x
        for reg in range(a_regs):
            r_a[reg] = ones[case, lane, reg]
        for reg in range(b_regs):
            r_b[reg] = numbers[lane, reg]
        for reg in range(c_regs):
            r_c[reg] = 0
        multiply(at(r_c, (0,)), at(r_a, (0,)), at(r_b, (0,)))
        for reg in range(c_regs):
            out[case, lane, reg] = r_c[reg]

    return kernel


def expected_meetings(shape: str, acc: str, dtype: str = "f16") -> Any:
    """What `mma_meetings` is if the fragments of `lanes`, with PTX's labels, are right."""
    a, b, c = _fragments(shape, acc, dtype)
    number = np.arange(1, b.coords[..., 0].size + 1).reshape(b.coords.shape[:3])
    at_b = b.scatter(number)  # (k, n) -> the number of the half of B there
    (m_a, k), (m_c, n) = a.coords.reshape(-1, 2).T, c.coords.reshape(-1, 2).T
    return np.where(m_a[:, None] == m_c[None], at_b[k[:, None], n[None]], 0)


def classes(meetings: Any) -> dict[str, int]:
    """How many values of m, n and k the hardware tells apart, found without any layout.

    Two halves of A have the same m if they reach the same halves of C, and the same k if they meet the same halves
    of B. Two halves of C have the same n if the same halves of B ever show in them.
    """
    m = {tuple(np.flatnonzero(row)) for row in meetings}
    k = {tuple(sorted(set(row[row > 0]))) for row in meetings}
    n = {tuple(sorted(set(column[column > 0]))) for column in meetings.T}
    return {"m": len(m), "n": len(n), "k": len(k)}


def probe() -> dict[str, Any]:
    """Every ldmatrix and every mma: what came out, and whether it is what `lanes` says. Ready for JSON."""
    rows: list[dict[str, Any]] = []
    for num, trans in LDMATRIX:
        numbers = np.arange(num * 64, dtype=np.uint16).reshape(num * 8, 8)
        registers = ldmatrix_registers(num, trans)
        wrong = int((registers != lanes.ldmatrix(numbers, trans=trans)).sum())
        name = f"ldmatrix.x{num}{'.trans' * trans}"
        rows.append({"instruction": name, "registers": registers.tolist(), "wrong": wrong})
    for shape, acc, dtype in MMA:
        meetings = mma_meetings(shape, acc, dtype)
        wrong = int((meetings != expected_meetings(shape, acc, dtype)).sum())
        name = f"mma.{shape}.{acc}.{dtype}"
        rows.append(
            {"instruction": name, "classes": classes(meetings), "pairs": meetings.size, "wrong": wrong}
        )
    return {"provenance": provenance(), "rows": rows}


def _fragments(shape: str, acc: str, dtype: str) -> tuple[lanes.Fragment, ...]:
    row = lanes.mma_row(shape, dtype, acc)
    return row.a, row.b, row.c
