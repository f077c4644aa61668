"""`python -m kernels`, in this process and in its own: what it prints, and how it exits."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from kernels import adapter, backend, cli, door, error, inspect, probe

ROOT = Path(__file__).parents[2]
RUN = ("run", "reference", "--size")


@pytest.fixture
def ask(capsys):
    """``ask(*words)``: run the command line here; exit code, what it printed, and what it complained of."""

    def ask(*words):
        try:
            code = cli.main(words)
        except SystemExit as stop:
            code = stop.code
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return ask


@pytest.fixture
def refused(ask):
    """``refused(*words)``: the one line on stderr with which the command line refuses them, with exit code 2."""

    def refused(*words):
        code, out, err = ask(*words)
        assert (code, out) == (2, "")
        assert err.count("\n") == 1
        assert err.endswith("\n")
        return err.strip()

    return refused


@pytest.fixture
def nothing_runs(monkeypatch):
    """Inside this test, nothing may be multiplied, compiled or probed."""

    def ran(*arguments, **options):
        raise AssertionError("work was started")

    for module, name in (
        (door, "matmul"),
        (inspect, "_compile"),
        (inspect.subprocess, "run"),
        (probe, "probe"),
    ):
        monkeypatch.setattr(module, name, ran)


@pytest.mark.parametrize(("acc", "pad"), [("f16", 0), ("f32", 8)])
def test_run_reports_a_good_result(ask, acc, pad):
    code, out, err = ask(*RUN, "128,256,32", "--acc", acc, "--pad", str(pad))
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == backend.describe()
    assert lines[1] == f"reference  128 x 256 x 32  acc {acc}  pad {pad}  N(0, 1)"
    assert lines[3].startswith("largest error against float64 over 128 of 128 rows: 0.0")
    assert lines[5:] == ["within the bound"]


def test_run_as_json(ask):
    code, out, err = ask(*RUN, "128,128,32", "--acc", "f32", "--pad", "8", "--json")
    assert (code, err, out.count("\n")) == (0, "", 1)
    facts = json.loads(out)
    seconds, name = facts.pop("seconds"), facts.pop("backend")
    errors = [facts.pop(key) for key in ("error", "max_error", "bound")]
    assert facts == {
        "kernel": "reference",
        "acc": "f32",
        "pad": 8,
        "m": 128,
        "n": 128,
        "k": 32,
        "rows_checked": 128,
        "ok": True,
        "beyond": 0,
    }
    assert f"backend: {name}" == backend.describe()
    assert seconds > 0
    assert 0 < errors[0] <= errors[2]
    assert errors[0] <= errors[1] < 0.02


def test_run_runs_what_it_was_asked_for(ask, monkeypatch):
    asked = []

    def matmul(a, b, **options):
        asked.append((a.shape, b.shape, options))
        return (a.astype(float) @ b.astype(float)).astype(np.float16)

    monkeypatch.setattr(door, "matmul", matmul)
    assert ask(*RUN, "384,256,48", "--acc", "f32", "--pad", "16")[0] == 0
    assert asked == [((384, 48), (48, 256), {"kernel": "reference", "acc": "f32", "pad": 16})]


@pytest.mark.parametrize(
    ("simulated", "capability", "mma_k"),
    [(False, (7, 5), 8), (False, (8, 0), 16), (False, (9, 0), 16), (True, None, 16)],
)
def test_the_bound_is_that_of_the_mma_that_ran(ask, monkeypatch, simulated, capability, mma_k):
    """sm_75 does one m16n8k16 as two m16n8k8, and rounds after each."""
    device = SimpleNamespace(compute_capability=capability)
    monkeypatch.setattr(door, "matmul", lambda a, b, **options: (a.astype(float) @ b).astype(np.float16))
    monkeypatch.setattr(adapter, "SIMULATED", simulated)
    monkeypatch.setattr(adapter, "cuda", SimpleNamespace(get_current_device=lambda: device))
    used, bounding = [], error.product_and_bound

    def product_and_bound(*arguments, mma_k):
        used.append(mma_k)
        return bounding(*arguments, mma_k=mma_k)

    monkeypatch.setattr(error, "product_and_bound", product_and_bound)
    assert ask(*RUN, "128,128,32")[0] == 0
    assert used == [mma_k]


def test_another_seed_is_another_run(ask):
    errors = {
        json.loads(ask(*RUN, "128,128,16", "--json", *seed)[1])["max_error"] for seed in ([], ["--seed", "1"])
    }
    assert len(errors) == 2


@pytest.mark.parametrize("wrong", [0.0, np.nan])
def test_run_exits_1_past_the_bound(ask, monkeypatch, wrong):
    right = door.matmul

    def matmul(a, b, **options):
        c = right(a, b, **options)
        c[5, 7] = wrong
        return c

    monkeypatch.setattr(door, "matmul", matmul)
    code, out, err = ask(*RUN, "128,128,64")
    assert (code, err) == (1, "")
    assert out.endswith("PAST THE BOUND in 1 elements\n")
    code, out, _ = ask(*RUN, "128,128,64", "--json")
    facts = json.loads(out)
    assert (code, facts["ok"], facts["beyond"]) == (1, False, 1)


def test_a_large_result_is_checked_in_rows_from_first_to_last(ask, monkeypatch):
    """And a fault in the last of them is seen."""
    monkeypatch.setattr(cli, "CHECKED_STEPS", 128 * 2 * 5)  # five rows of 128 x 128 x 32
    right = door.matmul
    spoilt = []

    def matmul(a, b, **options):
        c = right(a, b, **options)
        c[spoilt] = 0
        return c

    monkeypatch.setattr(door, "matmul", matmul)
    code, out, _ = ask(*RUN, "128,128,32")
    assert code == 0
    assert "over 5 of 128 rows" in out
    for row in (0, 127):
        spoilt[:] = [row]
        assert ask(*RUN, "128,128,32")[0] == 1


BAD_RUNS = {
    ("128,128",): "argument --size: wanted M,N,K such as 128,128,32, got '128,128'",
    ("128,128,32,16",): "argument --size: wanted M,N,K such as 128,128,32, got '128,128,32,16'",
    ("128,128,many",): "argument --size: wanted M,N,K such as 128,128,32, got '128,128,many'",
    ("128,128,16.0",): "argument --size: wanted M,N,K such as 128,128,32, got '128,128,16.0'",
    ("0,128,16",): "argument --size: wanted sizes above zero, got '0,128,16'",
    ("128,-128,16",): "argument --size: wanted sizes above zero, got '128,-128,16'",
    ("100,128,16",): "python -m kernels: M is 100; the reference kernel wants a multiple of 128",
    ("128,100,16",): "python -m kernels: N is 100; the reference kernel wants a multiple of 128",
    ("128,128,17",): "python -m kernels: K is 17; the reference kernel wants a multiple of 16",
    ("8388608,128,16",): "python -m kernels: M is 8388608; the reference kernel takes at most 8388480 rows",
    ("128,128,16", "--acc", "bf16"): "python -m kernels: acc is 'bf16'; the accumulator is 'f16' or 'f32'",
    ("128,128,16", "--pad", "4"): "python -m kernels: pad is 4; wanted a plain int, 0 or a multiple of 8",
    ("128,128,16", "--pad", "-8"): "python -m kernels: pad is -8; wanted a plain int, 0 or a multiple of 8",
    ("128,128,16", "--pad", "144"): "python -m kernels: pad is 144: the tiles then take 49,664 bytes",
    ("128,128,16", "--pad", "1.5"): "argument --pad: invalid int value: '1.5'",
    ("128,128,16", "--seed", "-1"): "argument --seed: wanted a whole number from 0 up, got '-1'",
    ("128,128,16", "--seed", "x"): "argument --seed: wanted a whole number from 0 up, got 'x'",
    ("128,128,16", "--fast"): "unrecognized arguments: --fast",
}


@pytest.mark.parametrize("words", BAD_RUNS)
def test_a_bad_run_is_refused_in_one_line(nothing_runs, refused, words):
    assert refused(*RUN, *words).startswith(BAD_RUNS[words])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "the following arguments are required"),
        (("multiply",), "argument "),
        (("run", "reference"), "the following arguments are required: --size"),
        (("run", "--size", "128,128,16"), "the following arguments are required: kernel"),
        (
            (*RUN[:1], "fastest", "--size", "128,128,16"),
            "python -m kernels: kernel is 'fastest'; there is reference",
        ),
        (("bench", "fastest"), "python -m kernels: kernel is 'fastest'; there is reference"),
        (("inspect", "reference"), "the following arguments are required: --arch"),
        (
            ("inspect", "fastest", "--arch", "sm_75"),
            "python -m kernels: kernel is 'fastest'; there is reference",
        ),
        (
            ("inspect", "reference", "--arch", "sm_70"),
            "python -m kernels: arch is 'sm_70'; there is sm_75, sm_80, ",
        ),
        (
            ("inspect", "reference", "--arch", "sm_75", "--pad", "4"),
            "python -m kernels: pad is 4; wanted a plain int, 0 or a",
        ),
        (
            ("inspect", "reference", "--arch", "sm_75", "--acc", "x"),
            "python -m kernels: acc is 'x'; the accumul",
        ),
        (
            ("inspect", "reference", "--arch", "sm_75", "--what", "cubin"),
            "argument --what: invalid choice: 'cubin'",
        ),
        (("doctor", "reference"), "unrecognized arguments: reference"),
        (("probe", "--record"), "argument --record: expected one argument"),
    ],
)
def test_bad_words_are_refused_in_one_line(nothing_runs, refused, words, said):
    assert refused(*words).startswith(said)


@pytest.mark.simulator
def test_a_bench_without_a_gpu_is_refused(refused, tmp_path):
    said = "python -m kernels: bench times kernels on a GPU, and the backend is the simulator"
    assert refused("bench", "reference") == said
    assert refused("bench", "reference", "--record", str(tmp_path / "rows.json")) == said
    assert list(tmp_path.iterdir()) == []


def head_of_a_probe():
    """The backend, and in the simulator a word on what that proves."""
    nothing = "the simulator computes with the model: this checks the probe, and nothing about hardware"
    return [backend.describe(), *[nothing] * backend.simulated()]


def test_the_probe_prints_a_line_for_each_instruction_and_records_all(ask, monkeypatch, tmp_path):
    monkeypatch.setattr(probe, "LDMATRIX", [(4, True)])
    monkeypatch.setattr(probe, "MMA", [("m16n8k8", "f32", "f16")])
    file = tmp_path / "probe.json"
    code, out, err = ask("probe", "--record", str(file))
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        *head_of_a_probe(),
        "ldmatrix.x4.trans      every register: as the model says",
        "mma.m16n8k8.f32.f16    16384 pairs of halves, 16 m 8 n 8 k told apart: as the model says",
        f"wrote {file}",
    ]
    recorded = json.loads(file.read_text())
    assert [row["instruction"] for row in recorded["rows"]] == ["ldmatrix.x4.trans", "mma.m16n8k8.f32.f16"]
    assert recorded["provenance"]["backend"] == backend.fixed()
    assert list(tmp_path.iterdir()) == [file]


def test_a_probe_that_finds_a_fault_exits_1(ask, monkeypatch):
    rows = [
        {"instruction": "ldmatrix.x1", "registers": [], "wrong": 0},
        {"instruction": "mma.m16n8k8.f16.f16", "classes": {"m": 16, "n": 8, "k": 4}, "pairs": 9, "wrong": 3},
    ]
    monkeypatch.setattr(probe, "probe", lambda: {"provenance": {}, "rows": rows})
    code, out, err = ask("probe")
    assert (code, err) == (1, "")
    assert out.splitlines() == [
        *head_of_a_probe(),
        "ldmatrix.x1            every register: as the model says",
        "mma.m16n8k8.f16.f16    9 pairs of halves, 16 m 8 n 4 k told apart: 3 WRONG",
    ]


@pytest.mark.parametrize("command", [("probe",), ("bench", "reference")])
@pytest.mark.parametrize("place", ["missing/probe.json", "."])
def test_a_record_that_cannot_be_written_is_refused_before_the_work(
    nothing_runs, refused, tmp_path, command, place
):
    file = tmp_path / place
    said = refused(*command, "--record", str(file))
    assert said == f"python -m kernels: --record {file}: wanted a file in a folder that exists"
    assert list(tmp_path.iterdir()) == []


def test_a_record_replaces_another_whole_or_not_at_all(ask, monkeypatch, tmp_path):
    file = tmp_path / "probe.json"
    file.write_text("the last one\n")
    monkeypatch.setattr(probe, "probe", lambda: {"rows": [], "odd": object()})  # not ready for JSON
    code, _, err = ask("probe", "--record", str(file))
    assert code == 2
    assert "not JSON serializable" in err
    assert file.read_text() == "the last one\n"
    monkeypatch.setattr(probe, "probe", lambda: {"rows": []})
    assert ask("probe", "--record", str(file))[0] == 0
    assert json.loads(file.read_text()) == {"rows": []}
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize(
    ("raised", "line"),
    [
        (RuntimeError("the tool\n  failed"), "python -m kernels: the tool failed"),
        (MemoryError("Unable to allocate 2 TiB"), "python -m kernels: Unable to allocate 2 TiB"),
        (OSError(28, "No space left"), "python -m kernels: [Errno 28] No space left"),
        (backend.BackendError("no GPU"), "python -m kernels: no GPU"),
        (
            ModuleNotFoundError("No module named 'greenlet'"),
            "python -m kernels: No module named 'greenlet'; python -m kernels doctor says what is missing here",
        ),
    ],
)
def test_what_goes_wrong_on_the_way_is_one_line_too(refused, monkeypatch, raised, line):
    def fail(*arguments, **options):
        raise raised

    monkeypatch.setattr(door, "matmul", fail)
    assert refused(*RUN, "128,128,16") == line


def command(*words, program=("-m", "kernels"), stdout=subprocess.PIPE, **environment):
    """Run the command line in a process of its own, in the repository."""
    return subprocess.run(
        [sys.executable, "-W", "error", *program, *words],
        env=os.environ | environment,
        cwd=ROOT,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def listings():
    """What inspect prints of one kernel: `what` and its output. One process asks for all three."""
    asked = ("ptx", "sass", "resources")
    code = (
        "import sys\nfrom kernels.cli import main\n"
        f"for what in {asked!r}:\n"
        "    assert main(['inspect', 'reference', '--arch', 'sm_80', '--acc', 'f32', '--what', what]) == 0\n"
        "    print('----')"
    )
    done = command(program=("-c", code), LANES_BACKEND="simulator")
    assert (done.returncode, done.stderr) == (0, "")
    return dict(zip(asked, done.stdout.split("----\n"), strict=False))


def test_inspect_prints_listings_and_resources(listings):
    assert listings["ptx"].count("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32") == 16
    sass = [inspect.mnemonic(line) for line in listings["sass"].splitlines()]
    assert sass.count("HMMA.16816.F32") == 16
    resources = json.loads(listings["resources"])
    assert (resources["kernel"], resources["arch"], resources["acc"], resources["pad"]) == (
        "reference",
        "sm_80",
        "f32",
        0,
    )
    assert resources["instructions"]["LDSM.16.M88.4"] == 4
    assert resources["spill_store_bytes"] == resources["stack_bytes"] == 0


def test_a_reader_that_stops_is_no_failure():
    """As in ``python -m kernels doctor | head -1``: the reader is gone before anything is printed."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = command("doctor", stdout=writer, PYTHONUNBUFFERED="")
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_doctor_runs_where_every_package_is_missing():
    code = (
        "import sys\n"
        "for name in ('numpy', 'ml_dtypes', 'numba', 'greenlet', 'cuda', 'lanes'): sys.modules[name] = None\n"
        "from kernels.cli import main\nsys.exit(main(['doctor']))"
    )
    done = command(program=("-c", code))
    assert (done.returncode, done.stderr) == (1, "")
    assert "WRONG      nvrtc is missing or does not load" in done.stdout


