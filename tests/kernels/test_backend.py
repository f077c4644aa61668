"""The backend is fixed once a process: each case has a process of its own, and each refusal is one sentence."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kernels import backend

ROOT = Path(__file__).parents[2]
NO_GPU = {"CUDA_VISIBLE_DEVICES": "-1"}  # the driver, if there is one, then reports none


def python(code, **environment):
    """What `code` prints, in a process whose environment asks for no backend but what is given."""
    clean = {k: v for k, v in os.environ.items() if k not in ("LANES_BACKEND", "NUMBA_ENABLE_CUDASIM")}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env=clean | NO_GPU | environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout.strip()


def refusal(code, **environment):
    """The words of the BackendError that `code` ends with."""
    lines = "\n    ".join(code.splitlines())
    return python(
        f"from kernels import backend\ntry:\n    {lines}\nexcept backend.BackendError as error:\n"
        "    print(error)\nelse:\n    print('nothing was raised')",
        **environment,
    )


def test_importing_kernels_imports_no_numba_and_fixes_nothing():
    assert (
        python(
            "import sys, kernels, kernels.cli, kernels.doctor, kernels.inspect, kernels.hgemm, kernels.error\n"
            "from kernels import backend\n"
            "print(backend.fixed(), [name for name in ('numba', 'greenlet', 'cuda.bindings') if name in sys.modules])"
        )
        == "None []"
    )


def test_kernels_has_what_it_says_and_nothing_else():
    assert python("import kernels\nprint(callable(kernels.matmul), hasattr(kernels, 'conv'))") == "True False"


# What the environment asks for, how many GPUs the driver reports, what is chosen, and numba's switch then.
CHOICES = [
    ({}, 0, "simulator", "1"),
    ({}, 1, "gpu", "0"),
    ({"LANES_BACKEND": ""}, 1, "gpu", "0"),
    ({"LANES_BACKEND": "simulator"}, 1, "simulator", "1"),
    ({"LANES_BACKEND": "gpu"}, 1, "gpu", "0"),
    ({"NUMBA_ENABLE_CUDASIM": "1"}, 1, "simulator", "1"),
    ({"NUMBA_ENABLE_CUDASIM": "0"}, 1, "gpu", "0"),
    ({"NUMBA_ENABLE_CUDASIM": "1", "LANES_BACKEND": "simulator"}, 1, "simulator", "1"),
]


@pytest.mark.parametrize(("environment", "gpus", "chosen", "switch"), CHOICES)
def test_what_is_chosen(environment, gpus, chosen, switch):
    code = (
        f"import os\nfrom kernels import backend\nbackend.gpu_count = lambda: {gpus}\n"
        "print(backend.fix(), backend.fix(), backend.fixed(), backend.simulated(),"
        " os.environ['NUMBA_ENABLE_CUDASIM'])"
    )
    assert python(code, **environment) == f"{chosen} {chosen} {chosen} {chosen == 'simulator'} {switch}"


def test_a_gpu_that_is_not_there():
    assert refusal("backend.fix()", LANES_BACKEND="gpu") == (
        "LANES_BACKEND=gpu asks for a GPU, and the driver reports none: unset it, or set LANES_BACKEND=simulator"
    )


def test_a_backend_that_is_not_there():
    assert refusal("backend.fix()", LANES_BACKEND="tpu") == (
        "LANES_BACKEND is 'tpu', and it takes gpu or simulator"
    )
    assert refusal("backend.fix('tpu')") == "backend is 'tpu'; there is gpu, simulator, compile"


def test_two_switches_that_contradict_each_other():
    assert refusal("backend.fix()", LANES_BACKEND="gpu", NUMBA_ENABLE_CUDASIM="1") == (
        "LANES_BACKEND=gpu and NUMBA_ENABLE_CUDASIM=1 contradict each other: unset one of them"
    )


@pytest.mark.parametrize(("first", "second"), [("simulator", "compile"), ("compile", "simulator")])
def test_the_other_backend_later(first, second):
    assert refusal(f"backend.fix({first!r})\nbackend.fix({first!r})\nbackend.fix({second!r})") == (
        f"backend {second!r} was asked for, and this process already uses {first!r}: the choice holds until "
        "the process ends, so restart it (or the notebook's kernel) with the other one"
    )


def test_an_environment_that_changes_later():
    code = "import os\nbackend.fix()\nos.environ['LANES_BACKEND'] = 'gpu'\nbackend.fix()"
    assert refusal(code).startswith("backend 'gpu' was asked for, and this process already uses 'simulator'")


@pytest.mark.parametrize(
    ("switch", "asked", "now", "other"),
    [
        ("0", "simulator", "real GPU code", "the simulator"),
        ("1", "compile", "the simulator", "real GPU code"),
    ],
)
def test_numba_imported_first_in_the_other_mode(switch, asked, now, other):
    words = refusal(f"import numba\nbackend.fix({asked!r})", NUMBA_ENABLE_CUDASIM=switch)
    assert words == (
        f"numba was already imported for {now}, and {other} is wanted: import kernels before numba, "
        "or set LANES_BACKEND and NUMBA_ENABLE_CUDASIM before Python starts"
    )


def test_numba_imported_first_in_the_same_mode():
    assert (
        python(
            "import numba\nfrom kernels import backend, adapter\nprint(backend.describe())",
            LANES_BACKEND="simulator",
            NUMBA_ENABLE_CUDASIM="1",
        )
        == "backend: simulator (no GPU: the same kernel source, thread by thread in Python)"
    )


@pytest.mark.parametrize(("first", "refused"), [("", "gpu"), ("import numba", "simulator")])
def test_a_refused_choice_leaves_the_process_free(first, refused):
    code = (
        f"{first}\nfrom kernels import backend\ntry:\n    backend.fix({refused!r})\n"
        "except backend.BackendError:\n    print(backend.fixed(), backend.fix('compile'))"
    )
    assert python(code, NUMBA_ENABLE_CUDASIM="0") == "None compile"


class Driver:
    """The CUDA driver's library, with `count` GPUs, or with a function that fails."""

    def __init__(self, count=0, init=0, counting=0):
        self.count, self.init, self.counting = count, init, counting

    def cuInit(self, flags):
        return self.init

    def cuDeviceGetCount(self, reference):
        reference._obj.value = self.count
        return self.counting


