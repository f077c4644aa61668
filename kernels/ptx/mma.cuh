// mma: C += A @ B on the registers of a warp; the names say shape, accumulator, operands.
// A is "row", B is "col": that is how PTX calls the one pair of layouts these shapes have.
// PTX ISA, "Multiply-and-accumulate instruction: mma".
#pragma once

__device__ __forceinline__ void mma_m16n8k8_f16_f16(unsigned* c, const unsigned* a, const unsigned* b) {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%4}, {%0, %1};"
                 : "+r"(c[0]), "+r"(c[1])
                 : "r"(a[0]), "r"(a[1]), "r"(b[0]));
}

__device__ __forceinline__ void mma_m16n8k8_f32_f16(float* c, const unsigned* a, const unsigned* b) {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(b[0]));
}

// sm_75 has no m16n8k16. Its two halves in k are two m16n8k8: registers {0, 1} and {2, 3} of A, {0} and {1} of B.
__device__ __forceinline__ void mma_m16n8k16_f16_f16(unsigned* c, const unsigned* a, const unsigned* b) {
#if __CUDA_ARCH__ >= 800
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
                 : "+r"(c[0]), "+r"(c[1])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
    mma_m16n8k8_f16_f16(c, a, b);
    mma_m16n8k8_f16_f16(c, a + 2, b + 1);
#endif
}

__device__ __forceinline__ void mma_m16n8k16_f32_f16(float* c, const unsigned* a, const unsigned* b) {
#if __CUDA_ARCH__ >= 800
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
    mma_m16n8k8_f32_f16(c, a, b);
    mma_m16n8k8_f32_f16(c, a + 2, b + 1);
#endif
}

// bf16 needs sm_80, in both shapes. Below it the products are added in f32, one k after another, and the lanes hand
// each other their registers: C's row lane / 4 needs A from the lane's own quad, and C's columns 2 * (lane % 4) and the
// next need B from two other quads. A register holds two neighbours in k, and a bf16 is the upper half of an f32.
__device__ __forceinline__ float low_bf16(unsigned pair) { return __uint_as_float(pair << 16); }
__device__ __forceinline__ float high_bf16(unsigned pair) { return __uint_as_float(pair & 0xFFFF0000u); }

__device__ __forceinline__ void mma_m16n8k8_f32_bf16(float* c, const unsigned* a, const unsigned* b) {
#if __CUDA_ARCH__ >= 800
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(b[0]));
#else
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    #pragma unroll
    for (int pair = 0; pair < 4; ++pair) {  // k is 2 * pair, then 2 * pair + 1
        #pragma unroll
        for (int i = 0; i < 4; ++i) {  // C's register: its row by i / 2, its column by i % 2
            unsigned from_a = __shfl_sync(0xFFFFFFFFu, a[i / 2], lane / 4 * 4 + pair);
            unsigned from_b = __shfl_sync(0xFFFFFFFFu, b[0], (lane % 4 * 2 + i % 2) * 4 + pair);
            c[i] = fmaf(low_bf16(from_a), low_bf16(from_b), c[i]);
            c[i] = fmaf(high_bf16(from_a), high_bf16(from_b), c[i]);
        }
    }
#endif
}

__device__ __forceinline__ void mma_m16n8k16_f32_bf16(float* c, const unsigned* a, const unsigned* b) {
#if __CUDA_ARCH__ >= 800
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
    mma_m16n8k8_f32_bf16(c, a, b);
    mma_m16n8k8_f32_bf16(c, a + 2, b + 1);
#endif
}
