"""What this machine has, what is wrong with it for these kernels, and the command that mends it.

`examine` reads the machine and imports no more than it must; `problems` judges what was read, and is a pure function.
"""

from __future__ import annotations

import ctypes
import functools
import importlib
import importlib.metadata
import json
import os
import platform
import sys
from dataclasses import asdict, dataclass, field, replace
from typing import Any, NamedTuple

from kernels import backend

Version = tuple[int, int]

MIN_CAPABILITY = (7, 5)  # ldmatrix and mma m16n8k8; PTX ISA, "Target ISA Notes" of each
MIN_NVJITLINK = (12, 3)  # the first that numba-cuda links LTO-IR with
PACKAGES = ("numba", "numba-cuda", "numpy", "ml_dtypes", "cuda-bindings", "cuda-core", "greenlet")
INSTALL = "pip install -r requirements.txt"


class Gpu(NamedTuple):
    """A GPU as the driver describes it; shared memory is the most that a block may ask for, in bytes."""

    name: str
    capability: Version
    shared_bytes: int


@dataclass(frozen=True)
class Machine:
    """What `examine` read. A version is None where the thing is missing."""

    python: str = platform.python_version()
    system: str = platform.platform(terse=True)
    driver: Version | None = None  # the CUDA version that the driver supports
    gpus: tuple[Gpu, ...] = ()
    packages: dict[str, str | None] = field(default_factory=dict)
    toolkit: dict[str, Version | None] = field(default_factory=dict)  # nvrtc, nvjitlink, nvvm
    asked: str | None = None  # LANES_BACKEND
    cudasim: bool = False  # NUMBA_ENABLE_CUDASIM


class Problem(NamedTuple):
    """One thing that is wrong: what and why in a sentence, and what to type or change. `gpu` if only a GPU needs it."""

    what: str
    mend: str
    gpu: bool = False

    def __str__(self) -> str:
        return f"{self.what}; to mend it: {self.mend}"


def examine() -> Machine:
    """Read this machine. Nothing is raised: what cannot be read is missing.

    >>> examine().packages["numpy"] is None
    False
    """
    return Machine(
        driver=_driver_version(),
        gpus=tuple(_gpu(i) for i in range(backend.gpu_count())),
        packages={name: _package(name) for name in PACKAGES},
        toolkit={"nvrtc": _nvrtc(), "nvjitlink": _nvjitlink(), "nvvm": _nvvm()},
        asked=os.environ.get("LANES_BACKEND") or None,
        cudasim=os.environ.get("NUMBA_ENABLE_CUDASIM", "0") not in ("", "0"),
    )


def problems(machine: Machine) -> list[Problem]:
    """What is wrong with `machine`, the gravest first; empty when kernels run on the backend that it will choose."""
    found: list[Problem] = []
    for name in PACKAGES:
        if machine.packages.get(name) is None and name not in ("cuda-core", "greenlet"):
            found.append(Problem(f"the package {name} is missing", INSTALL))
    numpy, numba_cuda = machine.packages.get("numpy"), machine.packages.get("numba-cuda")
    if numpy and numba_cuda and _version(numpy) >= (2, 5) and _version(numba_cuda) <= (0, 30):
        found.append(
            Problem(
                f"numpy {numpy} is too new: numba-cuda {numba_cuda} needs one below 2.5",
                'pip install "numpy<2.5"',
            )
        )
    if machine.asked and machine.asked not in backend.CHOICES:
        found.append(
            Problem(
                f"LANES_BACKEND is {machine.asked!r}, and it takes gpu or simulator", "unset LANES_BACKEND"
            )
        )
    if machine.asked == "gpu" and machine.cudasim:
        found.append(
            Problem(
                "LANES_BACKEND=gpu and NUMBA_ENABLE_CUDASIM=1 contradict each other",
                "unset NUMBA_ENABLE_CUDASIM",
            )
        )
    elif machine.gpus and machine.cudasim and machine.asked is None:
        found.append(
            Problem(
                "there is a GPU, and NUMBA_ENABLE_CUDASIM=1 keeps numba off it", "unset NUMBA_ENABLE_CUDASIM"
            )
        )
    if machine.asked == "gpu" and not machine.gpus:
        found.append(
            Problem(
                "LANES_BACKEND=gpu asks for a GPU, and the driver reports none",
                "unset LANES_BACKEND",
                gpu=True,
            )
        )
    for part, version in machine.toolkit.items():
        if version is None:
            found.append(
                Problem(
                    f"{part} is missing or does not load: it compiles or links every kernel",
                    INSTALL,
                    gpu=True,
                )
            )
    found += _toolkit_problems(machine)
    for gpu in machine.gpus:
        if gpu.capability < MIN_CAPABILITY:
            found.append(Problem(
                f"{gpu.name} has capability {_dotted(gpu.capability)}, and ldmatrix and mma need 7.5",
                "export LANES_BACKEND=simulator", gpu=True,
            ))  # fmt: skip
    if machine.packages.get("greenlet") is None and (machine.asked == "simulator" or not machine.gpus):
        found.append(Problem("the package greenlet is missing, and the simulator needs it", INSTALL))
    return found


