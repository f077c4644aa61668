"""What the compiler makes of the kernels, for every architecture: the exact instructions, no stack, no spills.

Nothing here needs a GPU. Compiling needs the real numba, so each architecture has a process of its own.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import lanes
from kernels import backend, inspect

ROOT = Path(__file__).parents[2]
VARIANTS = [(acc, pad) for acc in ("f16", "f32") for pad in (0, 8)]
TURING = "sm_75"  # has m16n8k8 alone
READ = (TURING, "sm_90")  # where the probe's kernels are not only linked, but read

# Compile the reference kernel in all its variants, and the probe's kernels, for the architecture in argv[1].
# With a second argument, disassemble the probe's kernels, too: that takes longer than to compile them.
COMPILE = """
import json, sys
from dataclasses import asdict
from kernels import backend
backend.fix("compile")
from kernels import inspect, probe, toolchain
from kernels.adapter import types

arch, made, probes = sys.argv[1], {}, {}
for acc, pad in [(acc, pad) for acc in ("f16", "f32") for pad in (0, 8)]:
    made[f"{acc} {pad}"] = asdict(inspect.compiled(arch=arch, acc=acc, pad=pad))

def instructions(kernel, *arrays):
    signature = types.void(*(types.Array(dtype, ndim, "C") for dtype, ndim in arrays))
    codes = toolchain.ltoir(kernel, signature, arch)
    cubin, log = toolchain.link(codes, arch)
    sass = toolchain.disassemble(cubin).splitlines() if sys.argv[2:] else []
    ptx = toolchain.link(codes, arch, ptx=True)[0].decode()
    return {"mnemonics": [name for line in sass if (name := inspect.mnemonic(line))], "log": log, "ptx": ptx}

for num, trans in probe.LDMATRIX:
    kernel = probe.ldmatrix_kernel(num, trans)
    probes[f"ldmatrix x{num}{'.trans' * trans}"] = instructions(kernel, (types.uint16, 2), (types.uint32, 2))
for shape, acc, dtype in probe.MMA:
    out = types.uint32 if acc == "f16" else types.float32
    kernel = probe.mma_kernel(shape, acc, dtype)
    probes[f"mma {shape} {acc} {dtype}"] = instructions(kernel, (types.uint32, 3), (types.uint32, 2), (out, 3))
print(json.dumps({"made": made, "probes": probes}))
"""


def python(*words, code=0, **environment):
    """Run this Python on `words`, in the repository; return the finished process, whose exit code is `code`."""
    clean = {k: v for k, v in os.environ.items() if k not in ("LANES_BACKEND", "NUMBA_ENABLE_CUDASIM")}
    done = subprocess.run(
        [sys.executable, "-W", "error", *words],
        env=clean | environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stderr
    return done


def expected_instructions(arch, acc):
    """How many instructions of each kind the reference kernel has. Its loop over K stands there once."""
    tiling = lanes.REFERENCE
    mmas = tiling.mmas_m * tiling.mmas_n
    return {
        f"HMMA.16816.{acc.upper()}": mmas if arch != TURING else 0,
        f"HMMA.1688.{acc.upper()}": 2 * mmas if arch == TURING else 0,
        "HMMA": 2 * mmas if arch == TURING else mmas,
        "LDSM.16.M88.4": tiling.mmas_m,
        "LDSM.16.MT88.2": tiling.mmas_n,
        "LDSM": tiling.mmas_m + tiling.mmas_n,
        "BAR": 2,
        "LDG.E.128": 2,
        "LDG": 2,
        "STS.128": 2,
        "STS": 2,
        "STG": 2 * mmas,  # each mma leaves two pairs of C in a lane
        "LDL": 0,
        "STL": 0,
    }


def wanted_in_ptx(arch, acc):
    """What stands in the PTX, and how often."""
    mmas = lanes.REFERENCE.mmas_m * lanes.REFERENCE.mmas_n
    shape, times = ("m16n8k8", 2) if arch == TURING else ("m16n8k16", 1)
    other = "m16n8k16" if arch == TURING else "m16n8k8"
    return {
        f"mma.sync.aligned.{shape}.row.col.{acc}.f16.f16.{acc} ": times * mmas,
        f"mma.sync.aligned.{other}.": 0,
        "ldmatrix.sync.aligned.m8n8.x4.shared.b16 ": lanes.REFERENCE.mmas_m,
        "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 ": lanes.REFERENCE.mmas_n,
        "ldmatrix.sync": lanes.REFERENCE.mmas_m + lanes.REFERENCE.mmas_n,
        f".target {arch}": 1,
        ".maxntid 256": 1,
        ".local ": 0,
    }


def mma_in_ptx(name, arch):
    """The names of the mma that a probe's kernel has in PTX, in order."""
    shape, acc, dtype = name.split()[1:]
    if arch == TURING:
        shape, times = "m16n8k8", 0 if dtype == "bf16" else 2 if shape == "m16n8k16" else 1
    else:
        times = 1
    return [f"mma.sync.aligned.{shape}.row.col.{acc}.{dtype}.{dtype}.{acc}"] * times


