"""What is wrong with this machine for these kernels, and the command that mends it.

`problems` judges what `kernels.machine` has read, and is a pure function.
"""

from __future__ import annotations

import functools
import json
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, NamedTuple

from kernels import backend
from kernels.machine import PACKAGES, Machine, Version, examine, version_of

if TYPE_CHECKING:
    from collections.abc import Iterator

MIN_CAPABILITY = (7, 5)  # ldmatrix and mma m16n8k8; PTX ISA, "Target ISA Notes" of each
MIN_NVJITLINK = (12, 3)  # the first that numba-cuda links LTO-IR with
INSTALL = "pip install -r requirements.txt"


class Problem(NamedTuple):
    """One thing that is wrong: what and why in a sentence, and what to type or change. `gpu` if only a GPU needs it."""

    what: str
    mend: str
    gpu: bool = False

    def __str__(self) -> str:
        return f"{self.what}; to mend it: {self.mend}"


def problems(machine: Machine) -> list[Problem]:
    """What is wrong with `machine`, the gravest first; empty when kernels run on the backend that it will choose."""
    return [
        *_packages(machine),
        *_switches(machine),
        *_toolkit(machine),
        *_gpus(machine),
        *_simulator(machine),
    ]


def _packages(machine: Machine) -> Iterator[Problem]:
    for name in PACKAGES:
        if machine.packages.get(name) is None and name not in ("cuda-core", "greenlet"):
            yield Problem(f"the package {name} is missing", INSTALL)
    numpy, numba_cuda = machine.packages.get("numpy"), machine.packages.get("numba-cuda")
    if numpy and numba_cuda and version_of(numpy) >= (2, 5) and version_of(numba_cuda) <= (0, 30):
        what = f"numpy {numpy} is too new: numba-cuda {numba_cuda} needs one below 2.5"
        yield Problem(what, 'pip install "numpy<2.5"')


def _switches(machine: Machine) -> Iterator[Problem]:
    """The two variables of the environment, against each other and against the GPUs."""
    if machine.asked and machine.asked not in backend.CHOICES:
        yield Problem(
            f"LANES_BACKEND is {machine.asked!r}, and it takes gpu or simulator", "unset LANES_BACKEND"
        )
    if machine.asked == "gpu" and machine.cudasim:
        what = "LANES_BACKEND=gpu and NUMBA_ENABLE_CUDASIM=1 contradict each other"
        yield Problem(what, "unset NUMBA_ENABLE_CUDASIM")
    elif machine.gpus and machine.cudasim and machine.asked is None:
        what = "there is a GPU, and NUMBA_ENABLE_CUDASIM=1 keeps numba off it"
        yield Problem(what, "unset NUMBA_ENABLE_CUDASIM")
    if machine.asked == "gpu" and not machine.gpus:
        what = "LANES_BACKEND=gpu asks for a GPU, and the driver reports none"
        yield Problem(what, "unset LANES_BACKEND", gpu=True)


def _toolkit(machine: Machine) -> Iterator[Problem]:
    """LTO-IR needs all parts, nvJitLink new enough, one major throughout, and none newer than the driver's."""
    for part, version in machine.toolkit.items():
        if version is None:
            what = f"{part} is missing or does not load: it compiles or links every kernel"
            yield Problem(what, INSTALL, gpu=True)
    versions = {part: version for part, version in machine.toolkit.items() if version}
    linker = versions.get("nvjitlink")
    if linker and linker < MIN_NVJITLINK:
        what = f"nvJitLink {_dotted(linker)} is too old to link LTO-IR; 12.3 is the first that can"
        yield Problem(what, INSTALL, gpu=True)
    majors = {version[0] for version in versions.values()}
    if len(majors) > 1:
        listed = ", ".join(f"{part} {_dotted(version)}" for part, version in versions.items())
        yield Problem(f"the toolkit's parts are of different majors: {listed}", INSTALL, gpu=True)
    if machine.gpus and machine.driver and majors and max(majors) > machine.driver[0]:
        driver, toolkit = _dotted(machine.driver), max(majors)
        what = f"the driver supports CUDA {driver}, and refuses the LTO-IR and PTX of toolkit {toolkit}"
        yield Problem(what, "./ci/cuda12.sh, or update the driver", gpu=True)


def _gpus(machine: Machine) -> Iterator[Problem]:
    for gpu in machine.gpus:
        if gpu.capability < MIN_CAPABILITY:
            what = f"{gpu.name} has capability {_dotted(gpu.capability)}, and ldmatrix and mma need 7.5"
            yield Problem(what, "export LANES_BACKEND=simulator", gpu=True)


def _simulator(machine: Machine) -> Iterator[Problem]:
    if machine.packages.get("greenlet") is None and (machine.asked == "simulator" or not machine.gpus):
        yield Problem("the package greenlet is missing, and the simulator needs it", INSTALL)


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


def _dotted(version: Version) -> str:
    return ".".join(map(str, version))
