"""NVRTC, NVVM, nvJitLink and nvdisasm: from source to a cubin, its resources and its SASS. None of it needs a GPU."""

from __future__ import annotations

import functools
import importlib.metadata
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cuda.bindings import nvjitlink, nvrtc

from kernels.adapter import cuda
from kernels.ptx import declare

if TYPE_CHECKING:
    from collections.abc import Callable


def ltoir(function: Callable[..., None], signature: Any, arch: str, launch_bounds: Any = None) -> list[bytes]:
    """A kernel's Python function and the device functions of `kernels.ptx`, as LTO-IR for `link`.

    The device functions come all together; the linker drops those that the kernel does not call.
    """
    capability = divmod(int(arch.removeprefix("sm_")), 10)
    kernel, _ = cuda.compile(
        function,
        signature,
        cc=capability,
        output="ltoir",
        device=False,
        abi="numba",
        launch_bounds=launch_bounds,
    )
    return [bytes(kernel), device_functions(arch)]


@functools.cache
def device_functions(arch: str) -> bytes:
    """Every device function of `kernels.ptx`, as one piece of LTO-IR.

    NVRTC is called directly: numba-cuda calls it through cuda-core, and the release that Colab ships asks the driver
    for its version on the way, which a machine without one cannot answer. Source: NVRTC, "Supported Compile Options".
    """
    program = _nvrtc(nvrtc.nvrtcCreateProgram(declare.everything().encode(), b"ptx.cu", 0, [], []))
    options = [
        f"--gpu-architecture={arch.replace('sm_', 'compute_')}",
        "-dlto",
        "--relocatable-device-code=true",
    ]
    (error,) = nvrtc.nvrtcCompileProgram(program, len(options), [option.encode() for option in options])
    if int(error) != 0:
        log = bytearray(_nvrtc(nvrtc.nvrtcGetProgramLogSize(program)))
        nvrtc.nvrtcGetProgramLog(program, log)
        raise RuntimeError(f"NVRTC failed for {arch}: {_words(log)}")
    code = bytearray(_nvrtc(nvrtc.nvrtcGetLTOIRSize(program)))
    _nvrtc(nvrtc.nvrtcGetLTOIR(program, code))
    nvrtc.nvrtcDestroyProgram(program)
    return bytes(code)


def link(codes: list[bytes], arch: str, *, ptx: bool = False) -> tuple[bytes, str]:
    """Link LTO-IR to a cubin, or to PTX, for `arch`; return it with the log, which has ptxas's resource report.

    Source: nvJitLink API, "Linking".
    """
    if ptx:
        options = [f"-arch={arch.replace('sm_', 'compute_')}", "-lto", "-ptx"]
    else:
        # sm_90a, as numba does: the variant that has wgmma. And no cache: what comes from it comes without a log.
        options = [f"-arch={arch}{'a' * (arch == 'sm_90')}", "-lto", "-verbose", "-no-cache"]
    handle = nvjitlink.create(len(options), options)
    try:
        try:
            for number, code in enumerate(codes):
                nvjitlink.add_data(handle, nvjitlink.InputType.LTOIR, code, len(code), f"{number}.ltoir")
            nvjitlink.complete(handle)
        except nvjitlink.nvJitLinkError as error:
            log = _text(nvjitlink.get_error_log_size, nvjitlink.get_error_log, handle)
            raise RuntimeError(f"linking for {arch} failed: {_words(log) or error}") from None
        read = (
            (nvjitlink.get_linked_ptx_size, nvjitlink.get_linked_ptx)
            if ptx
            else (nvjitlink.get_linked_cubin_size, nvjitlink.get_linked_cubin)
        )
        return _text(*read, handle), _text(
            nvjitlink.get_info_log_size, nvjitlink.get_info_log, handle
        ).decode()
    finally:
        nvjitlink.destroy(handle)


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


def _text(size: Callable[[int], int], read: Callable[[int, bytearray], None], handle: int) -> bytes:
    buffer = bytearray(size(handle))
    if buffer:
        read(handle, buffer)
    return bytes(buffer)


def _words(log: bytes | bytearray) -> str:
    """What a tool says in its log, without the zero bytes that end it in C."""
    return log.decode().replace("\0", "").strip()


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


def _nvrtc(result: tuple[Any, ...]) -> Any:
    error, *values = result
    if int(error) != 0:
        raise RuntimeError(f"NVRTC answered {error.name}")
    return values[0] if values else None