def expected_probe(name, arch):
    """The instructions that a probe is about, and how often each stands in its kernel."""
    instruction, *kind = name.split()
    if instruction == "ldmatrix":
        num, trans = kind[0][1], kind[0].endswith(".trans")
        return ("LDSM", f"LDSM.16.M{'T' * trans}88{f'.{num}' if num != '1' else ''}", 1)
    shape, acc, dtype = kind
    suffix = ".BF16" * (dtype == "bf16")
    if dtype == "bf16" and arch == TURING:
        return ("HMMA", "", 0)  # products are added in f32: see test_bf16
    if shape == "m16n8k8" or arch == TURING:
        return ("HMMA", f"HMMA.1688.{acc.upper()}{suffix}", 2 if shape == "m16n8k16" else 1)
    return ("HMMA", f"HMMA.16816.{acc.upper()}{suffix}", 1)


@pytest.mark.parametrize("arch", inspect.ARCHS)
def test_what_the_compiler_makes(arch):
    answer = json.loads(python("-c", COMPILE, arch, *["read"] * (arch in READ)).stdout)
    assert list(answer["made"]) == [f"{acc} {pad}" for acc, pad in VARIANTS]
    for acc, pad in VARIANTS:
        made = inspect.Compiled(**answer["made"][f"{acc} {pad}"])
        variant = f"{arch} {acc} pad {pad}"
        assert (made.kernel, made.arch, made.acc, made.pad) == ("reference", arch, acc, pad)

        expected = expected_instructions(arch, acc)
        assert {name: made.count(name) for name in expected} == expected, variant
        wanted = wanted_in_ptx(arch, acc)
        assert {text: made.ptx.count(text) for text in wanted} == wanted, variant

        numbers = made.stack_bytes, made.spill_store_bytes, made.spill_load_bytes, made.shared_bytes
        assert numbers == (0, 0, 0, lanes.REFERENCE.smem_bytes(pad)), variant
        # 256 threads of at most 128 registers: two blocks fit an SM's 65,536.
        assert 32 < made.registers <= 128, variant

        listed = [inspect.mnemonic(line) for line in made.sass.splitlines()]
        assert {name: listed.count(name) for name in set(listed) - {None}} == made.instructions, variant
        assert made.resources().keys() == answer["made"][f"{acc} {pad}"].keys() - {"ptx", "sass"}

    assert len(answer["probes"]) == 12
    for name, probe in answer["probes"].items():
        family, mnemonic, times = expected_probe(name, arch)
        found = [one for one in probe["mnemonics"] if one.startswith(family)]
        assert found == [mnemonic] * times * (arch in READ), f"{arch} {name}"
        assert set(re.findall(r"(\d+) bytes (?:stack|spill)", probe["log"])) <= {"0"}, f"{arch} {name}"
        if name.startswith("mma"):
            assert re.findall(r"mma\.\S+", probe["ptx"]) == mma_in_ptx(name, arch), f"{arch} {name}"


