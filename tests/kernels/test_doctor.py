"""The doctor: every problem that it knows has its sentence and its command, and a machine that is well has none."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from kernels import backend, cli, doctor
from kernels import machine as reading
from kernels.machine import Gpu, Machine

T4 = Gpu("Tesla T4", (7, 5), 65_536)
H200 = Gpu("NVIDIA H200", (9, 0), 232_448)
P100 = Gpu("Tesla P100", (6, 0), 49_152)
PACKAGES = {
    "numba": "0.68.0",
    "numba-cuda": "0.30.4",
    "numpy": "2.4.6",
    "ml_dtypes": "0.6.0",
    "cuda-bindings": "13.0.1",
    "cuda-core": "1.2.2",
    "greenlet": "3.5.6",
}
TOOLKIT = {"nvrtc": (13, 0), "nvjitlink": (13, 0), "nvvm": (13, 0)}

CPU = Machine(packages=PACKAGES, toolkit=TOOLKIT)
GPU = replace(CPU, driver=(13, 0), gpus=(H200,))
COLAB = Machine(
    driver=(12, 8),
    gpus=(T4,),
    packages=PACKAGES | {"numba": "0.61.2", "numba-cuda": "0.22.2", "numpy": "2.1.3", "cuda-core": "0.3.2"},
    toolkit={"nvrtc": (12, 8), "nvjitlink": (12, 8), "nvvm": (12, 8)},
)


@pytest.mark.parametrize(
    "machine",
    [
        CPU,
        GPU,
        COLAB,
        replace(COLAB, gpus=(), driver=None),  # a Colab without its GPU
        replace(GPU, gpus=(T4, H200)),
        replace(GPU, driver=(14, 1)),  # a newer driver
        replace(GPU, asked="gpu"),
        replace(GPU, asked="simulator"),
        replace(GPU, asked="simulator", cudasim=True),
        replace(CPU, cudasim=True),
        replace(CPU, driver=(12, 2)),  # a driver without a GPU says nothing about the toolkit
        replace(GPU, packages=PACKAGES | {"greenlet": None}),  # only the simulator needs it
        replace(GPU, packages=PACKAGES | {"cuda-core": None}),
        replace(CPU, toolkit=dict.fromkeys(TOOLKIT, (12, 3))),
        replace(CPU, packages=PACKAGES | {"numpy": "2.5.0", "numba-cuda": "0.31.0"}),
        replace(CPU, packages=PACKAGES | {"numpy": "2.4.9.dev0"}),
    ],
)
def test_a_machine_that_is_well(machine):
    assert doctor.problems(machine) == []


def package(name, version=None):
    return PACKAGES | {name: version}


def toolkit(**versions):
    return TOOLKIT | versions


# A machine, what is wrong with it, the command that mends it, and whether that matters to a GPU alone.
ILL = {
    "no numba": (
        replace(CPU, packages=package("numba")),
        "the package numba is missing",
        "pip install -r requirements.txt",
        False,
    ),
    "no numba-cuda": (
        replace(GPU, packages=package("numba-cuda")),
        "the package numba-cuda is missing",
        "pip install -r requirements.txt",
        False,
    ),
    "no numpy": (
        replace(CPU, packages=package("numpy")),
        "the package numpy is missing",
        "pip install -r requirements.txt",
        False,
    ),
    "no ml_dtypes": (
        replace(GPU, packages=package("ml_dtypes")),
        "the package ml_dtypes is missing",
        "pip install -r requirements.txt",
        False,
    ),
    "no cuda-bindings": (
        replace(GPU, packages=package("cuda-bindings")),
        "the package cuda-bindings is missing",
        "pip install -r requirements.txt",
        False,
    ),
    "no greenlet, no GPU": (
        replace(CPU, packages=package("greenlet")),
        "the package greenlet is missing, and the simulator needs it",
        "pip install -r requirements.txt",
        False,
    ),
    "no greenlet, simulator wanted": (
        replace(GPU, packages=package("greenlet"), asked="simulator"),
        "the package greenlet is missing, and the simulator needs it",
        "pip install -r requirements.txt",
        False,
    ),
    "numpy too new": (
        replace(CPU, packages=package("numpy", "2.5.2")),
        "numpy 2.5.2 is too new: numba-cuda 0.30.4 needs one below 2.5",
        'pip install "numpy<2.5"',
        False,
    ),
    "an unknown backend": (
        replace(CPU, asked="tpu"),
        "LANES_BACKEND is 'tpu', and it takes gpu or simulator",
        "unset LANES_BACKEND",
        False,
    ),
    "two switches": (
        replace(GPU, asked="gpu", cudasim=True),
        "LANES_BACKEND=gpu and NUMBA_ENABLE_CUDASIM=1 contradict each other",
        "unset NUMBA_ENABLE_CUDASIM",
        False,
    ),
    "a GPU unused": (
        replace(GPU, cudasim=True),
        "there is a GPU, and NUMBA_ENABLE_CUDASIM=1 keeps numba off it",
        "unset NUMBA_ENABLE_CUDASIM",
        False,
    ),
    "a GPU wanted": (
        replace(CPU, asked="gpu"),
        "LANES_BACKEND=gpu asks for a GPU, and the driver reports none",
        "unset LANES_BACKEND",
        True,
    ),
    "no nvrtc": (
        replace(GPU, toolkit=toolkit(nvrtc=None)),
        "nvrtc is missing or does not load: it compiles or links every kernel",
        "pip install -r requirements.txt",
        True,
    ),
    "no nvjitlink": (
        replace(CPU, toolkit=toolkit(nvjitlink=None)),
        "nvjitlink is missing or does not load: it compiles or links every kernel",
        "pip install -r requirements.txt",
        True,
    ),
    "no nvvm": (
        replace(GPU, toolkit=toolkit(nvvm=None)),
        "nvvm is missing or does not load: it compiles or links every kernel",
        "pip install -r requirements.txt",
        True,
    ),
    "nvjitlink too old": (
        replace(COLAB, toolkit={"nvrtc": (12, 2), "nvjitlink": (12, 2), "nvvm": (12, 2)}),
        "nvJitLink 12.2 is too old to link LTO-IR; 12.3 is the first that can",
        "pip install -r requirements.txt",
        True,
    ),
    "two majors": (
        replace(GPU, toolkit=toolkit(nvjitlink=(12, 9))),
        "the toolkit's parts are of different majors: nvrtc 13.0, nvjitlink 12.9, nvvm 13.0",
        "pip install -r requirements.txt",
        True,
    ),
    "driver too old": (
        replace(GPU, driver=(12, 4)),
        "the driver supports CUDA 12.4, and refuses the LTO-IR and PTX of toolkit 13",
        "./ci/cuda12.sh, or update the driver",
        True,
    ),
    "GPU too old": (
        replace(GPU, gpus=(P100,)),
        "Tesla P100 has capability 6.0, and ldmatrix and mma need 7.5",
        "export LANES_BACKEND=simulator",
        True,
    ),
    "just too old": (
        replace(GPU, gpus=(Gpu("Tesla V100", (7, 2), 98_304),)),
        "Tesla V100 has capability 7.2, and ldmatrix and mma need 7.5",
        "export LANES_BACKEND=simulator",
        True,
    ),
}


@pytest.mark.parametrize("case", ILL)
def test_a_problem_has_its_sentence_and_its_command(case):
    machine, what, mend, gpu = ILL[case]
    assert doctor.problems(machine) == [(what, mend, gpu)]


def test_a_problem_reads_as_one_sentence():
    assert str(doctor.Problem("the sky is down", "lift it")) == "the sky is down; to mend it: lift it"


def test_every_problem_is_found_and_the_gravest_comes_first():
    machine = Machine(asked="gpu", cudasim=True, packages={}, toolkit=dict.fromkeys(TOOLKIT))
    found = [problem.what for problem in doctor.problems(machine)]
    assert [word for what in found for word in re.findall(r"^the package (\S+) is missing", what)] == [
        "numba",
        "numba-cuda",
        "numpy",
        "ml_dtypes",
        "cuda-bindings",
        "greenlet",
    ]
    assert found[5:7] == [ILL["two switches"][1], ILL["a GPU wanted"][1]]
    assert found[7:10] == [ILL[f"no {part}"][1] for part in TOOLKIT]


@pytest.fixture
def examined(monkeypatch):
    """``examined(machine)``: the doctor finds that machine when it looks at this one."""

    def examined(machine):
        monkeypatch.setattr(doctor, "examine", lambda: machine)
        doctor.require_gpu.cache_clear()

    yield examined
    doctor.require_gpu.cache_clear()


@pytest.mark.parametrize("case", ILL)
def test_a_gpu_is_stopped_by_what_matters_to_it(examined, case):
    machine, what, mend, gpu = ILL[case]
    examined(machine)
    if gpu:
        with pytest.raises(backend.BackendError) as caught:
            doctor.require_gpu()
        assert str(caught.value) == f"{what}; to mend it: {mend}"
    else:
        doctor.require_gpu()


def test_the_gravest_of_two_problems_stops_a_gpu(examined):
    examined(replace(GPU, gpus=(P100,), driver=(12, 4), packages=package("ml_dtypes")))
    with pytest.raises(backend.BackendError, match=r"^the driver supports CUDA 12\.4"):
        doctor.require_gpu()


def test_another_gpu_that_is_too_old_does_not_stop_this_one(examined):
    examined(replace(GPU, gpus=(H200, P100)))
    doctor.require_gpu()
    doctor.require_gpu(0)
    with pytest.raises(backend.BackendError, match=r"^Tesla P100 has capability 6\.0"):
        doctor.require_gpu(1)
    assert [what for what, *_ in doctor.problems(doctor.examine())] == [ILL["GPU too old"][1]]


def test_the_machine_is_looked_at_once(monkeypatch):
    looked = []
    monkeypatch.setattr(doctor, "examine", lambda: looked.append(1) or GPU)
    doctor.require_gpu.cache_clear()
    doctor.require_gpu()
    doctor.require_gpu()
    doctor.require_gpu.cache_clear()
    assert looked == [1]


@pytest.mark.gpu
def test_this_machine_s_gpu_is_well():
    doctor.require_gpu.cache_clear()
    doctor.require_gpu()
    machine = doctor.examine()
    assert machine.driver is not None
    assert machine.gpus[0].shared_bytes >= 65_536


def test_this_machine_is_read(monkeypatch):
    monkeypatch.setenv("LANES_BACKEND", "simulator")
    monkeypatch.setenv("NUMBA_ENABLE_CUDASIM", "1")
    machine = doctor.examine()
    assert (machine.asked, machine.cudasim) == ("simulator", True)
    assert len(machine.gpus) == backend.gpu_count()
    assert set(machine.packages) == set(doctor.PACKAGES)
    versions = [machine.packages[name] for name in ("numba", "numba-cuda", "numpy", "ml_dtypes", "greenlet")]
    assert all(re.match(r"\d+\.\d+", version) for version in versions)
    assert set(machine.toolkit) == set(TOOLKIT)
    assert len({version[0] for version in machine.toolkit.values()}) == 1
    assert doctor.problems(machine) == []


def test_what_cannot_be_read_is_missing(monkeypatch):
    def broken(name):
        raise OSError("libnvrtc.so.13: cannot open shared object file")

    monkeypatch.setattr(reading.importlib, "import_module", broken)
    monkeypatch.setattr(reading, "PACKAGES", ("no-such-package",))
    monkeypatch.setattr(backend, "cuda_driver", lambda: None)
    machine = doctor.examine()
    assert machine.toolkit == dict.fromkeys(TOOLKIT)
    assert (machine.packages, machine.driver, machine.gpus) == ({"no-such-package": None}, None, ())


class Driver:
    """The CUDA driver's library, on a machine with one H200."""

    def cuInit(self, flags):
        return 0

    def cuDeviceGetCount(self, count):
        count._obj.value = 1
        return 0

    def cuDriverGetVersion(self, version):
        version._obj.value = 12080
        return 0

    def cuDeviceGet(self, device, index):
        device._obj.value = 40 + index
        return 0

    def cuDeviceGetName(self, name, size, device):
        assert device.value == 40
        name.value = b"NVIDIA H200"
        return 0

    def cuDeviceGetAttribute(self, value, number, device):
        # COMPUTE_CAPABILITY_MAJOR, COMPUTE_CAPABILITY_MINOR, MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
        value._obj.value = {75: 9, 76: 0, 97: 232_448}[number]
        return 0