def test_a_missing_package_is_one_line():
    code = (
        "import sys\nsys.modules['ml_dtypes'] = None\n"
        "from kernels.cli import main\nsys.exit(main(['run', 'reference', '--size', '128,128,16']))"
    )
    done = command(program=("-c", code))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "ml_dtypes" in done.stderr
    assert done.stderr.endswith("; python -m kernels doctor says what is missing here\n")


def test_a_gpu_that_is_not_there_is_one_line():
    done = command(
        *RUN, "128,128,16", LANES_BACKEND="gpu", NUMBA_ENABLE_CUDASIM="0", CUDA_VISIBLE_DEVICES="-1"
    )
    assert (done.returncode, done.stdout, done.stderr) == (
        2,
        "",
        "python -m kernels: LANES_BACKEND=gpu asks for a GPU, and the driver reports none: unset it, or set "
        "LANES_BACKEND=simulator\n",
    )


def test_an_interrupt_is_one_line(ask, monkeypatch):
    def interrupted():
        raise KeyboardInterrupt

    monkeypatch.setattr(probe, "probe", interrupted)
    code, _, err = ask("probe")
    assert (code, err) == (130, "python -m kernels: interrupted\n")


def test_a_record_where_nothing_can_be_written_is_refused_before_the_work(ask, monkeypatch):
    monkeypatch.setattr(probe, "probe", lambda: pytest.fail("the work was started"))
    code, out, err = ask("probe", "--record", "/proc/probe.json")
    assert (code, out) == (2, "")
    assert re.fullmatch(r"python -m kernels: --record /proc/probe.json: it cannot be written \(.*\)\n", err)