def test_the_command_prints_it_and_simulating_does_not_matter():
    words = ("-m", "kernels", "inspect", "reference", "--arch", "sm_75", "--acc", "f32", "--pad", "8")
    done = python(*words, "--what", "all", LANES_BACKEND="simulator", NUMBA_ENABLE_CUDASIM="1")
    assert done.stderr == ""
    made = inspect.Compiled(**json.loads(done.stdout))
    expected = expected_instructions("sm_75", "f32")
    assert {name: made.count(name) for name in expected} == expected


@pytest.mark.simulator
def test_a_process_that_simulates_hands_the_work_to_another():
    made = inspect.compiled(arch="sm_90", acc="f32", pad=8)
    assert backend.fixed() == "simulator"
    assert (made.kernel, made.arch, made.acc, made.pad) == ("reference", "sm_90", "f32", 8)
    assert (made.count("HMMA.16816.F32"), made.shared_bytes) == (16, lanes.REFERENCE.smem_bytes(8))
    assert inspect.compiled(arch="sm_90", acc="f32", pad=8) is made


def made(instructions):
    return inspect.Compiled("reference", "sm_75", "f16", 0, "", "", 1, 0, 0, 0, 0, instructions)


def test_a_count_takes_whole_words_of_a_mnemonic():
    some = made({"LDG.E.128.SYS": 2, "LDG.E.12": 1, "LDGSTS": 4, "LDG": 8})
    assert [some.count(name) for name in ("LDG", "LDG.E", "LDG.E.128", "LDGSTS", "LD", "STG")] == [
        11,
        3,
        2,
        4,
        0,
        0,
    ]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("0000  MOV R1, c[0x0][0x28]", "MOV"),
        ("0a90  @P0 HMMA.16816.F16 R32, R20, R42, R32", "HMMA.16816.F16"),
        ("0a90  @!P0 BRA `(.L_x_0)", "BRA"),
        ("0a90  @UP1 UMOV UR4, URZ", "UMOV"),
        ("0a90  @!UP1 UMOV UR4, URZ", "UMOV"),
        ("0a90  @!PT LDS RZ, [RZ]", "LDS"),
        ("12a90  EXIT", "EXIT"),
        ("0a90  R2UR UR4, R3", "R2UR"),
        (".L_x_1:", None),
        ("", None),
    ],
)
def test_the_mnemonic_of_a_line(line, name):
    assert inspect.mnemonic(line) == name


LISTING = """
	.headerflags	@"EF_CUDA_TEXMODE_UNIFIED"
.text.kernel:
        /*0000*/                   LDC R1, c[0x0][0x28] ;
.L_x_0:
        /*0010*/              @!P0 BRA `(.L_x_0) ;
        /*0020*/                   HMMA.16816.F32 R4, R8, R12, R4 ; // a remark
.L_x_1:
        /*10030*/                  NOP;
.L_end_0:
"""


def test_a_listing_keeps_instructions_addresses_and_labels():
    """The listing's own words, through a disassembler that prints them."""
    code = (
        "from kernels import backend\nbackend.fix('compile')\nfrom kernels import toolchain\n"
        "import subprocess\n"
        f"listing = {LISTING!r}\n"
        "subprocess.run = lambda command, **_: subprocess.CompletedProcess(command, 0, listing, '')\n"
        "print(toolchain.disassemble(b'a cubin'))"
    )
    assert python("-c", code).stdout.splitlines() == [
        "0000  LDC R1, c[0x0][0x28]",
        ".L_x_0:",
        "0010  @!P0 BRA `(.L_x_0)",
        "0020  HMMA.16816.F32 R4, R8, R12, R4",
        ".L_x_1:",
        "10030  NOP",
    ]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            {"arch": "sm_70"},
            "arch is 'sm_70'; there is sm_75, sm_80, sm_86, sm_89, sm_90, sm_100, sm_120",
        ),
        (
            {"arch": 75},
            "arch is 75; there is sm_75, sm_80, sm_86, sm_89, sm_90, sm_100, sm_120",
        ),
        ({"kernel": "fastest", "arch": "sm_75"}, "kernel is 'fastest'; there is reference"),
        (
            {"arch": "sm_75", "acc": "bf16"},
            "acc is 'bf16'; the accumulator is 'f16' or 'f32'",
        ),
        (
            {"arch": "sm_75", "pad": 4},
            "pad is 4; wanted a plain int, 0 or a multiple of 8 elements (rows start on 16 bytes)",
        ),
    ],
)
def test_bad_input_is_refused_before_anything_is_compiled(monkeypatch, arguments, sentence):
    def compiling(*arguments, **options):
        raise AssertionError("something was compiled")

    monkeypatch.setattr(inspect, "_compile", compiling)
    monkeypatch.setattr(inspect.subprocess, "run", compiling)
    with pytest.raises(ValueError, match="is") as caught:
        inspect.compiled(**arguments)
    assert str(caught.value) == sentence


