"""Where a recorded run came from."""

from __future__ import annotations

import datetime
import json
import re
import subprocess

import pytest

from kernels import backend, machine, provenance
from kernels.machine import Gpu, Machine


def test_provenance_says_what_ran_where_and_when(monkeypatch):
    here = Machine(
        python="3.12.1",
        driver=(13, 0),
        gpus=(Gpu("NVIDIA H200", (9, 0), 232_448), Gpu("Tesla T4", (7, 5), 65_536)),
        packages={"numba-cuda": "0.30.4"},
        toolkit={"nvrtc": (13, 0)},
    )
    monkeypatch.setattr(machine, "examine", lambda: here)
    monkeypatch.setattr(
        provenance, "output", lambda *command: "580.95.05" if "nvidia-smi" in command else None
    )
    monkeypatch.setenv("LANES_COMMIT", "0123456789ab")
    before = datetime.datetime.now(datetime.UTC).replace(second=0, microsecond=0)
    found = provenance.provenance()
    date = datetime.datetime.strptime(found.pop("date"), "%Y-%m-%d %H:%M UTC").replace(tzinfo=datetime.UTC)
    assert before <= date <= datetime.datetime.now(datetime.UTC)
    assert found == {
        "backend": backend.fixed(),
        "gpu": "NVIDIA H200",
        "capability": (9, 0),
        "driver": "580.95.05",
        "cuda_driver": (13, 0),
        "toolkit": {"nvrtc": (13, 0)},
        "python": "3.12.1",
        "packages": {"numba-cuda": "0.30.4"},
        "commit": "0123456789ab",
    }


def test_this_machine_s_provenance_is_json():
    found = provenance.provenance()
    assert json.loads(json.dumps(found))["backend"] == backend.fixed()
    assert (found["gpu"] is None) == (backend.gpu_count() == 0)
    assert list(found) == [
        "backend",
        "gpu",
        "capability",
        "driver",
        "cuda_driver",
        "toolkit",
        "python",
        "packages",
        "date",
        "commit",
    ]


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """``repository("add", "-A")`` runs git in a fresh repository, and the provenance is asked there."""

    def git(*words):
        me = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
        done = subprocess.run(
            ["git", "-C", tmp_path, *me, *words], capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    monkeypatch.setattr(provenance, "ROOT", tmp_path)
    monkeypatch.delenv("LANES_COMMIT", raising=False)
    git("init", "--quiet")
    (tmp_path / "kernel.py").write_text("1\n")
    git("add", "-A")
    git("commit", "--quiet", "-m", "one")
    return git


def test_the_commit_is_that_of_the_tree(repository):
    commit = provenance.provenance()["commit"]
    assert re.fullmatch("[0-9a-f]{12}", commit)
    assert repository("rev-parse", "HEAD").startswith(commit)


def test_a_tree_that_differs_is_marked(repository, tmp_path):
    commit = provenance.provenance()["commit"]
    (tmp_path / "kernel.py").write_text("2\n")
    assert provenance.provenance()["commit"] == f"{commit}+"
    repository("checkout", "--quiet", "kernel.py")
    assert provenance.provenance()["commit"] == commit
    (tmp_path / "new.py").write_text("3\n")
    assert provenance.provenance()["commit"] == f"{commit}+"


def test_the_environment_s_commit_comes_first(repository, monkeypatch):
    monkeypatch.setenv("LANES_COMMIT", "abc")
    assert provenance.provenance()["commit"] == "abc"
    monkeypatch.setenv("LANES_COMMIT", "")
    assert provenance.provenance()["commit"] == repository("rev-parse", "--short=12", "HEAD")


def test_a_tree_without_history_has_no_commit(tmp_path, monkeypatch):
    monkeypatch.setattr(provenance, "ROOT", tmp_path)
    monkeypatch.delenv("LANES_COMMIT", raising=False)
    assert provenance.provenance()["commit"] is None


def test_a_program_that_is_missing_or_fails_says_nothing():
    assert provenance.output("no-such-program") is None
    assert provenance.output("git", "no-such-command") is None
    assert provenance.output("git", "--exec-path")
