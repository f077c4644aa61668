"""mma: C += A @ B on the registers of a warp. The name says shape, accumulator, operands.

``mma_m16n8k16_f32_f16(c, a, b)``: addresses of this lane's registers of the three fragments, laid out as
``lanes.fragment`` says; c is read and written. Below sm_80, which has no m16n8k16, it is two m16n8k8.

Source: PTX ISA, "Multiply-and-accumulate instruction: mma". Capability 7.5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import lanes
from kernels.ptx.declare import warp_function

if TYPE_CHECKING:
    from kernels.simulator.memory import Pointer

f16_acc = warp_function("mma.cuh", "unsigned*", "const unsigned*", "const unsigned*")
f32_acc = warp_function("mma.cuh", "float*", "const unsigned*", "const unsigned*")


@f16_acc
def mma_m16n8k16_f16_f16(c: list[Pointer], a: list[Pointer], b: list[Pointer]) -> None:
    """Two accumulator registers of two f16 each, four registers of A, two of B."""
    _multiply(c, a, b, "m16n8k16", "f16")


@f32_acc
def mma_m16n8k16_f32_f16(c: list[Pointer], a: list[Pointer], b: list[Pointer]) -> None:
    """Four accumulator registers of one f32 each, four registers of A, two of B."""
    _multiply(c, a, b, "m16n8k16", "f32")


@f16_acc
def mma_m16n8k8_f16_f16(c: list[Pointer], a: list[Pointer], b: list[Pointer]) -> None:
    """Two accumulator registers of two f16 each, two registers of A, one of B."""
    _multiply(c, a, b, "m16n8k8", "f16")


@f32_acc
def mma_m16n8k8_f32_f16(c: list[Pointer], a: list[Pointer], b: list[Pointer]) -> None:
    """Four accumulator registers of one f32 each, two registers of A, one of B."""
    _multiply(c, a, b, "m16n8k8", "f32")


def _multiply(c: list[Pointer], a: list[Pointer], b: list[Pointer], shape: str, acc: str) -> None:
    from kernels.simulator.memory import load, store

    name = f"mma_{shape}_{acc}_f16"

    def registers(pointers: list[Pointer], operand: str) -> np.ndarray:
        layout = lanes.fragment(shape, operand, dtype=acc if operand == "C" else "f16").coords.shape[:3]
        dtype = np.float32 if layout[2] == 1 else np.float16
        return load(pointers, 4 * layout[1], name).view(dtype).reshape(layout)

    d = lanes.mma(registers(a, "A"), registers(b, "B"), registers(c, "C"), shape=shape)
    store(c, d.reshape(len(c), -1).view(np.uint8), name)
