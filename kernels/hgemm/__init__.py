"""The ladder of kernels, one module a rung. The table knows what each asks of its inputs, and imports no numba."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

from lanes.tiling import REFERENCE, Tiling

STATIC_SMEM_BYTES = 48 * 1024  # what a block may declare with cuda.shared.array on every architecture
MAX_N = 2**27 - 128  # a step of 16 rows of B, in bytes, is a 32-bit number
MAX_GRID_Y = 65_535  # CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"
ACCS = ("f16", "f32")


@dataclass(frozen=True)
class Hgemm:
    """One kernel: `module` has ``make(acc, pad)``, the Python function of the kernel, and ``LAUNCH_BOUNDS``."""

    name: str
    module: str
    tiling: Tiling

    def import_module(self) -> Any:
        """The module, and with it numba: fixes the backend of the process."""
        return importlib.import_module(self.module)

    def grid(self, m: int, n: int) -> tuple[int, int]:
        """Blocks along N and M."""
        bm, bn, _ = self.tiling.block
        return n // bn, m // bm


KERNELS = {"reference": Hgemm("reference", "kernels.hgemm.reference", REFERENCE)}


def get(kernel: object) -> Hgemm:
    """The kernel of that name. Raises ValueError, with the names there are, for another.

    >>> get("reference").grid(256, 512)
    (4, 2)
    """
    if not isinstance(kernel, str) or kernel not in KERNELS:
        raise ValueError(f"kernel is {kernel!r}; there is {', '.join(KERNELS)}")
    return KERNELS[kernel]


def check_options(kernel: object, acc: object, pad: object) -> Hgemm:
    """The kernel of that name, once `acc` and `pad` fit it. Raises ValueError, naming the argument, otherwise."""
    hgemm = get(kernel)
    if not isinstance(acc, str) or acc not in ACCS:
        raise ValueError(f"acc is {acc!r}; the accumulator is {' or '.join(map(repr, ACCS))}")
    if isinstance(pad, bool) or not isinstance(pad, int) or pad < 0 or pad % 8:
        raise ValueError(
            f"pad is {pad!r}; wanted a plain int, 0 or a multiple of 8 elements (rows start on 16 bytes)"
        )
    smem = hgemm.tiling.smem_bytes(pad)
    if smem > STATIC_SMEM_BYTES:
        raise ValueError(
            f"pad is {pad}: the tiles then take {smem:,} bytes of shared memory, and a block has {STATIC_SMEM_BYTES:,}"
        )
    return hgemm


def check_size(hgemm: Hgemm, m: int, n: int, k: int) -> None:
    """Raise ValueError, naming the size, unless the kernel's tiles cover M, N and K exactly and the grid fits."""
    bm, bn, bk = hgemm.tiling.block
    for name, size, block in (("M", m, bm), ("N", n, bn), ("K", k, bk)):
        if size % block:
            raise ValueError(f"{name} is {size}; the {hgemm.name} kernel wants a multiple of {block}")
    if n > MAX_N:
        raise ValueError(f"N is {n}; the {hgemm.name} kernel takes at most {MAX_N} columns")
    if m // bm > MAX_GRID_Y:
        raise ValueError(f"M is {m}; the {hgemm.name} kernel takes at most {MAX_GRID_Y * bm} rows")
