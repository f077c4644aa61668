"""What the compiler made of a kernel: PTX, SASS, registers, for any architecture, on a machine with or without a GPU.

Compiling needs the real numba, so a process that simulates hands the work to another one.
"""

from __future__ import annotations

import functools
import json
import re
import subprocess
import sys
from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

from kernels import backend, hgemm

ARCHS = ("sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120")


@dataclass(frozen=True)
class Compiled:
    """One kernel for one architecture.

    ptx, sass: text; sass has one instruction a line, after its address. registers: 32-bit, a thread. Stack, spills and
    shared memory are in bytes: a thread's stack and spills, a block's shared memory. instructions: how many of each
    SASS mnemonic, as "HMMA.16816.F16".
    """

    kernel: str
    arch: str
    acc: str
    pad: int
    ptx: str
    sass: str
    registers: int
    stack_bytes: int
    spill_store_bytes: int
    spill_load_bytes: int
    shared_bytes: int
    instructions: dict[str, int]

    def resources(self) -> dict[str, object]:
        """Everything but the two listings."""
        return {name: value for name, value in asdict(self).items() if name not in ("ptx", "sass")}

    def count(self, mnemonic: str) -> int:
        """How many instructions there are whose mnemonic is or begins with `mnemonic`: "HMMA", "LDSM.16.M88.4"."""
        return sum(n for name, n in self.instructions.items() if f"{name}.".startswith(f"{mnemonic}."))


def check_arch(arch: object) -> str:
    """`arch` if it is one that kernels compile for. Raises ValueError, with those there are, otherwise.

    >>> check_arch("sm_90")
    'sm_90'
    """
    if arch not in ARCHS:
        raise ValueError(f"arch is {arch!r}; there is {', '.join(ARCHS)}")
    return str(arch)


@functools.cache
def compiled(kernel: str = "reference", *, arch: str, acc: str = "f16", pad: int = 0) -> Compiled:
    """Compile a kernel and disassemble it. No GPU is needed.

    Raises ValueError for a kernel, architecture, accumulator or padding there is not, and RuntimeError, with the tool's
    own words, if the toolkit fails.
    """
    hgemm.check_options(kernel, acc, pad)
    check_arch(arch)
    if backend.fixed() in ("gpu", "compile"):
        return _compile(kernel, arch, acc, pad)
    command = [
        sys.executable,
        "-m",
        "kernels",
        "inspect",
        kernel,
        "--arch",
        arch,
        "--acc",
        acc,
        "--pad",
        str(pad),
    ]
    done = subprocess.run([*command, "--what", "all"], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command[1:])} failed: {done.stderr.strip()}")
    return Compiled(**json.loads(done.stdout))


def mnemonic(line: str) -> str | None:
    """The mnemonic in a line of `disassemble`, without its predicate; None for a label.

    >>> mnemonic("0a90  @P0 HMMA.16816.F16 R32, R20, R42, R32")
    'HMMA.16816.F16'
    """
    found = re.match(r"[0-9a-f]{4,}  (?:@!?U?P\w+ )?([A-Z][\w.]*)", line)
    return found[1] if found else None


def ptxas_report(log: str) -> dict[str, int]:
    """The numbers in ptxas's report on one kernel, under the names that `Compiled` gives them.

    Raises RuntimeError if there is no report: a number that nobody read must not pass for 0.

    >>> spills = "ptxas . 8 bytes stack frame, 0 bytes spill stores, 4 bytes spill loads"
    >>> ptxas_report(spills + " ptxas info : Used 64 registers, 8192 bytes smem")["spill_load_bytes"]
    4
    """
    read = re.search(
        r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads.*?Used (\d+) registers([^\n]*)",
        log,
        re.DOTALL,
    )
    if read is None:
        raise RuntimeError(f"the linker gave no report on registers and spills, only {log.strip()!r}")
    stack, stores, loads, registers = map(int, read.groups()[:4])
    shared = re.search(r"(\d+) bytes smem", read[5])  # not mentioned where there is none
    return {
        "registers": registers,
        "stack_bytes": stack,
        "spill_store_bytes": stores,
        "spill_load_bytes": loads,
        "shared_bytes": int(shared[1]) if shared else 0,
    }


def signature() -> Any:
    """The signature that every kernel of the ladder is compiled for: A, B, C, f16 and C-contiguous, and K."""
    from kernels.adapter import f16, types

    matrix = types.Array(f16, 2, "C")
    return types.void(matrix, matrix, matrix, types.int32)


def _compile(kernel: str, arch: str, acc: str, pad: int) -> Compiled:
    from kernels import toolchain

    module = hgemm.get(kernel).import_module()
    codes = toolchain.ltoir(module.make(acc, pad), signature(), arch, module.LAUNCH_BOUNDS)
    cubin, log = toolchain.link(codes, arch)
    sass = toolchain.disassemble(cubin)
    numbers = ptxas_report(log)
    counts = Counter(name for line in sass.splitlines() if (name := mnemonic(line)))
    ptx = toolchain.link(codes, arch, ptx=True)[0].decode().rstrip("\0")
    return Compiled(kernel, arch, acc, pad, ptx, sass, **numbers, instructions=dict(sorted(counts.items())))
