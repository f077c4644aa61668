"""The door: `matmul` checks what it is given, then launches a kernel on the backend of the process."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from kernels import doctor, hgemm, operands
from kernels.adapter import SIMULATED, cuda
from kernels.backend import BackendError


def matmul(a: Any, b: Any, *, kernel: str = "reference", acc: str = "f16", pad: int = 0) -> Any:
    """C = A @ B by one of the kernels of this book.

    a: (M, K) and b: (K, N), float16, C-contiguous, both NumPy arrays or both device arrays on one GPU (torch, CuPy,
    numba, anything with `__cuda_array_interface__`). M, N and K are multiples of the kernel's tile: 128, 128 and 16
    for "reference".
    acc: the accumulator of the mma, "f16" or "f32". pad: elements added to each row of the tiles in shared memory, a
    multiple of 8; it changes bank conflicts, never the result.

    Returns C (M, N), float16, rounded once when it is stored, as the same kind as `a`: a new NumPy array, a torch
    tensor, a CuPy array, else a numba device array. NaN and Inf go through as in NumPy.

    Raises ValueError or TypeError, before anything is launched, with one sentence that names the argument, what it was
    and what is wanted; `kernels.backend.BackendError` if the backend cannot run it.

    >>> A, B = np.eye(128, 16, dtype=np.float16), np.ones((16, 128), np.float16)
    >>> C = matmul(A, B)
    >>> bool((C == A @ B).all()), C.dtype
    (True, dtype('float16'))
    """
    chosen = hgemm.check_options(kernel, acc, pad)
    left, right = (operands.describe(name, value, _device_of) for name, value in (("a", a), ("b", b)))
    operands.check(chosen, left, right)
    if SIMULATED and left.device is not None:
        raise BackendError(
            "a and b are device arrays, and the backend is the simulator: give NumPy arrays, or LANES_BACKEND=gpu"
        )
    if not SIMULATED:
        doctor.require_gpu(left.device or 0)
    if left.device is None:
        C = cuda.device_array((left.shape[0], right.shape[1]), left.dtype)
        launch(chosen, acc, pad, cuda.to_device(left.value), cuda.to_device(right.value), C)
        return C.copy_to_host()
    with cuda.gpus[left.device]:
        C = operands.empty_like_kind(left, (left.shape[0], right.shape[1]), cuda)
        launch(chosen, acc, pad, left.value, right.value, C, operands.stream_of(left, cuda))
    return C


def launch(chosen: hgemm.Hgemm, acc: str, pad: int, a: Any, b: Any, c: Any, stream: Any = 0) -> None:
    """Queue the kernel on arrays that it can take as they are. Nothing is checked here."""
    grid = chosen.grid(a.shape[0], b.shape[1])
    compiled(chosen, acc, pad)[grid, chosen.tiling.threads, stream](a, b, c, np.int32(a.shape[1]))


@functools.cache
def compiled(chosen: hgemm.Hgemm, acc: str, pad: int) -> Any:
    """The kernel as numba's dispatcher; it compiles at the first launch."""
    module = chosen.import_module()
    return cuda.jit(launch_bounds=module.LAUNCH_BOUNDS)(module.make(acc, pad))


def _device_of(address: int) -> int:
    """The GPU that an address belongs to."""
    if SIMULATED:
        return 0  # a device array in the simulator is refused whatever its GPU
    from cuda.bindings import driver

    attribute = driver.CUpointer_attribute.CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL
    error, device = driver.cuPointerGetAttribute(attribute, address)
    if int(error) != 0:
        raise ValueError(f"the driver knows nothing at its address {address:#x} ({error.name})")
    return int(device)
