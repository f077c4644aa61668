"""What the compiler made of a kernel: PTX, SASS, registers, for any architecture, on a machine with or without a GPU.

Compiling needs the real numba, so a process that simulates hands the work to another one.
"""

from __future__ import annotations

import functools
import importlib.metadata
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kernels import backend, hgemm

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

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
    command = [sys.executable, "-m", "kernels", "inspect", kernel, "--arch", arch, "--acc", acc, "--pad", str(pad)]
    done = subprocess.run([*command, "--what", "all"], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command[1:])} failed: {done.stderr.strip()}")
    return Compiled(**json.loads(done.stdout))


def ltoir(function: Callable[..., None], signature: Any, capability: tuple[int, int], bounds: Any) -> list[bytes]:
    """A kernel's Python function and every device function that it calls, as LTO-IR for the linker."""
    from kernels.adapter import cuda

    codes, _ = cuda.compile_all(
        function, signature, cc=capability, output="ltoir", device=False, abi="numba", launch_bounds=bounds
    )
    return [code.code if hasattr(code, "code") else bytes(code) for code in codes]


def link(codes: list[bytes], arch: str, *, ptx: bool = False) -> tuple[bytes, str]:
    """Link LTO-IR to a cubin, or to PTX, for `arch`; return it with the log, which has ptxas's resource report.

    Source: nvJitLink API, "Linking".
    """
    from cuda.bindings import nvjitlink

    if ptx:
        options = [f"-arch={arch.replace('sm_', 'compute_')}", "-lto", "-ptx"]
    else:
        # On 9.0 numba, too, compiles for the variant that has wgmma.
        options = [f"-arch={arch}{'a' * (arch == 'sm_90')}", "-lto", "-verbose"]
    handle = nvjitlink.create(len(options), options)
    try:
        for number, code in enumerate(codes):
            nvjitlink.add_data(handle, nvjitlink.InputType.LTOIR, code, len(code), f"{number}.ltoir")
        try:
            nvjitlink.complete(handle)
        except nvjitlink.nvJitLinkError as error:
            log = _text(nvjitlink.get_error_log_size, nvjitlink.get_error_log, handle)
            raise RuntimeError(f"linking for {arch} failed: {log.decode().strip() or error}") from None
        read = (
            (nvjitlink.get_linked_ptx_size, nvjitlink.get_linked_ptx)
            if ptx
            else (nvjitlink.get_linked_cubin_size, nvjitlink.get_linked_cubin)
        )
        return _text(*read, handle), _text(nvjitlink.get_info_log_size, nvjitlink.get_info_log, handle).decode()
    finally:
        nvjitlink.destroy(handle)


def signature() -> Any:
    """The signature that every kernel of the ladder is compiled for: A, B, C, f16 and C-contiguous, and K."""
    from kernels.adapter import f16, types

    matrix = types.Array(f16, 2, "C")
    return types.void(matrix, matrix, matrix, types.int32)


def disassemble(cubin: bytes) -> str:
    """SASS of a cubin, one instruction a line after its address, labels on lines of their own. Runs nvdisasm."""
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin)
        file.flush()
        done = subprocess.run([_nvdisasm(), "-c", file.name], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"nvdisasm failed: {done.stderr.strip()}")
    lines = []
    for line in done.stdout.splitlines():
        if instruction := re.match(r"\s*/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;", line):
            lines.append(f"{instruction[1]}  {instruction[2]}")
        elif label := re.match(r"(\.L_x_\d+):", line):
            lines.append(f"{label[1]}:")
    return "\n".join(lines)


def mnemonic(line: str) -> str | None:
    """The mnemonic in a line of `disassemble`, without its predicate; None for a label.

    >>> mnemonic("0a90  @P0 HMMA.16816.F16 R32, R20, R42, R32")
    'HMMA.16816.F16'
    """
    found = re.match(r"[0-9a-f]{4,}  (?:@!?U?P\w+ )?([A-Z][\w.]*)", line)
    return found[1] if found else None


def _compile(kernel: str, arch: str, acc: str, pad: int) -> Compiled:
    module = hgemm.get(kernel).import_module()
    number = int(arch.removeprefix("sm_"))
    codes = ltoir(module.make(acc, pad), signature(), divmod(number, 10), module.LAUNCH_BOUNDS)
    cubin, log = link(codes, arch)
    sass = disassemble(cubin)
    # ptxas prints no shared memory where there is none, and so on.
    numbers = {
        name: int(found[1]) if (found := re.search(pattern, log)) else 0
        for name, pattern in {
            "registers": r"Used (\d+) registers",
            "stack_bytes": r"(\d+) bytes stack frame",
            "spill_store_bytes": r"(\d+) bytes spill stores",
            "spill_load_bytes": r"(\d+) bytes spill loads",
            "shared_bytes": r"(\d+) bytes smem",
        }.items()
    }
    counts = Counter(name for line in sass.splitlines() if (name := mnemonic(line)))
    ptx = link(codes, arch, ptx=True)[0].decode().rstrip("\0")
    return Compiled(kernel, arch, acc, pad, ptx, sass, **numbers, instructions=dict(sorted(counts.items())))


def _text(size: Callable[[int], int], read: Callable[[int, bytearray], None], handle: int) -> bytes:
    buffer = bytearray(size(handle))
    if buffer:
        read(handle, buffer)
    return bytes(buffer)


def _nvdisasm() -> str:
    """The disassembler: the one that pip installed beside us, else the one on the PATH."""
    try:
        for file in importlib.metadata.files("nvidia-cuda-nvdisasm") or ():
            if file.stem == "nvdisasm" and Path(file.locate()).is_file():
                return str(file.locate())
    except importlib.metadata.PackageNotFoundError:
        pass
    if found := shutil.which("nvdisasm"):
        return found
    raise RuntimeError("nvdisasm was not found; to get it: pip install nvidia-cuda-nvdisasm")
