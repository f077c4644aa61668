"""What every exercise must be, and that its check judges by the model and by nothing else."""

import re
import types
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exercises import EXERCISES, check, get
from exercises.exercise import Exercise
from exercises.ldmatrix import load_padded, numpy_ldmatrix, supplied_row
from exercises.listener import Outcome
from exercises.verify import faults
from lanes.diagnose import MISTAKES

RIGHTS: dict[str, Any] = {name: import_module(f"rights.{name.replace('-', '_')}") for name in EXERCISES}
RIGHT = {name: module.right() for name, module in RIGHTS.items()}
# The names that a wrong answer may fail by: those of layouts, and those that the exercises add.
KNOWN = {mistake.name for mistake in MISTAKES}.union(*(module.MISTAKES for module in RIGHTS.values()))

every_exercise = pytest.mark.parametrize("exercise", EXERCISES.values(), ids=list(EXERCISES))


@every_exercise
def test_the_solution_passes_the_stub_fails_and_every_wrong_answer_fails_by_its_name(exercise):
    assert faults(exercise) == []


def test_names_are_kebab_case_and_stand_once():
    assert list(EXERCISES) == [exercise.name for exercise in EXERCISES.values()]
    assert len({exercise.package for exercise in EXERCISES.values()}) == len(EXERCISES)
    for name in EXERCISES:
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)


@every_exercise
def test_an_exercise_has_at_least_three_wrong_answers_by_known_names(exercise):
    assert len(exercise.wrong) >= 3
    assert set(exercise.wrong.values()) <= KNOWN
    assert len(set(exercise.wrong.values())) == len(exercise.wrong)


@every_exercise
def test_each_function_in_a_file_of_answers_is_meant(exercise):
    assert list(exercise.answers("stub")) == list(exercise.answers("solution")) == [exercise.function]
    assert list(exercise.answers("wrong")) == list(exercise.wrong)


@every_exercise
def test_the_stub_says_where_to_fill_in_and_is_not_the_solution(exercise):
    assert re.search(r"# FILL IN \(about \d lines\)", exercise.stub)
    assert "FILL IN" not in exercise.solution
    assert f"`{exercise.function}(" in exercise.task
    assert exercise.chapter in range(1, 6)
    assert exercise.title


@every_exercise
def test_an_exercise_shows_its_title_and_its_task(exercise):
    assert repr(exercise) == f"{exercise.name}: {exercise.title}\n\n{exercise.task}"
    assert exercise._repr_markdown_() == f"**{exercise.title}.** {exercise.task}"


def test_an_exercise_with_two_wrong_answers_is_refused():
    fields = {name: getattr(EXERCISES["supplied-row"], name) for name in Exercise.__dataclass_fields__}
    with pytest.raises(ValueError, match=r"supplied-row has 2 wrong answers; wanted at least 3\."):
        Exercise(**fields | {"wrong": {"one": "constant", "two": "constant"}})


def test_an_unknown_name_is_refused_with_those_there_are():
    for name in ("supplied_row", "", None, ["supplied-row"]):
        with pytest.raises(ValueError, match=f"there is {', '.join(EXERCISES)}"):
            check(name, print)
    assert get("supplied-row") is EXERCISES["supplied-row"]


@every_exercise
def test_values_are_compared_here_and_the_worker_is_sent_inputs_alone(exercise, monkeypatch):
    sent = []

    def run(answer, inputs, runner, **limits):
        sent.append((answer, inputs, runner))
        return Outcome(values=[values.tolist() for values in RIGHT[exercise.name]])

    monkeypatch.setattr("exercises.process.run", run)
    assert exercise.check(len).passed
    assert sent == [(len, exercise.inputs, f"{exercise.package}.run")]


