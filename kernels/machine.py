"""What this machine has for the kernels: driver, GPUs, packages, the parts of the toolkit.

It is read through ctypes and package metadata, so that it can be read where numba does not import.
"""

from __future__ import annotations

import ctypes
import importlib
import importlib.metadata
import os
import platform
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from kernels import backend

Version = tuple[int, int]

PACKAGES = ("numba", "numba-cuda", "numpy", "ml_dtypes", "cuda-bindings", "cuda-core", "greenlet")


class Gpu(NamedTuple):
    """A GPU as the driver describes it; shared memory is the most that a block may ask for, in bytes."""

    name: str
    capability: Version
    shared_bytes: int


@dataclass(frozen=True)
class Machine:
    """What `examine` read. A version is None where the thing is missing."""

    python: str = platform.python_version()
    system: str = platform.platform(terse=True)
    driver: Version | None = None  # the CUDA version that the driver supports
    gpus: tuple[Gpu, ...] = ()
    packages: dict[str, str | None] = field(default_factory=dict)
    toolkit: dict[str, Version | None] = field(default_factory=dict)  # nvrtc, nvjitlink, nvvm
    asked: str | None = None  # LANES_BACKEND
    cudasim: bool = False  # NUMBA_ENABLE_CUDASIM


def examine() -> Machine:
    """Read this machine. Nothing is raised: what cannot be read is missing.

    >>> examine().packages["numpy"] is None
    False
    """
    return Machine(
        driver=_driver_version(),
        gpus=tuple(_gpu(i) for i in range(backend.gpu_count())),
        packages={name: _package(name) for name in PACKAGES},
        toolkit={"nvrtc": _nvrtc(), "nvjitlink": _nvjitlink(), "nvvm": _nvvm()},
        asked=os.environ.get("LANES_BACKEND") or None,
        cudasim=os.environ.get("NUMBA_ENABLE_CUDASIM", "0") not in ("", "0"),
    )


def version_of(text: str) -> Version:
    """The first two numbers of a release.

    >>> version_of("0.30.4")
    (0, 30)
    """
    major, minor = text.split(".")[:2]
    return int(major), int(minor)


def _driver_version() -> Version | None:
    driver, number = backend.cuda_driver(), ctypes.c_int(0)
    if driver is None or driver.cuDriverGetVersion(ctypes.byref(number)) != 0:
        return None
    return number.value // 1000, number.value % 1000 // 10


def _gpu(index: int) -> Gpu:
    driver = backend.cuda_driver()
    assert driver is not None
    name, device = ctypes.create_string_buffer(256), ctypes.c_int(0)
    driver.cuDeviceGet(ctypes.byref(device), index)
    driver.cuDeviceGetName(name, len(name), device)

    def attribute(number: int) -> int:  # CUDA driver API, CUdevice_attribute
        value = ctypes.c_int(0)
        driver.cuDeviceGetAttribute(ctypes.byref(value), number, device)
        return value.value

    return Gpu(name.value.decode(), (attribute(75), attribute(76)), attribute(97))


def _package(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _nvrtc() -> Version | None:
    return _read("nvrtc", lambda lib: _checked(lib.nvrtcVersion()))


def _nvjitlink() -> Version | None:
    return _read("nvjitlink", lambda lib: lib.version())


def _nvvm() -> Version | None:
    """The toolkit's version: NVVM's own number is that of its IR, so ask the package that brought it."""
    if _read("nvvm", lambda lib: lib.version()) is None:
        return None
    for package in ("nvidia-nvvm", "nvidia-cuda-nvcc-cu12", "nvidia-cuda-nvcc"):
        if (version := _package(package)) is not None:
            return version_of(version)
    return _nvrtc()


def _read(library: str, version: Any) -> Version | None:
    try:
        major, minor = version(importlib.import_module(f"cuda.bindings.{library}"))[:2]
    except Exception:  # whatever keeps it from loading, it is not there for us
        return None
    return int(major), int(minor)


def _checked(result: tuple[Any, ...]) -> tuple[Any, ...]:
    return result[1:]
