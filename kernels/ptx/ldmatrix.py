"""ldmatrix: one, two or four 8x8 matrices of 16-bit elements, from shared memory to the registers of a warp.

``ldmatrix_x4(registers, row)``: `row` is the address of this lane's 16 bytes, `registers` of as many 32-bit registers
as there are matrices. Lane i points at row i % 8 of matrix i // 8, and lane t receives elements 2 * (t % 4) and
2 * (t % 4) + 1 of row t // 4 of every matrix; `_trans` transposes each matrix on the way. The addresses of lanes that
have no row in x1 and x2 are ignored, but on sm_75 they must be valid.

Source: PTX ISA, "Warp-level matrix load instruction: ldmatrix". Capability 7.5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import lanes
from kernels.ptx.declare import warp_function

if TYPE_CHECKING:
    from kernels.simulator.memory import Pointer

ROW_BYTES = 16

ldmatrix = warp_function("ldmatrix.cuh", "unsigned*", "const void*")


@ldmatrix
def ldmatrix_x1(registers: list[Pointer], row: list[Pointer]) -> None:
    """One matrix, rows from lanes 0-7, to one register."""
    _load(registers, row, 1, trans=False)


@ldmatrix
def ldmatrix_x2(registers: list[Pointer], row: list[Pointer]) -> None:
    """Two matrices, rows from lanes 0-15, to two registers."""
    _load(registers, row, 2, trans=False)


@ldmatrix
def ldmatrix_x4(registers: list[Pointer], row: list[Pointer]) -> None:
    """Four matrices, rows from lanes 0-31, to four registers."""
    _load(registers, row, 4, trans=False)


@ldmatrix
def ldmatrix_x1_trans(registers: list[Pointer], row: list[Pointer]) -> None:
    """One matrix, transposed on the way."""
    _load(registers, row, 1, trans=True)


@ldmatrix
def ldmatrix_x2_trans(registers: list[Pointer], row: list[Pointer]) -> None:
    """Two matrices, each transposed on the way."""
    _load(registers, row, 2, trans=True)


@ldmatrix
def ldmatrix_x4_trans(registers: list[Pointer], row: list[Pointer]) -> None:
    """Four matrices, each transposed on the way."""
    _load(registers, row, 4, trans=True)


def _load(registers: list[Pointer], row: list[Pointer], num: int, *, trans: bool) -> None:
    from kernels.simulator.memory import load, store

    name = f"ldmatrix_x{num}{'_trans' * trans}"
    for pointer in row[: 8 * num]:
        if pointer.array.memory.watch is None:
            raise IndexError(
                f"{name} by {pointer.thread} reads shared memory, and {pointer.array} is not in it"
            )
    rows = load(row[: 8 * num], ROW_BYTES, name, align=ROW_BYTES, together=True).view(np.uint16)
    held = lanes.ldmatrix(rows, trans=trans)
    store(registers, held.reshape(len(registers), -1).view(np.uint8), name)
