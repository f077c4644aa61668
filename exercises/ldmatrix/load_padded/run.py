"""In the worker: a kernel of one warp around the reader's device function. Importing this fixes the backend."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from exercises.ldmatrix.load_padded import ROW, ROWS
from kernels.adapter import cuda, u32, uint16, uint32
from kernels.ptx import at, copy16

HALVES = ROWS * ROW
CHUNKS = HALVES // 8  # of 16 bytes


def run(answer: Callable[[Any, Any, Any], None], tile: npt.NDArray[Any]) -> list[npt.NDArray[Any]]:
    """Return what the four registers of the 32 lanes hold after the answer was called: (32, 4) uint32."""
    load = cuda.jit(device=True)(answer)

    def kernel(source: Any, out: Any) -> None:
        tile = cuda.shared.array(HALVES, uint16, alignment=16)
        registers = cuda.local.array(4, uint32)
        lane = u32(cuda.threadIdx.x)
        for chunk in range(lane, CHUNKS, 32):
            copy16(at(tile, (chunk * 8,)), at(source, (chunk * 8,)))
        for reg in range(4):
            registers[reg] = 0
        cuda.syncthreads()
        load(registers, tile, lane)
        for reg in range(4):
            out[lane, reg] = registers[reg]

    out = cuda.to_device(np.zeros((32, 4), np.uint32))
    cuda.jit(kernel)[1, 32](cuda.to_device(tile.reshape(-1)), out)
    return [out.copy_to_host()]
