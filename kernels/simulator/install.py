"""Put this scheduler under numba's simulator, and teach its `jit` the options that only a GPU needs."""

from __future__ import annotations

from typing import Any

from numba import cuda
from numba.cuda.simulator import kernel as numba_kernel

from kernels.simulator.block import Block
from kernels.simulator.module import SimulatedCuda

# Options of cuda.jit that shape GPU code and mean nothing here; the stock simulator rejects them.
GPU_ONLY = ("launch_bounds", "lto", "max_registers", "lineinfo", "link", "forceinline")


def install() -> None:
    """From now on every @cuda.jit kernel of this process runs under our scheduler. Call it once."""
    numba_kernel.BlockManager = Block
    numba_kernel.FakeCUDAModule = SimulatedCuda
    stock = cuda.jit

    def jit(func_or_sig: Any = None, **options: Any) -> Any:
        return stock(func_or_sig, **{name: value for name, value in options.items() if name not in GPU_ONLY})

    cuda.jit = jit