# Each breaks one tool of the toolkit, in a process of its own, and asks for the kernel.
BROKEN = {
    "CUDA C++ that does not compile": (
        "declare.everything = lambda: '__device__ int broken() { return nothing; }'",
        r'^NVRTC failed for sm_75: .*identifier "nothing" is undefined',
    ),
    "an architecture that NVRTC does not know": (
        "arch = 'sm_999'",
        r"^NVRTC failed for sm_999: .*invalid value for --gpu-architecture",
    ),
    "a device function that is not there": (
        "declare.everything = lambda: '__device__ int other() { return 0; }'",
        r"^linking for sm_75 failed: .*Unresolved extern function 'numba_",
    ),
    "a linker that is given nonsense": (
        "toolchain.ltoir = lambda *_: [b'nonsense']",
        "^linking for sm_75 failed: ",
    ),
    "no nvdisasm": (
        "toolchain.importlib.metadata.files = missing\ntoolchain.shutil.which = lambda name: None",
        "^nvdisasm was not found; to get it: pip install nvidia-cuda-nvdisasm$",
    ),
    "an nvdisasm that fails": (
        "toolchain.link = lambda *_, **__: (b'no cubin', '')",
        "^nvdisasm failed: nvdisasm fatal",
    ),
}
BREAK = """
from kernels import backend
backend.fix("compile")
from kernels import inspect, toolchain
from kernels.ptx import declare
import importlib.metadata

def missing(name): raise importlib.metadata.PackageNotFoundError(name)
arch = "sm_75"
{breaking}
try:
    inspect._compile("reference", arch, "f16", 0)
except RuntimeError as error:
    print(" ".join(str(error).split()))
else:
    print("nothing was raised")
"""


@pytest.mark.parametrize("case", BROKEN)
def test_a_tool_that_fails_is_reported_in_its_own_words(case):
    breaking, words = BROKEN[case]
    said = python("-c", BREAK.format(breaking=breaking)).stdout.strip()
    assert re.search(words, said), said
    assert "\0" not in said


def test_an_nvdisasm_on_the_path_is_found(tmp_path):
    """Where pip has not brought one."""
    tool = tmp_path / "nvdisasm"
    tool.write_text("#!/bin/sh\necho '        /*0000*/                   EXIT ;'\n")
    tool.chmod(0o755)
    code = (
        "from kernels import backend\nbackend.fix('compile')\nfrom kernels import toolchain\n"
        "toolchain.importlib.metadata.files = lambda name: None\nprint(toolchain.disassemble(b'a cubin'))"
    )
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    assert python("-c", code, PATH=path).stdout == "0000  EXIT\n"


@pytest.mark.parametrize("log", ["", "\0", "INFO: container created", "Used 64 registers"])
def test_a_missing_report_is_not_taken_for_zeros(log):
    """A linker that answers from its cache gives an empty log."""
    with pytest.raises(RuntimeError, match="gave no report on registers and spills"):
        inspect.ptxas_report(log)