@pytest.mark.parametrize(
    ("driver", "count"),
    [
        (None, 0),
        (Driver(count=2), 2),
        (Driver(count=2, init=100), 0),  # CUDA_ERROR_NO_DEVICE
        (Driver(count=2, counting=3), 0),  # CUDA_ERROR_NOT_INITIALIZED
    ],
)
def test_the_driver_is_asked_how_many_gpus_there_are(monkeypatch, driver, count):
    monkeypatch.setattr(backend, "cuda_driver", lambda: driver)
    assert backend.gpu_count() == count


def test_a_machine_without_a_driver_has_none(monkeypatch):
    def missing(name):
        raise OSError(f"{name}: cannot open shared object file")

    monkeypatch.setattr(backend.ctypes, "CDLL", missing)
    assert backend.cuda_driver() is None
    assert backend.gpu_count() == 0


@pytest.mark.gpu
def test_the_backend_in_use_is_described():
    assert backend.describe().startswith("backend: gpu (NVIDIA ")


@pytest.mark.parametrize("found", [None, "0", "1"])
def test_a_process_started_later_makes_its_own_choice(found):
    """Numba's switch is set for the import of numba, and is then as it was."""
    environment = {"LANES_BACKEND": "simulator"} | ({} if found is None else {"NUMBA_ENABLE_CUDASIM": found})
    code = (
        "import os, kernels.adapter\nprint(os.environ.get('NUMBA_ENABLE_CUDASIM'), kernels.adapter.SIMULATED)"
    )
    assert python(code, **environment) == f"{found} True"
