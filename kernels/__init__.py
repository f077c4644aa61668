"""The kernels of Lane by Lane: numba.cuda with inline PTX, on a GPU and, from the same source, in a simulator.

`kernels.matmul` is the door. It is imported when first used, because importing numba fixes the backend of the
process (see `kernels.backend`) and some tools here must work before that, or with a numba that does not import.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kernels.door import matmul

__all__ = ["matmul"]


def __getattr__(name: str) -> Any:
    if name == "matmul":
        from kernels.door import matmul

        return matmul
    raise AttributeError(f"module 'kernels' has no attribute {name!r}")
