"""Two kernels in which each thread of a block works out where it stands: its number once unsigned, once signed.

They write the same. What the compiler makes of them can differ, since `//` and `%` of signed numbers follow Python's
floor rule, and that takes instructions where nothing says that a number is never negative.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from kernels import backend, inspect
from kernels.adapter import cuda, i32, types, u32
from kernels.hgemm.reference import WARPS_M

# A process that simulates cannot compile: this is what it has another one do.
COMPILE = """
import json, sys
from kernels import backend
backend.fix("compile")
from kernels.places import instructions
print(json.dumps(instructions(*sys.argv[1:])))
"""


def place_unsigned(places: Any) -> None:
    """Write (warp, lane, warp_m, warp_n) to the thread's row of `places`, (threads, 4) int32."""
    thread = u32(cuda.threadIdx.x)
    warp, lane = thread // 32, thread % 32
    places[thread, 0] = warp
    places[thread, 1] = lane
    places[thread, 2] = warp % WARPS_M
    places[thread, 3] = warp // WARPS_M


def place_signed(places: Any) -> None:
    """Do the same with a signed number."""
    thread = i32(cuda.threadIdx.x)
    warp, lane = thread // 32, thread % 32
    places[thread, 0] = warp
    places[thread, 1] = lane
    places[thread, 2] = warp % WARPS_M
    places[thread, 3] = warp // WARPS_M


def instructions(*archs: str) -> dict[str, dict[str, int]]:
    """Return how many SASS instructions each kernel has up to its end, by architecture and the kernel's name.

    No GPU is needed. Raises ValueError for an architecture there is not, and RuntimeError, with the tool's own words,
    if the toolkit fails.
    """
    for arch in archs:
        inspect.check_arch(arch)
    if backend.fixed() in ("gpu", "compile"):
        kernels = place_unsigned, place_signed
        return {arch: {kernel.__name__: _count(kernel, arch) for kernel in kernels} for arch in archs}
    done = subprocess.run(
        [sys.executable, "-c", COMPILE, *archs], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"compiling for {', '.join(archs)} failed: {done.stderr.strip()}")
    counts: dict[str, dict[str, int]] = json.loads(done.stdout)
    return counts


def _count(kernel: Any, arch: str) -> int:
    from kernels import toolchain

    places = types.Array(types.int32, 2, "C")
    cubin, _ = toolchain.link(toolchain.ltoir(kernel, types.void(places), arch), arch)
    found = [name for line in toolchain.disassemble(cubin).splitlines() if (name := inspect.mnemonic(line))]
    return found.index("EXIT") + 1
