"""Copies of one thread: 16 bytes from global to shared memory, and two neighbours of C from registers to global memory.

Addresses are on multiples of the bytes copied, as the hardware wants them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kernels.ptx.declare import thread_function

if TYPE_CHECKING:
    from kernels.simulator.memory import Pointer


@thread_function("copy.cuh", "void*", "const void*")
def copy16(to: Pointer, source: Pointer) -> None:
    """Copy 16 bytes, by one 128-bit load and one 128-bit store."""
    to.store(source.load(16, "copy16", align=16), "copy16", align=16)


@thread_function("copy.cuh", "void*", "const unsigned*")
def store_pair_f16(to: Pointer, pair: Pointer) -> None:
    """Store one register, two f16 accumulators, as the 4 bytes of two neighbours in a row of C."""
    to.store(pair.load(4, "store_pair_f16"), "store_pair_f16", align=4)


@thread_function("copy.cuh", "void*", "const float*")
def store_pair_f32(to: Pointer, pair: Pointer) -> None:
    """Round two f32 accumulators to f16, to nearest even, and store them as two neighbours in a row of C."""
    with np.errstate(over="ignore", invalid="ignore"):
        rounded = pair.load(8, "store_pair_f32").view(np.float32).astype(np.float16)
    to.store(rounded.view(np.uint8), "store_pair_f32", align=4)
