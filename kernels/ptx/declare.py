"""Declare a CUDA C++ device function to numba, beside the Python twin that the simulator runs in its place.

The C++ stands in a `.cuh` file and is plain: `baseline/reference.cu` includes the same file. What numba's calling
convention wants, a result by pointer and a status as the return value, is a line written around it here.
"""

from __future__ import annotations

import functools
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kernels.adapter import SIMULATED, cuda, types

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).parent
_wrappers: dict[str, list[str]] = {}  # for each source, the functions that numba calls


# What numba calls the C++ types that are not pointers; every pointer is an untyped one to numba.
SCALARS = {"int": types.int32}


def warp_function(source: str, *parameters: str) -> Callable[[Callable[..., None]], Any]:
    """A function that all 32 lanes of a warp call together.

    `source` is the `.cuh` file and `parameters` are the C++ types of the function's parameters. The twin is called once
    a warp, with a list of 32 arguments for each parameter, in lane order.
    """
    return _declare(source, parameters, None, _meet)


def thread_function(source: str, *parameters: str, returns: str | None = None) -> Callable[[Any], Any]:
    """A function that every thread calls for itself; its twin takes and returns what one thread does."""
    return _declare(source, parameters, returns, lambda twin: twin)


def everything() -> str:
    """The CUDA C++ of all the functions declared so far, as one source."""
    return "".join((HERE / source).read_text() + "".join(lines) for source, lines in _wrappers.items())


def _declare(
    source: str, parameters: tuple[str, ...], returns: str | None, simulate: Callable[[Any], Any]
) -> Callable[[Any], Any]:
    def declare(twin: Callable[..., Any]) -> Any:
        if SIMULATED:
            return simulate(twin)
        name = twin.__name__
        wrapper = _numba_abi(name, parameters, returns)
        _wrappers.setdefault(source, []).append(wrapper)
        code = cuda.CUSource((HERE / source).read_text() + wrapper, name=f"{name}.cu")
        arguments = [SCALARS.get(kind, types.voidptr) for kind in parameters]
        return cuda.declare_device(_symbol(name), SCALARS[returns or "int"](*arguments), link=code)

    return declare


def _symbol(name: str) -> str:
    return f"numba_{name}"


def _numba_abi(name: str, parameters: tuple[str, ...], returns: str | None) -> str:
    """The C++ function that numba calls: it writes the result through a pointer, and returns 0 for "no exception".

    Numba knows no function without a result; where there is none, it is an int that nobody writes or reads.
    """
    declared = ", ".join(f"{kind} a{i}" for i, kind in enumerate(parameters))
    passed = ", ".join(f"a{i}" for i in range(len(parameters)))
    head = f'extern "C" __device__ int {_symbol(name)}({returns or "int"}* result, {declared})'
    return f"\n{head} {{ {'*result = ' if returns else ''}{name}({passed}); return 0; }}\n"


def _meet(twin: Callable[..., None]) -> Callable[..., None]:
    from kernels.simulator.module import warp_instruction

    def together(arguments: list[Any]) -> list[Any]:
        twin(*map(list, zip(*arguments, strict=True)))
        return [None] * len(arguments)

    @functools.wraps(twin)
    def call(*pointers: Any) -> None:
        warp_instruction(twin.__name__, together, pointers, sys._getframe(1))

    return call
