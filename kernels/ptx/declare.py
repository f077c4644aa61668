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


def warp_function(source: str, *parameters: str) -> Callable[[Callable[..., None]], Any]:
    """A function that all 32 lanes of a warp call together.

    `source` is the `.cuh` file and `parameters` are the C++ types of the function's parameters, all pointers. The twin
    is called once a warp, with a list of 32 pointers for each parameter, in lane order.
    """
    return _declare(source, parameters, _meet)


def thread_function(source: str, *parameters: str) -> Callable[[Callable[..., None]], Any]:
    """A function that every thread calls for itself; its twin takes one pointer for each parameter."""
    return _declare(source, parameters, lambda twin: twin)


def everything() -> str:
    """The CUDA C++ of all the functions declared so far, as one source."""
    return "".join((HERE / source).read_text() + "".join(lines) for source, lines in _wrappers.items())


def _declare(
    source: str, parameters: tuple[str, ...], simulate: Callable[[Callable[..., None]], Any]
) -> Callable[[Callable[..., None]], Any]:
    def declare(twin: Callable[..., None]) -> Any:
        if SIMULATED:
            return simulate(twin)
        name = twin.__name__
        wrapper = _numba_abi(name, parameters)
        _wrappers.setdefault(source, []).append(wrapper)
        code = cuda.CUSource((HERE / source).read_text() + wrapper, name=f"{name}.cu")
        # Numba knows no function without a result: it is an int that nobody writes or reads.
        signature = types.int32(*[types.voidptr] * len(parameters))
        return cuda.declare_device(_symbol(name), signature, link=code)

    return declare


def _symbol(name: str) -> str:
    return f"numba_{name}"


def _numba_abi(name: str, parameters: tuple[str, ...]) -> str:
    """The C++ function that numba calls: the result comes by pointer, and 0 says that no exception was raised."""
    declared = ", ".join(f"{kind} a{i}" for i, kind in enumerate(parameters))
    passed = ", ".join(f"a{i}" for i in range(len(parameters)))
    return (
        f'\nextern "C" __device__ int {_symbol(name)}(int*, {declared}) {{ {name}({passed}); return 0; }}\n'
    )


def _meet(twin: Callable[..., None]) -> Callable[..., None]:
    from kernels.simulator.module import warp_instruction

    def together(arguments: list[Any]) -> list[Any]:
        twin(*map(list, zip(*arguments, strict=True)))
        return [None] * len(arguments)

    @functools.wraps(twin)
    def call(*pointers: Any) -> None:
        warp_instruction(twin.__name__, together, pointers, sys._getframe(1))

    return call
