"""Where kernels run in this process: on the GPU, in the simulator, or not at all (compiled for inspection).

Numba reads its simulator switch once, when it is imported. So the choice is made here, before that import, and holds
for the life of the process; whoever needs the other one starts another process.
"""

from __future__ import annotations

import ctypes
import os
import sys
from typing import Any

CHOICES = ("gpu", "simulator")
_fixed: str | None = None
_found = os.environ.get("NUMBA_ENABLE_CUDASIM")  # as the user set it


class BackendError(RuntimeError):
    """The wanted backend cannot be had in this process; the message says why and what to do."""


def fix(wanted: str | None = None) -> str:
    """Fix the backend of this process and return it: ``"gpu"``, ``"simulator"`` or ``"compile"``.

    `wanted` None means: what ``LANES_BACKEND`` says, else the simulator if ``NUMBA_ENABLE_CUDASIM`` asks for it, else
    the GPU if the driver has one, else the simulator. ``"compile"`` is the real compiler with no launch, for
    `kernels.inspect`. Raises `BackendError` when the process already has another one, or no GPU is there.

    >>> fix() == fix()
    True
    """
    global _fixed
    if wanted not in (None, "compile", *CHOICES):
        raise BackendError(f"backend is {wanted!r}; there is {', '.join(CHOICES)}, compile")
    wanted = wanted or _asked()
    if _fixed is not None:
        if wanted in (None, _fixed):
            return _fixed
        raise BackendError(
            f"backend {wanted!r} was asked for, and this process already uses {_fixed!r}: "
            "the choice holds until the process ends, so restart it (or the notebook's kernel) with the other one"
        )
    if wanted is None:
        wanted = "gpu" if gpu_count() else "simulator"
    if wanted == "gpu" and not gpu_count():
        raise BackendError(
            "LANES_BACKEND=gpu asks for a GPU, and the driver reports none: unset it, or set LANES_BACKEND=simulator"
        )
    _switch_numba(simulated=wanted == "simulator")
    _fixed = wanted
    return wanted


def simulated() -> bool:
    """Whether this process simulates: fixes the backend if nothing has yet."""
    return (_fixed or fix()) == "simulator"


def fixed() -> str | None:
    """The backend of this process if it is fixed already, else None."""
    return _fixed


def import_numba() -> Any:
    """Numba with its CUDA target, imported only once the backend is fixed."""
    fix(_fixed)
    import numba.cuda

    # Numba has read its switch. A process that this one starts shall make its own choice.
    if _found is None:
        os.environ.pop("NUMBA_ENABLE_CUDASIM", None)
    else:
        os.environ["NUMBA_ENABLE_CUDASIM"] = _found
    return numba


def describe() -> str:
    """One line that says which backend is in use, for the head of a run or a page.

    >>> describe().split(":")[0]
    'backend'
    """
    if simulated():
        return "backend: simulator (no GPU: the same kernel source, thread by thread in Python)"
    from numba import cuda

    device = cuda.get_current_device()
    name = device.name.decode() if isinstance(device.name, bytes) else device.name
    return f"backend: gpu ({name}, sm_{device.compute_capability[0]}{device.compute_capability[1]})"


def gpu_count() -> int:
    """How many GPUs the CUDA driver reports; 0 when there is no driver. Asks the driver, not numba."""
    driver = cuda_driver()
    count = ctypes.c_int(0)
    if driver is None or driver.cuInit(0) != 0 or driver.cuDeviceGetCount(ctypes.byref(count)) != 0:
        return 0
    return count.value


def cuda_driver() -> ctypes.CDLL | None:
    """The CUDA driver's library, or None where none is installed."""
    name = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"
    try:
        return ctypes.CDLL(name)
    except OSError:
        return None


def _asked() -> str | None:
    """What the environment asks for; raises when it contradicts itself."""
    asked = os.environ.get("LANES_BACKEND") or None
    if asked is not None and asked not in CHOICES:
        raise BackendError(f"LANES_BACKEND is {asked!r}, and it takes {' or '.join(CHOICES)}")
    if _fixed is None and os.environ.get("NUMBA_ENABLE_CUDASIM", "0") not in ("", "0"):
        if asked == "gpu":
            raise BackendError(
                "LANES_BACKEND=gpu and NUMBA_ENABLE_CUDASIM=1 contradict each other: unset one of them"
            )
        return "simulator"
    return asked


def _switch_numba(*, simulated: bool) -> None:
    """Set numba's own switch, or raise if numba was imported with it the other way."""
    config = sys.modules.get("numba.core.config")
    if config is not None and bool(config.ENABLE_CUDASIM) != simulated:
        now, other = (
            ("the simulator", "real GPU code")
            if config.ENABLE_CUDASIM
            else ("real GPU code", "the simulator")
        )
        raise BackendError(
            f"numba was already imported for {now}, and {other} is wanted: import kernels before numba, "
            "or set LANES_BACKEND and NUMBA_ENABLE_CUDASIM before Python starts"
        )
    os.environ["NUMBA_ENABLE_CUDASIM"] = "1" if simulated else "0"
    # One block at a time is how this book looks at a kernel; the warning about small grids is meant for others.
    os.environ.setdefault("NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS", "0")
