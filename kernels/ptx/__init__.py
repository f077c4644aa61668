"""Device functions: CUDA C++ with inline PTX in `.cuh` files, one a family, each declared beside its simulated twin."""

from kernels.ptx.address import ahead, at
from kernels.ptx.copy import copy16, store_pair_f16, store_pair_f32
from kernels.ptx.ldmatrix import (
    ldmatrix_x1,
    ldmatrix_x1_trans,
    ldmatrix_x2,
    ldmatrix_x2_trans,
    ldmatrix_x4,
    ldmatrix_x4_trans,
)
from kernels.ptx.mma import (
    mma_m16n8k8_f16_f16,
    mma_m16n8k8_f32_bf16,
    mma_m16n8k8_f32_f16,
    mma_m16n8k16_f16_f16,
    mma_m16n8k16_f32_bf16,
    mma_m16n8k16_f32_f16,
)

__all__ = [
    "ahead",
    "at",
    "copy16",
    "ldmatrix_x1",
    "ldmatrix_x1_trans",
    "ldmatrix_x2",
    "ldmatrix_x2_trans",
    "ldmatrix_x4",
    "ldmatrix_x4_trans",
    "mma_m16n8k8_f16_f16",
    "mma_m16n8k8_f32_bf16",
    "mma_m16n8k8_f32_f16",
    "mma_m16n8k16_f16_f16",
    "mma_m16n8k16_f32_bf16",
    "mma_m16n8k16_f32_f16",
    "store_pair_f16",
    "store_pair_f32",
]