@every_exercise
def test_the_right_values_pass_and_one_that_differs_does_not(exercise):
    right = RIGHT[exercise.name]
    assert exercise.judge(right) is None
    for which, values in enumerate(right):
        for place in [0, values.size // 3, values.size - 1]:
            wrong = [entry.copy() for entry in right]
            wrong[which].flat[place] += 1
            assert exercise.judge(wrong) is not None, (which, place)


@every_exercise
@pytest.mark.parametrize("value", [0, 1, -1, 7, 2**31, -(2**40)])
def test_no_constant_passes(exercise, value):
    finding = exercise.judge([np.full(shape, value) for shape in exercise.shapes])
    assert finding.mistake == "constant"


@every_exercise
def test_values_of_an_input_are_unique_and_without_pattern(exercise):
    for entry in exercise.inputs:
        array = entry[0] if isinstance(entry, tuple) else entry
        assert len(np.unique(array)) == array.size
        assert len(np.unique(np.diff(array.reshape(-1).astype(int)))) > array.size // 2


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.integers(-40, 40), st.integers(-40, 40)), min_size=32, max_size=32))
def test_any_32_places_are_judged(places):
    got = np.array(places)
    assert (supplied_row.judge([got]) is None) == (got == RIGHT["supplied-row"][0]).all()


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(0, 383), min_size=32, max_size=32))
def test_any_32_offsets_are_judged(offsets):
    (tile,) = EXERCISES["load-padded"].inputs
    memory = np.append(tile, np.zeros(8, np.uint16))
    rows = np.array([memory[offset : offset + 8] for offset in offsets])
    held = np.ascontiguousarray(load_padded.ldmatrix(rows)).view(np.uint32).reshape(32, 4).astype(np.int64)
    right = [lane % 16 * 24 + lane // 16 * 8 for lane in range(32)]
    assert (load_padded.judge([held]) is None) == (offsets == right)


@pytest.mark.parametrize(
    ("formula", "mistake", "wanted", "got"),
    [
        (lambda lane: (lane // 4, 2 * (lane % 4)), "receiver-for-supplier", "Lane 1: (1,0)", "(0,2)"),
        (
            lambda lane: (lane % 8 + lane // 16 * 8, lane // 8 % 2 * 8),
            "registers-1-and-2-swapped",
            "Lane 8: (8,0)",
            "(0,8)",
        ),
        (lambda lane: (lane // 16 * 8, lane % 16), "row-and-col-swapped", "Lane 1: (1,0)", "(0,1)"),
        (lambda lane: (lane, 0), "outside-the-tile", "Lane 16: (0,8)", "(16,0)"),
        (lambda lane: (lane % 16, lane // 16 * 8 - 1), "outside-the-tile", "Lane 0: (0,0)", "(0,-1)"),
        (lambda lane: (4, 8), "constant", "Lane 0: (0,0)", "(4,8)"),
        (lambda lane: (lane % 16, lane // 16 * 4), "unknown", "Lane 16: (0,8)", "(0,4)"),
    ],
)
def test_the_sentence_about_addresses_shows_the_first_lane_that_differs(formula, mistake, wanted, got):
    finding = supplied_row.judge([np.array([formula(lane) for lane in range(32)])])
    lane, place = wanted.split(": ")
    assert finding.mistake == mistake
    assert finding.sentence.endswith(f"{lane} should supply A{place} and supplies {got}.")


def test_the_sentence_about_ldmatrix_says_in_which_case():
    values = [entry.copy() for entry in RIGHT["numpy-ldmatrix"]]
    cases = list(numpy_ldmatrix.CASES)
    values[cases.index((2, True))] = values[cases.index((2, True))][:, :, ::-1]
    finding = numpy_ldmatrix.judge(values)
    assert finding.mistake == "halves-swapped"
    assert "In x2 with .trans: Lane 0, reg 0, half 0 should hold (0,0) of matrix 0" in finding.sentence


def test_a_case_whose_mistake_has_a_name_goes_before_one_without():
    values = [entry.copy() for entry in RIGHT["numpy-ldmatrix"]]
    values[0][[0, 1]] = values[0][[1, 0]]
    values[2] = values[2][:, :, ::-1]
    assert numpy_ldmatrix.judge(values).mistake == "halves-swapped"
    assert numpy_ldmatrix.judge([values[0], *RIGHT["numpy-ldmatrix"][1:]]).mistake == "unknown"


@every_exercise
def test_verify_finds_what_does_not_hold(exercise, monkeypatch):
    """Every answer fails as "constant" here, and the right names are found to be wrong."""

    def failing(self, answer):
        assert isinstance(answer, types.FunctionType)
        return type("Result", (), {"passed": False, "mistake": "constant"})()

    monkeypatch.setattr(Exercise, "check", failing)
    found = faults(exercise)
    assert found[0].startswith("the solution fails: ")
    wrong = [name for name, mistake in exercise.wrong.items() if mistake != "constant"]
    assert [sentence.split()[0] for sentence in found[1:]] == wrong


def test_verify_finds_a_stub_that_passes_and_an_answer_that_is_not_there(monkeypatch):
    exercise = EXERCISES["supplied-row"]
    passing = type("Result", (), {"passed": True, "mistake": None})()
    monkeypatch.setattr(Exercise, "check", lambda self, answer: passing)
    assert faults(exercise)[0].startswith("the stub should run and fail")
    monkeypatch.setattr(Exercise, "answers", lambda self, file: {})
    assert faults(exercise)[0] == "solution.py has no function supplied_row"
    assert "wrong.py has no function col_before_row" in faults(exercise)
