"""An exercise: its task, the sources of its answers, and the check that chapters and assignments share.

An exercise is a folder with five files. `__init__.py` has the task and the comparison with the model, `run.py` is
what the worker does with an answer, and three files hold answers as a reader would write them: `stub.py` runs and
fails, `solution.py` passes, and each function in `wrong.py` fails with the name that `wrong` gives it.
"""

import linecache
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from exercises import process
from exercises.listener import GARBLED, Outcome
from exercises.result import Result

Integers = npt.NDArray[np.int64]


class Finding(NamedTuple):
    """What is wrong with values that came back: the mistake's name, and a sentence with the first that differs."""

    mistake: str
    sentence: str


@dataclass(frozen=True, repr=False)
class Exercise:
    """One exercise. Its answer is a function that has the exercise's name, with underscores.

    name: kebab-case. chapter: its number in the book. title: a few words. task: Markdown. right: what is said of an
    answer that passes. package: the folder's. wrong: for each function in `wrong.py`, the mistake it must fail by.
    inputs: what the worker is given. shapes: of the integers that come back. judge: compares them with the model.
    seconds: how long an answer may take, once its process is ready; gpu_seconds the same where kernels are compiled
    for a GPU.

    Raises ValueError, when made, with fewer than three wrong answers.
    """

    name: str
    chapter: int
    title: str
    task: str
    right: str
    package: str
    wrong: Mapping[str, str]
    inputs: tuple[Any, ...]
    shapes: tuple[tuple[int, ...], ...]
    judge: Callable[[list[Integers]], Finding | None]
    seconds: int = 4
    gpu_seconds: int = 60

    def __post_init__(self) -> None:
        """A check that rejects little proves little."""
        if len(self.wrong) < 3:
            raise ValueError(f"{self.name} has {len(self.wrong)} wrong answers; wanted at least 3.")

    def __repr__(self) -> str:
        return f"{self.name}: {self.title}\n\n{self.task}"

    @property
    def function(self) -> str:
        """The name of the function that a reader writes."""
        return self.name.replace("-", "_")

    @property
    def folder(self) -> Path:
        """Where the answers' sources are."""
        return Path(__file__).parents[1].joinpath(*self.package.split("."))

    @property
    def stub(self) -> str:
        """The source that a reader begins with."""
        return (self.folder / "stub.py").read_text()

    @property
    def solution(self) -> str:
        """The source of an answer that passes."""
        return (self.folder / "solution.py").read_text()

    def _repr_markdown_(self) -> str:
        return f"**{self.title}.** {self.task}"

    def answers(self, file: str) -> dict[str, Callable[..., Any]]:
        """Return the functions in "stub", "solution" or "wrong", made from their source as a notebook makes them."""
        path = self.folder / f"{file}.py"
        source, name = path.read_text(), f"<{self.name} {path.name}>"
        linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
        namespace: dict[str, Any] = {"__name__": "__main__"}
        exec(compile(source, name, "exec"), namespace)
        return {
            name: value
            for name, value in namespace.items()
            if isinstance(value, types.FunctionType) and value.__module__ == "__main__" and name[0] != "_"
        }

    def check(self, answer: Any) -> Result:
        """Run an answer in a process of its own and compare what it returns, element by element, with the model.

        Raises CheckError if the check could not run, which says nothing about the answer.
        """
        if not callable(answer):
            sentence = (
                f"The answer is of type {type(answer).__name__}; wanted the function {self.function} itself."
            )
            return Result(self.name, False, "not-callable", sentence)
        outcome = process.run(
            answer, self.inputs, f"{self.package}.run", seconds=self.seconds, gpu_seconds=self.gpu_seconds
        )
        if outcome.mistake is None:
            outcome = self._judged(outcome)
        if outcome.mistake is None:
            return Result(self.name, True, None, self.right, outcome.printed)
        return Result(
            self.name, False, outcome.mistake, outcome.sentence + _line(outcome.place), outcome.printed
        )

    def _judged(self, outcome: Outcome) -> Outcome:
        try:
            found = [np.array(value) for value in outcome.values or []]
        except (ValueError, OverflowError):  # a forged result
            found = []
        if tuple(array.shape for array in found) != self.shapes or any(
            array.dtype != np.int64 for array in found
        ):
            return replace(outcome, mistake=GARBLED.mistake, sentence=GARBLED.sentence)
        finding = self.judge(found)
        return (
            outcome
            if finding is None
            else replace(outcome, mistake=finding.mistake, sentence=finding.sentence)
        )


def _line(place: tuple[str, int] | None) -> str:
    """The reader's own line. Only this process knows the source of a notebook's cells."""
    if place is None:
        return ""
    source = linecache.getline(*place).strip()
    return f" That was in line {place[1]}{f': {source}' if source else ''}"
