"""Ask the assembler whether an architecture has an instruction. No GPU is needed, and nothing is run."""

from __future__ import annotations

import re

from cuda.bindings import nvjitlink

from kernels.inspect import check_arch

# The registers that a line may name, as `lanes.Mma.ptx` does; .b32 goes with every type of 32 bits.
REGISTERS = ".reg .b32 %Ra<8>, %Rb<8>, %Rc<8>, %Rd<8>; .reg .b64 %La<2>;"
VERSIONS = {
    False: "7.8",
    True: "8.7",
}  # of PTX: the first that knows sm_90, and the first that knows all above it


def refusal(line: str, arch: str) -> str | None:
    """What ptxas has against one line of PTX for an architecture, in its own words; None if it takes the line.

    The line's registers are called %Ra0 to %Ra7, of 32 bits, and so are those of b, c and d; %La0 and %La1 have 64.

    Raises ValueError for an architecture there is not, and RuntimeError if ptxas fails without saying what is wrong.

    Source: nvJitLink API, "Linking", with PTX as the input.

    >>> from lanes import mma_row
    >>> line = mma_row("m16n8k16", "f16", "f32").ptx
    >>> refusal(line, "sm_80"), refusal(line, "sm_75")
    (None, "Feature '.m16n8k16' requires .target sm_80 or higher")
    """
    check_arch(arch)
    version = VERSIONS[int(arch.removeprefix("sm_")) > 90]
    head = f".version {version}\n.target {arch}\n.address_size 64\n"
    source = f"{head}.visible .entry one_line() {{\n{REGISTERS}\n{line}\nret;\n}}\n".encode()
    options = [f"-arch={arch}", "-no-cache"]
    handle = nvjitlink.create(len(options), options)
    try:
        nvjitlink.add_data(handle, nvjitlink.InputType.PTX, source, len(source), "line.ptx")
        nvjitlink.complete(handle)
    except nvjitlink.nvJitLinkError as error:
        log = bytearray(nvjitlink.get_error_log_size(handle))
        nvjitlink.get_error_log(handle, log)
        said = re.findall(r"error\s*: (.+)", log.decode().replace("\0", ""))
        if not said:
            raise RuntimeError(f"the assembler failed for {arch}: {error}") from None
        return "; ".join(dict.fromkeys(said))
    finally:
        nvjitlink.destroy(handle)
    return None