def test_the_driver_and_its_gpus_are_read(monkeypatch):
    monkeypatch.setattr(backend, "cuda_driver", Driver)
    machine = doctor.examine()
    assert machine.driver == (12, 8)
    assert machine.gpus == (H200,)


def test_the_page_of_a_machine_that_is_well(examined, capsys):
    examined(replace(GPU, python="3.12.1", system="Linux"))
    assert cli.main(["doctor"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "python     3.12.1 on Linux",
        "driver     13.0",
        "gpu        NVIDIA H200, sm_90, 232,448 bytes of shared memory a block",
        "toolkit    nvrtc 13.0, nvjitlink 13.0, nvvm 13.0",
        "packages   numba 0.68.0, numba-cuda 0.30.4, numpy 2.4.6, ml_dtypes 0.6.0, cuda-bindings 13.0.1, "
        "cuda-core 1.2.2, greenlet 3.5.6",
        "backend    gpu",
        "all is well",
    ]


def test_the_page_of_a_machine_that_is_not(examined, capsys):
    examined(replace(CPU, packages=package("numba"), toolkit=toolkit(nvjitlink=None)))
    assert cli.main(["doctor"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "driver     none" in lines
    assert "toolkit    nvrtc 13.0, nvjitlink missing, nvvm 13.0" in lines
    assert lines[-5:] == [
        "backend    simulator",
        "WRONG      the package numba is missing",
        "  mend it  pip install -r requirements.txt",
        "WRONG      nvjitlink is missing or does not load: it compiles or links every kernel",
        "  mend it  pip install -r requirements.txt",
    ]


@pytest.mark.parametrize(
    ("machine", "chosen", "code"),
    [
        (GPU, "gpu", 0),
        (CPU, "simulator", 0),
        (replace(GPU, asked="simulator"), "simulator", 0),
        (replace(GPU, cudasim=True), "simulator", 1),
        (replace(CPU, asked="gpu"), "gpu", 1),
    ],
)
def test_the_report_as_json(examined, capsys, machine, chosen, code):
    examined(machine)
    assert cli.main(["doctor", "--json"]) == code
    facts = json.loads(capsys.readouterr().out)
    assert facts["backend"] == chosen
    assert facts["packages"] == PACKAGES
    assert facts["toolkit"] == {part: list(version) for part, version in TOOLKIT.items()}
    assert facts["gpus"] == [["NVIDIA H200", [9, 0], 232448]] * len(machine.gpus)
    assert len(facts["problems"]) == code
    for problem in facts["problems"]:
        assert set(problem) == {"what", "mend", "gpu"}
