"""Load an image, a cubin or PTX, and launch the kernel in it: for kernels that numba's dispatcher does not launch.

Those are the C++ twin, and a kernel compiled for another architecture than this GPU's.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from cuda.bindings import driver

from kernels.adapter import cuda


class Image:
    """A loaded image, and the one kernel in it. It lives in numba's context for the current GPU.

    Raises RuntimeError if the driver refuses the image; it compiles PTX here.
    """

    def __init__(self, image: bytes, kernel: str) -> None:
        cuda.current_context()
        self.image = image + b"\0"
        self.module = _checked(driver.cuModuleLoadData(self.image))
        self.function = _checked(driver.cuModuleGetFunction(self.module, kernel.encode()))

    def launch(self, grid: tuple[int, int], threads: int, values: list[Any]) -> None:
        """Queue the kernel on the default stream. `values` are ctypes scalars, in the order of its parameters."""
        packed = (tuple(value.value or 0 for value in values), tuple(type(value) for value in values))
        _checked(driver.cuLaunchKernel(self.function, *grid, 1, threads, 1, 1, 0, 0, packed, 0))


def pointer(array: Any) -> ctypes.c_void_p:
    """A device array as C++ takes it: the address of its first element."""
    return ctypes.c_void_p(array.__cuda_array_interface__["data"][0])


def numba_array(array: Any) -> list[Any]:
    """A C-contiguous device array as a numba kernel takes it: owner, parent, size, item size, data, shape, strides.

    Source: numba, ``ArrayModel`` in `numba/core/datamodel/models.py`; owner and parent are null on the GPU.
    """
    interface = array.__cuda_array_interface__
    shape, itemsize = interface["shape"], np.dtype(interface["typestr"]).itemsize
    strides = [int(np.prod(shape[axis + 1 :])) * itemsize for axis in range(len(shape))]
    sizes = [int(np.prod(shape)), itemsize]
    words = [ctypes.c_int64(number) for number in [*sizes, *shape, *strides]]
    return [ctypes.c_void_p(None), ctypes.c_void_p(None), *words[:2], pointer(array), *words[2:]]


def _checked(result: tuple[Any, ...]) -> Any:
    error, *values = result
    if int(error) != 0:
        raise RuntimeError(f"the driver answered {error.name}")
    return values[0] if values else None
