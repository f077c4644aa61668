"""What a caller hands to a kernel: NumPy arrays, or device arrays, which have `__cuda_array_interface__`."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from kernels.hgemm import check_size

if TYPE_CHECKING:
    from collections.abc import Callable

    from kernels.hgemm import Hgemm

ALIGN = 16  # bytes; the kernels copy 16 at a time


@dataclass(frozen=True)
class Operand:
    """One matrix as its owner describes it; `device` is the GPU's number, or None in host memory."""

    name: str
    value: Any
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    contiguous: bool
    address: int
    device: int | None


def describe(name: str, value: Any, device_of: Callable[[int], int]) -> Operand:
    """`value` as an operand; `device_of` tells which GPU an address belongs to.

    Raises TypeError if it is neither a NumPy array nor a device array.
    """
    if isinstance(value, np.ndarray) and not isinstance(value, np.ma.MaskedArray):
        host = np.asarray(value)
        return Operand(name, host, host.shape, host.dtype, host.flags.c_contiguous, host.ctypes.data, None)
    try:
        interface = value.__cuda_array_interface__
        shape, dtype = tuple(interface["shape"]), np.dtype(interface["typestr"])
        strides, address = interface.get("strides"), interface["data"][0]
    except AttributeError:
        raise TypeError(
            f"{name} is a {_kind(value)}; wanted a NumPy array, or a device array (one with __cuda_array_interface__)"
        ) from None
    except (RuntimeError, TypeError, KeyError) as error:  # torch, of some tensors, or a broken one
        raise TypeError(
            f"{name} is a {_kind(value)} that cannot be read as a device array: {error}"
        ) from None
    dense = tuple(int(np.prod(shape[axis + 1 :])) * dtype.itemsize for axis in range(len(shape)))
    try:
        device = device_of(address) if address else 0
    except ValueError as error:
        raise ValueError(f"{name} is a {_kind(value)} whose GPU is not known: {error}") from None
    return Operand(name, value, shape, dtype, strides is None or tuple(strides) == dense, address, device)


def check(hgemm: Hgemm, a: Operand, b: Operand) -> None:
    """Raise one sentence, TypeError or ValueError, unless the kernel can multiply `a` by `b`."""
    for operand in (a, b):
        if operand.dtype != np.float16:
            dtype = getattr(operand.value, "dtype", operand.dtype)  # bfloat16, not the |V2 that stands for it
            raise TypeError(f"{operand.name} is {dtype}; the {hgemm.name} kernel wants float16")
        if len(operand.shape) != 2:
            raise ValueError(f"{operand.name} has shape {operand.shape}; wanted a matrix, with two sizes")
        if 0 in operand.shape:
            raise ValueError(f"{operand.name} has shape {operand.shape}; wanted sizes above zero")
    (m, k), (k_b, n) = a.shape, b.shape
    if k != k_b:
        raise ValueError(f"a has {k} columns and b has {k_b} rows; wanted the same K in both")
    check_size(hgemm, m, n, k)
    for operand in (a, b):
        if not operand.contiguous:
            raise ValueError(
                f"{operand.name} is not C-contiguous; wanted row-major with no gaps (np.ascontiguousarray)"
            )
        if operand.device is not None and operand.address % ALIGN:
            raise ValueError(
                f"{operand.name} does not start on a multiple of {ALIGN} bytes; wanted a fresh copy of it"
            )
    if (a.device is None) != (b.device is None):
        where = {True: "host memory", False: "device memory"}
        raise ValueError(
            f"a is in {where[a.device is None]} and b in {where[b.device is None]}; wanted both in the same place"
        )
    if a.device != b.device:
        raise ValueError(f"a is on GPU {a.device} and b on GPU {b.device}; wanted both on one GPU")


def empty_like_kind(a: Operand, shape: tuple[int, int], cuda: Any) -> Any:
    """An uninitialised float16 device array of `shape`, of the kind that `a` is: torch, CuPy, else numba's own."""
    library = _library(a)
    if library == "torch":
        return a.value.new_empty(shape)
    if library == "cupy":
        return sys.modules["cupy"].empty(shape, dtype=a.dtype)
    return cuda.device_array(shape, a.dtype)


def stream_of(a: Operand, cuda: Any) -> Any:
    """The stream that work on `a` is queued on: its library's current one, else numba's default."""
    library = _library(a)
    if library == "torch":
        return cuda.external_stream(sys.modules["torch"].cuda.current_stream(a.device).cuda_stream)
    if library == "cupy":
        return cuda.external_stream(sys.modules["cupy"].cuda.get_current_stream().ptr)
    return cuda.default_stream()


def _library(a: Operand) -> str:
    """The name of the package that the array's type comes from."""
    return type(a.value).__module__.partition(".")[0]


def _kind(value: Any) -> str:
    kind = type(value)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"
