"""numba.cuda as this project uses it: one place for what differs between its releases and between GPU and simulator.

Importing this module fixes the backend of the process (see `kernels.backend`). Kernels take `cuda` from here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels import backend

SIMULATED = backend.simulated()
numba = backend.import_numba()
cuda, types = numba.cuda, numba.types
f16, f32 = types.float16, types.float32
uint16, uint32 = types.uint16, types.uint32

if SIMULATED:
    from kernels.simulator.install import install

    install()

# A kernel's 32-bit integers. In the simulator they are Python's, which behave as numba's do where NumPy's would not:
# numba computes u32(0) - 2 as -2 and widens u32 * u32, NumPy warns at the first and wraps at the second.
u32: Any = int if SIMULATED else np.uint32
i32: Any = int if SIMULATED else np.int32

__all__ = ["SIMULATED", "cuda", "f16", "f32", "i32", "types", "u32", "uint16", "uint32"]
