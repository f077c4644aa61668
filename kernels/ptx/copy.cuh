// Copies of one thread: 16 bytes from global to shared memory, and two neighbours of C from registers to global memory.
#pragma once

__device__ __forceinline__ void copy16(void* to, const void* from) {
    *static_cast<uint4*>(to) = *static_cast<const uint4*>(from);
}

// Two f16 accumulators share a register.
__device__ __forceinline__ void store_pair_f16(void* to, const unsigned* pair) {
    *static_cast<unsigned*>(to) = pair[0];
}

// Two f32 accumulators are rounded to f16 here, once, and packed: the first goes to the low half.
__device__ __forceinline__ void store_pair_f32(void* to, const float* pair) {
    unsigned packed;
    asm("{.reg .f16 low, high; cvt.rn.f16.f32 low, %1; cvt.rn.f16.f32 high, %2; mov.b32 %0, {low, high};}"
        : "=r"(packed) : "f"(pair[0]), "f"(pair[1]));
    *static_cast<unsigned*>(to) = packed;
}
