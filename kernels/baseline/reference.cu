// The C++ twin of kernels/hgemm/reference.py: same tiles, same order, same names.
// Compile it with -DACC_F32=0 or 1 (accumulators in f16 or f32) and -DPAD=0 or 8 (elements added to each row of a tile).
#include <cuda_fp16.h>

#include "../ptx/copy.cuh"
#include "../ptx/ldmatrix.cuh"
#include "../ptx/mma.cuh"

#if ACC_F32
typedef float acc_t;
constexpr int REGS = 4;
#define mma mma_m16n8k16_f32_f16
#define store_pair store_pair_f32
#else
typedef unsigned acc_t;
constexpr int REGS = 2;
#define mma mma_m16n8k16_f16_f16
#define store_pair store_pair_f16
#endif

constexpr int BM = 128, BN = 128, BK = 16;        // the block's tile
constexpr int WM = 64, WN = 32;                   // a warp's part of it
constexpr int WARPS_M = 2;                        // 2 warps down, 4 across
constexpr int MMAS_M = 4, MMAS_N = 4;             // mmas of a warp and step
constexpr int MMA_M = 16, MMA_N = 8;
constexpr int A_ROW = BK + PAD, B_ROW = BN + PAD, PAIR = REGS / 2;

extern "C" __global__ void __launch_bounds__(256)
hgemm_reference(const half* A, const half* B, half* C, int N, int K) {
    __shared__ alignas(16) half s_a[BM][A_ROW];
    __shared__ alignas(16) half s_b[BK][B_ROW];
    unsigned r_a[MMAS_M][4];
    unsigned r_b[MMAS_N][2];
    acc_t r_c[MMAS_M][MMAS_N][REGS];

    const unsigned thread = threadIdx.x;
    const unsigned warp = thread / 32, lane = thread % 32;
    const unsigned warp_m = warp % WARPS_M * WM, warp_n = warp / WARPS_M * WN;
    const unsigned block_m = blockIdx.y * BM, block_n = blockIdx.x * BN;

    // The 16 bytes that this thread copies in every step:
    // 2 threads a row of A's tile, 16 threads a row of B's.
    const unsigned a_row = thread / 2, a_col = thread % 2 * 8;
    const unsigned b_row = thread / 16, b_col = thread % 16 * 8;

    for (int i = 0; i < MMAS_M; ++i)
        for (int j = 0; j < MMAS_N; ++j)
            for (int reg = 0; reg < REGS; ++reg)
                r_c[i][j][reg] = 0;

    const half* from_a = &A[size_t(block_m + a_row) * K + a_col];
    const half* from_b = &B[size_t(b_row) * N + block_n + b_col];
    const size_t a_step = BK, b_step = size_t(BK) * N;
    #pragma unroll 1
    for (int k = 0; k < K; k += BK) {
        // Global to shared: columns k to k + 15 of A, rows k to k + 15 of B.
        copy16(&s_a[a_row][a_col], from_a);
        copy16(&s_b[b_row][b_col], from_b);
        // The tiles are whole before any warp reads them.
        __syncthreads();

        // Shared to registers: each lane gives the address of one row.
        for (int i = 0; i < MMAS_M; ++i) {
            const half* a = &s_a[warp_m + i * MMA_M + lane % 16][lane / 16 * 8];
            ldmatrix_x4(r_a[i], a);
        }
        for (int j = 0; j < MMAS_N; ++j) {
            const half* b = &s_b[lane % 16][warp_n + j * MMA_N];
            ldmatrix_x2_trans(r_b[j], b);
        }

        // 16 mmas, each on 16x8 of C.
        for (int i = 0; i < MMAS_M; ++i)
            for (int j = 0; j < MMAS_N; ++j)
                mma(r_c[i][j], r_a[i], r_b[j]);
        // Every warp has read the tiles before any thread writes the next.
        __syncthreads();
        from_a += a_step;
        from_b += b_step;
    }

    // Registers to global. In an mma's 16x8 a lane holds two neighbours
    // in row lane / 4, and two below them, in row lane / 4 + 8.
    const unsigned row = block_m + warp_m + lane / 4;
    const unsigned col = block_n + warp_n + lane % 4 * 2;
    for (int i = 0; i < MMAS_M; ++i)
        for (int j = 0; j < MMAS_N; ++j)
            for (int below = 0; below < 2; ++below) {
                half* c = &C[size_t(row + i * MMA_M + below * 8) * N + col + j * MMA_N];
                store_pair(c, &r_c[i][j][below * PAIR]);
            }
}
