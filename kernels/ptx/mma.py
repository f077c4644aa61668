"""mma: C += A @ B on the registers of a warp. The name says shape, accumulator, operands.

``mma_m16n8k16_f32_f16(c, a, b)``: addresses of this lane's registers of the three fragments, laid out as
``lanes.fragment`` says; c is read and written. Below sm_80, which has no m16n8k16, it is two m16n8k8. Nor is there bf16
on tensor cores: there the lanes exchange registers and add the products in f32, which is right and slow.

Source: PTX ISA, "Multiply-and-accumulate instruction: mma". Capability 7.5; 8.0 for m16n8k16 and for bf16.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import lanes
from kernels.ptx.declare import warp_function
from lanes.fragments import DTYPES

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


@f32_acc
def mma_m16n8k16_f32_bf16(c: list[Pointer], a: list[Pointer], b: list[Pointer]) -> None:
    """As mma_m16n8k16_f32_f16, with bf16 in A and B."""
    _multiply(c, a, b, "m16n8k16", "f32", "bf16")


@f32_acc
def mma_m16n8k8_f32_bf16(c: list[Pointer], a: list[Pointer], b: list[Pointer]) -> None:
    """As mma_m16n8k8_f32_f16, with bf16 in A and B."""
    _multiply(c, a, b, "m16n8k8", "f32", "bf16")


def _multiply(
    c: list[Pointer], a: list[Pointer], b: list[Pointer], shape: str, acc: str, dtype: str = "f16"
) -> None:
    from kernels.simulator.memory import load, store

    name = f"mma_{shape}_{acc}_{dtype}"

    def registers(pointers: list[Pointer], operand: str) -> np.ndarray:
        element = acc if operand == "C" else dtype
        layout = lanes.fragment(shape, operand, dtype=element).coords.shape[:3]
        return load(pointers, 4 * layout[1], name).view(DTYPES[element]).reshape(layout)

    d = lanes.mma(registers(a, "A"), registers(b, "B"), registers(c, "C"), shape=shape)
    store(c, d.reshape(len(c), -1).view(np.uint8), name)
