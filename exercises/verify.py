"""Prove an exercise: its solution passes, its stub fails, and every wrong answer fails by the name of its mistake."""

from exercises.exercise import Exercise
from exercises.result import Result

# A stub must run: it shows a reader what a failed check looks like, not an exception.
BROKEN = ("not-callable", "not-sendable", "raises", "garbled", "too-slow")


def faults(exercise: Exercise) -> list[str]:
    """Return what is not so, in sentences; nothing where all is well.

    Raises CheckError if a check could not run.
    """
    found = []
    for file, name in (("solution", exercise.function), ("stub", exercise.function)):
        answers = exercise.answers(file)
        if name not in answers:
            found.append(f"{file}.py has no function {name}")
            continue
        result = exercise.check(answers[name])
        if file == "solution" and not result.passed:
            found.append(f"the solution fails: {_told(result)}")
        if file == "stub" and (result.passed or result.mistake in BROKEN):
            found.append(f"the stub should run and fail: {_told(result)}")
    answers = exercise.answers("wrong")
    for name, mistake in exercise.wrong.items():
        if name not in answers:
            found.append(f"wrong.py has no function {name}")
            continue
        result = exercise.check(answers[name])
        if result.mistake != mistake:
            found.append(f"{name} should fail as {mistake}: {_told(result)}")
    return found


def _told(result: Result) -> str:
    return " ".join(repr(result).split())
