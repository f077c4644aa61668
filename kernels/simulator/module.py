"""The module `cuda` as a simulated kernel sees it: numba's own, with this scheduler's threads, memory and barriers."""

from __future__ import annotations

import linecache
import math
import re
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
from numba.core import types
from numba.cuda.simulator.kernelapi import FakeCUDAAtomic, FakeCUDAModule
from numba.np import numpy_support

from kernels.simulator.block import Meeting, current
from kernels.simulator.hazards import Watch
from kernels.simulator.memory import Array, Memory

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType


def warp_instruction(
    name: str, together: Callable[[list[Any]], list[Any]], argument: Any, frame: FrameType
) -> Any:
    """Meet the other lanes of the warp in `frame`, the kernel's, and return this lane's result."""
    return current().wait(Meeting(name, (frame.f_code, frame.f_lasti), together, argument, "warp"))


class SharedArrays:
    """`cuda.shared`: one array a call in the source, shared by the block, poisoned and watched for hazards."""

    def __init__(self, dynamic_bytes: int) -> None:
        self.dynamic_bytes = dynamic_bytes

    def array(self, shape: Any, dtype: Any, alignment: int | None = None) -> Array:
        """Shape 0 is the dynamic array: as many elements as the launch gave bytes for."""
        frame, thread, dtype = sys._getframe(1), current(), _numpy_dtype(dtype)
        dynamic = shape == 0
        shape = (self.dynamic_bytes // dtype.itemsize,) if dynamic else _as_shape(shape)
        site = "dynamic" if dynamic else (frame.f_code, frame.f_lasti)
        if site not in thread.block.arrays:
            nbytes = self.dynamic_bytes if dynamic else math.prod(shape) * dtype.itemsize
            watch = Watch(nbytes, thread.block.events, len(thread.block.warps))
            thread.block.arrays[site] = Memory.fresh(nbytes, watch)
            if not dynamic:
                thread.block.declare_shared(nbytes)
        align = 16 if dynamic else alignment or dtype.itemsize
        return Array(thread.block.arrays[site], 0, shape, dtype, _name(frame, "shared"), align, current)


class LocalArrays:
    """`cuda.local`: one array a thread and call in the source, poisoned. A block's lie side by side in one memory."""

    def array(self, shape: Any, dtype: Any, alignment: int | None = None) -> Array:
        """See numba's cuda.local.array."""
        frame, thread, dtype, shape = sys._getframe(1), current(), _numpy_dtype(dtype), _as_shape(shape)
        nbytes = math.prod(shape) * dtype.itemsize
        site = (frame.f_code, frame.f_lasti)
        if site not in thread.block.arrays:
            thread.block.arrays[site] = Memory.fresh(nbytes * math.prod(thread.block.block_dim))
        align = alignment or dtype.itemsize
        return Array(
            thread.block.arrays[site],
            nbytes * thread.index,
            shape,
            dtype,
            _name(frame, "local"),
            align,
            current,
        )


class Atomics:
    """`cuda.atomic`: numba's own, on arrays that note no hazard, since atomic operations order themselves."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        operation = getattr(FakeCUDAAtomic(), name)
        return lambda array, *rest: operation(array.unwatched(), *rest)


class SimulatedCuda(FakeCUDAModule):
    """What numba's simulator puts in the place of `cuda` in a kernel's globals while it runs."""

    def __init__(self, grid_dim: Any, block_dim: Any, dynshared_size: int) -> None:
        super().__init__(grid_dim, block_dim, dynshared_size)
        self._shared, self._local = SharedArrays(dynshared_size), LocalArrays()
        self._atomic = Atomics()

    @property
    def threadIdx(self) -> Any:
        """The thread's index in the block, x, y and z."""
        return current().threadIdx

    @property
    def blockIdx(self) -> Any:
        """The block's index in the grid, x, y and z."""
        return current().blockIdx

    @property
    def laneid(self) -> int:
        """The thread's lane in its warp, 0 to 31."""
        return current().lane

    def syncthreads(self) -> None:
        """Wait for all threads of the block that have not returned."""
        self._barrier("cuda.syncthreads()", lambda values: None)

    def syncthreads_count(self, value: Any) -> int:
        """Wait, and count the threads that gave a true value."""
        return int(self._barrier("cuda.syncthreads_count()", sum, bool(value)))

    def syncthreads_and(self, value: Any) -> int:
        """Wait, and say whether every thread gave a true value."""
        return int(self._barrier("cuda.syncthreads_and()", all, bool(value)))

    def syncthreads_or(self, value: Any) -> int:
        """Wait, and say whether any thread gave a true value."""
        return int(self._barrier("cuda.syncthreads_or()", any, bool(value)))

    def syncwarp(self, mask: int = 0xFFFFFFFF) -> None:
        """Wait for all 32 lanes of the warp; what they wrote before is seen after. Only the full mask is simulated."""
        if mask != 0xFFFFFFFF:
            raise ValueError(f"cuda.syncwarp: the simulator takes the full mask only, got {mask:#x}")
        thread = current()

        def order(values: list[Any]) -> list[Any]:
            thread.warp.barrier = len(thread.block.events.accesses)
            return values

        warp_instruction("cuda.syncwarp()", order, None, sys._getframe(1))

    def _barrier(self, name: str, reduce: Callable[[list[Any]], Any], value: Any = None) -> Any:
        def together(values: list[Any]) -> list[Any]:
            return [reduce(values)] * len(values)

        frame = sys._getframe(2)
        return current().wait(Meeting(name, (frame.f_code, frame.f_lasti), together, value, "block"))


def _numpy_dtype(dtype: Any) -> np.dtype[Any]:
    return np.dtype(numpy_support.as_dtype(dtype) if isinstance(dtype, types.Type) else dtype)


def _as_shape(shape: Any) -> tuple[int, ...]:
    return tuple(shape) if isinstance(shape, (tuple, list)) else (int(shape),)


def _name(frame: FrameType, space: str) -> str:
    """The name that the kernel's source gives the array: the left side of the assignment that `frame` is at."""
    line = linecache.getline(frame.f_code.co_filename, frame.f_lineno)
    assigned = re.match(r"\s*(\w+)\s*=", line)
    return assigned[1] if assigned else f"a {space} array"
