// A word to the compilers about a loop, in the form of a function.
#pragma once

// Called first in a loop's body, on its counter, this keeps one copy of the body: what #pragma unroll 1 does in C++.
// It returns the counter unchanged. NVVM cannot see that, so it cannot count the trips and does not unroll; the pragma in
// the text is for ptxas. PTX ISA, "Pragma Strings: nounroll".
__device__ __forceinline__ int rolled(int counter) {
    int same;
    asm volatile(".pragma \"nounroll\"; mov.b32 %0, %1;" : "=r"(same) : "r"(counter));
    return same;
}
