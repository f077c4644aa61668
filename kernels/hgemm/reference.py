"""The reference kernel: C = A @ B in f16, a block of 128x128 of C, 16 of K at a time, 8 warps, no overlap.

Read it beside its C++ twin, `kernels/baseline/reference.cu`: same tiles, same order, same names.

What keeps it as fast as the twin. Thread and block indices are unsigned, since `//` and `%` of signed numbers follow
Python's floor rule. The loop over K, whose trip count is known only at run time, is a `while` with a 32-bit counter,
since `range` counts in 64 bits. A C++ compiler turns an address such as ``&B[k + b_row][col]`` in a loop into a pointer
that it moves along; numba's does not, so the kernel does it, with `ahead`. Loops with a constant count are ranges, and
the compiler unrolls them. It leaves the loop over K as one copy; the C++ compiler is told to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kernels.adapter import cuda, f16, f32, i32, u32, uint32
from kernels.ptx import (
    ahead,
    at,
    copy16,
    ldmatrix_x2_trans,
    ldmatrix_x4,
    mma_m16n8k16_f16_f16,
    mma_m16n8k16_f32_f16,
    store_pair_f16,
    store_pair_f32,
)
from lanes.tiling import REFERENCE as TILING

if TYPE_CHECKING:
    from collections.abc import Callable

BM, BN, BK = TILING.block  # 128, 128, 16: the block's tile
WM, WN = TILING.warp_tile  # 64, 32: a warp's part of it
WARPS_M = TILING.warps_m  # 2 warps down, 4 across
MMAS_M, MMAS_N = TILING.mmas_m, TILING.mmas_n  # 4, 4: mmas of a warp and step
MMA_M, MMA_N, _ = TILING.mma_tile  # 16, 8

LAUNCH_BOUNDS = TILING.threads  # at most so many threads a block; ptxas spills nothing on any architecture


def make(acc: str, pad: int) -> Callable[..., None]:
    """Return the kernel's Python function, for `cuda.jit` or `cuda.compile`, as ``(A, B, C, K)``.

    A (M, K), B (K, N) and C (M, N) are f16 and C-contiguous, K is an i32; M, N, K are multiples of 128, 128, 16.
    `acc` is the accumulator, "f16" or "f32". `pad` is the elements added to every row of both tiles, a multiple of 8:
    a row must start on 16 bytes. Launch (N / 128, M / 128) blocks of 256 threads.
    """
    if acc == "f16":
        mma, store_pair, ACC, REGS = mma_m16n8k16_f16_f16, store_pair_f16, uint32, 2
    else:
        mma, store_pair, ACC, REGS = mma_m16n8k16_f32_f16, store_pair_f32, f32, 4
    A_ROW, B_ROW, PAIR = BK + pad, BN + pad, REGS // 2

    def hgemm_reference(A: Any, B: Any, C: Any, K: Any) -> None:
        s_a = cuda.shared.array((BM, A_ROW), f16, alignment=16)
        s_b = cuda.shared.array((BK, B_ROW), f16, alignment=16)
        r_a = cuda.local.array((MMAS_M, 4), uint32)
        r_b = cuda.local.array((MMAS_N, 2), uint32)
        r_c = cuda.local.array((MMAS_M, MMAS_N, REGS), ACC)

        thread = u32(cuda.threadIdx.x)
        warp, lane = thread // 32, thread % 32
        warp_m, warp_n = warp % WARPS_M * WM, warp // WARPS_M * WN
        block_m, block_n = u32(cuda.blockIdx.y) * BM, u32(cuda.blockIdx.x) * BN

        # The 16 bytes that this thread copies in every step:
        # 2 threads a row of A's tile, 16 threads a row of B's.
        a_row, a_col = thread // 2, thread % 2 * 8
        b_row, b_col = thread // 16, thread % 16 * 8

        for i in range(MMAS_M):
            for j in range(MMAS_N):
                for reg in range(REGS):
                    r_c[i, j, reg] = 0

        from_a = at(A, (block_m + a_row, a_col))
        from_b = at(B, (b_row, block_n + b_col))
        a_step_bytes = 2 * BK
        b_step_bytes = u32(2 * BK * B.shape[1])
        k = i32(0)
        while k < K:
            # Global to shared: columns k to k + 15 of A, rows k to k + 15 of B.
            copy16(at(s_a, (a_row, a_col)), from_a)
            copy16(at(s_b, (b_row, b_col)), from_b)
            # The tiles are whole before any warp reads them.
            cuda.syncthreads()

            # Shared to registers: each lane gives the address of one row.
            for i in range(MMAS_M):
                a = at(s_a, (warp_m + i * MMA_M + lane % 16, lane // 16 * 8))
                ldmatrix_x4(at(r_a, (i, 0)), a)
            for j in range(MMAS_N):
                b = at(s_b, (lane % 16, warp_n + j * MMA_N))
                ldmatrix_x2_trans(at(r_b, (j, 0)), b)

            # 16 mmas, each on 16x8 of C.
            for i in range(MMAS_M):
                for j in range(MMAS_N):
                    mma(at(r_c, (i, j, 0)), at(r_a, (i, 0)), at(r_b, (j, 0)))
            # Every warp has read the tiles before any thread writes the next.
            cuda.syncthreads()
            from_a = ahead(from_a, a_step_bytes)
            from_b = ahead(from_b, b_step_bytes)
            k = i32(k + BK)

        # Registers to global. In an mma's 16x8 a lane holds two neighbours
        # in row lane // 4, and two below them, in row lane // 4 + 8.
        row = block_m + warp_m + lane // 4
        col = block_n + warp_n + lane % 4 * 2
        for i in range(MMAS_M):
            for j in range(MMAS_N):
                for below in range(2):
                    c = at(C, (row + i * MMA_M + below * 8, col + j * MMA_N))
                    store_pair(c, at(r_c, (i, j, below * PAIR)))

    return hgemm_reference
