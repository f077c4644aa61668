"""`python -m exercises`, in this process and in its own."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import exercises
from exercises import EXERCISES, CheckError
from exercises.cli import main
from exercises.exercise import Exercise

COMMAND = [sys.executable, "-W", "error", "-m", "exercises"]


def test_the_list_as_json_has_every_exercise_and_its_wrong_answers(capsys):
    assert main(["list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == [
        {"name": one.name, "chapter": one.chapter, "title": one.title, "wrong": dict(one.wrong)}
        for one in EXERCISES.values()
    ]


def test_the_list_has_a_line_for_each(capsys):
    assert main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(EXERCISES)
    assert all("chapter 3" in line for line in lines)


@pytest.fixture
def holding(monkeypatch):
    """Every exercise holds, but those that the test puts in here, which have the fault given."""
    broken = {}
    monkeypatch.setattr("exercises.cli.faults", lambda exercise: broken.get(exercise.name, []))
    return broken


def test_verify_has_a_line_for_each_and_one_in_sum(holding, capsys):
    assert main(["verify"]) == 0
    *lines, total = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == list(EXERCISES)
    assert total == "3 of 3 exercises hold"


def test_verify_says_what_does_not_hold(holding, capsys):
    holding["load-padded"] = ["the solution fails: x", "the stub should run and fail: y"]
    assert main(["verify", "load-padded", "supplied-row", "load-padded"]) == 1
    first, second, total = capsys.readouterr().out.splitlines()
    assert first.startswith("load-padded: FAILED the solution fails: x; the stub should run and fail: y")
    assert second.startswith(
        "supplied-row: the solution passes, the stub fails, 5 wrong answers fail by name"
    )
    assert total == "1 of 2 exercises hold"


def test_verify_finds_an_exercise_whose_solution_fails(monkeypatch, capsys):
    """Not the program that finds it, but the answers themselves: the solution is the stub here."""
    right = Exercise.answers
    swapped = {"solution": "stub", "stub": "solution"}
    monkeypatch.setattr(Exercise, "answers", lambda self, file: right(self, swapped.get(file, file)))
    assert main(["verify", "supplied-row"]) == 1
    line = capsys.readouterr().out.splitlines()[0]
    assert "the solution fails: supplied-row: not yet (constant)" in line
    assert "the stub should run and fail: supplied-row: passed" in line


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ([], "{list,verify}"),
        (["frobnicate"], "{list,verify}"),
        (["verify", "supplied_row"], f"there is {', '.join(EXERCISES)}"),
        (["verify", "a\nb"], "exercise is 'a\\nb'"),
        (["list", "--js"], "usage:"),
    ],
)
def test_bad_input_is_one_line_that_names_what_there_is(capsys, words, wanted):
    assert main(words) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert wanted in printed.err


def test_a_check_that_cannot_run_is_no_verdict(monkeypatch, capsys):
    def cannot(self, answer):
        raise CheckError("the checking process could not start: no memory")

    monkeypatch.setattr(Exercise, "check", cannot)
    assert main(["verify", "supplied-row"]) == 2
    assert capsys.readouterr().err == "python -m exercises: the checking process could not start: no memory\n"


def test_the_program_runs_from_another_directory(tmp_path):
    environment = os.environ | {"PYTHONPATH": str(Path(exercises.__file__).parents[1])}
    command = [*COMMAND, "verify", "supplied-row"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("1 of 1 exercises hold\n")
    assert list(tmp_path.iterdir()) == []


def test_a_reader_who_has_enough_gets_no_traceback():
    with subprocess.Popen([*COMMAND, "list"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        program.stdout.close()
        assert program.stderr.read() == b""
        assert program.wait() == 0


def test_a_full_disk_is_one_line():
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "exercises", "list"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "python -m exercises: [Errno 28] No space left on device\n"
