"""`rolled`: keep one copy of a loop's body, as ``#pragma unroll 1`` does in C++."""

from __future__ import annotations

from kernels.ptx.declare import thread_function


@thread_function("loop.cuh", "int", returns="int")
def rolled(counter: int) -> int:
    """The counter as it is. Call it first in a loop's body: ``k = rolled(k)``."""
    return counter