def _toolkit_problems(machine: Machine) -> list[Problem]:
    """LTO-IR: nvJitLink new enough, one major throughout, and none newer than the driver's."""
    found: list[Problem] = []
    versions = {part: version for part, version in machine.toolkit.items() if version}
    linker = versions.get("nvjitlink")
    if linker and linker < MIN_NVJITLINK:
        found.append(Problem(
            f"nvJitLink {_dotted(linker)} is too old to link LTO-IR; 12.3 is the first that can", INSTALL, gpu=True,
        ))  # fmt: skip
    majors = {version[0] for version in versions.values()}
    if len(majors) > 1:
        listed = ", ".join(f"{part} {_dotted(version)}" for part, version in versions.items())
        found.append(Problem(f"the toolkit's parts are of different majors: {listed}", INSTALL, gpu=True))
    if machine.gpus and machine.driver and majors and max(majors) > machine.driver[0]:
        found.append(Problem(
            f"the driver supports CUDA {_dotted(machine.driver)}, and refuses the LTO-IR and PTX of toolkit "
            f"{max(majors)}", "./ci/cuda12.sh, or update the driver", gpu=True,
        ))  # fmt: skip
    return found


@functools.cache
def require_gpu(number: int = 0) -> None:
    """Raise `kernels.backend.BackendError`, with the gravest problem in one sentence, if that GPU cannot be used.

    What is wrong with another GPU, or with the simulator, does not matter to it.
    """
    machine = examine()
    for problem in problems(replace(machine, gpus=machine.gpus[number : number + 1])):
        if problem.gpu:
            raise backend.BackendError(str(problem))


def report(*, as_json: bool) -> tuple[str, bool]:
    """The doctor's page, and whether all is well."""
    machine = examine()
    found = problems(machine)
    chosen = machine.asked or ("simulator" if machine.cudasim or not machine.gpus else "gpu")
    if as_json:
        facts = asdict(machine) | {"backend": chosen, "problems": [problem._asdict() for problem in found]}
        return json.dumps(facts, indent=2), not found
    lines = [f"python     {machine.python} on {machine.system}"]
    lines.append(f"driver     {_dotted(machine.driver) if machine.driver else 'none'}")
    for gpu in machine.gpus:
        arch = "sm_{}{}".format(*gpu.capability)
        lines.append(f"gpu        {gpu.name}, {arch}, {gpu.shared_bytes:,} bytes of shared memory a block")
    lines.append(
        "toolkit    "
        + ", ".join(f"{part} {_dotted(v) if v else 'missing'}" for part, v in machine.toolkit.items())
    )
    lines.append(
        "packages   "
        + ", ".join(f"{name} {version or 'missing'}" for name, version in machine.packages.items())
    )
    lines.append(f"backend    {chosen}")
    lines += [f"WRONG      {problem.what}\n  mend it  {problem.mend}" for problem in found]
    lines += [] if found else ["all is well"]
    return "\n".join(lines), not found


def _driver_version() -> Version | None:
    driver, number = backend.cuda_driver(), ctypes.c_int(0)
    if driver is None or driver.cuDriverGetVersion(ctypes.byref(number)) != 0:
        return None
    return number.value // 1000, number.value % 1000 // 10


def _gpu(index: int) -> Gpu:
    driver = backend.cuda_driver()
    assert driver is not None
    name, device = ctypes.create_string_buffer(256), ctypes.c_int(0)
    driver.cuDeviceGet(ctypes.byref(device), index)
    driver.cuDeviceGetName(name, len(name), device)

    def attribute(number: int) -> int:  # CUDA driver API, CUdevice_attribute
        value = ctypes.c_int(0)
        driver.cuDeviceGetAttribute(ctypes.byref(value), number, device)
        return value.value

    return Gpu(name.value.decode(), (attribute(75), attribute(76)), attribute(97))


def _package(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _nvrtc() -> Version | None:
    return _read("nvrtc", lambda lib: _checked(lib.nvrtcVersion()))


def _nvjitlink() -> Version | None:
    return _read("nvjitlink", lambda lib: lib.version())


def _nvvm() -> Version | None:
    """The toolkit's version: NVVM's own number is that of its IR, so ask the package that brought it."""
    if _read("nvvm", lambda lib: lib.version()) is None:
        return None
    for package in ("nvidia-nvvm", "nvidia-cuda-nvcc-cu12", "nvidia-cuda-nvcc"):
        if (version := _package(package)) is not None:
            return _version(version)
    return _nvrtc()


def _read(library: str, version: Any) -> Version | None:
    try:
        major, minor = version(importlib.import_module(f"cuda.bindings.{library}"))[:2]
    except Exception:  # whatever keeps it from loading, it is not there for us
        return None
    return int(major), int(minor)


def _checked(result: tuple[Any, ...]) -> tuple[Any, ...]:
    return result[1:]


def _version(text: str) -> Version:
    major, minor = text.split(".")[:2]
    return int(major), int(minor)


def _dotted(version: Version) -> str:
    return ".".join(map(str, version))


if __name__ == "__main__":
    print(report(as_json=False)[0], file=sys.stdout)
