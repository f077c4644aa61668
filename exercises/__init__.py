"""Exercises: a reader writes a function, and a check says what is right or which mistake it is.

    from exercises import check

    check("supplied-row", supplied_row)

The result shows one paragraph, has `.passed` and `.mistake`, and is true where the answer passed. An answer runs in
a process of its own, for a few seconds at most; the comparison with the model is made here, on plain numbers.

``python -m exercises list`` names the exercises, and ``python -m exercises verify`` proves that their solutions
pass, that their stubs fail, and that each of their wrong answers fails by the name of its mistake.
"""

from typing import Any

from exercises.exercise import Exercise
from exercises.ldmatrix import load_padded, numpy_ldmatrix, supplied_row
from exercises.listener import CheckError
from exercises.result import Result
from exercises.tiles import claim_patch, place_thread, tile_resources, warp_reads

EXERCISES: dict[str, Exercise] = {
    exercise.name: exercise
    for exercise in (
        place_thread.EXERCISE,
        tile_resources.EXERCISE,
        warp_reads.EXERCISE,
        claim_patch.EXERCISE,
        supplied_row.EXERCISE,
        numpy_ldmatrix.EXERCISE,
        load_padded.EXERCISE,
    )
}


def get(name: str) -> Exercise:
    """Return the exercise of that name. Raises ValueError, with the names there are, for another.

    >>> get("supplied-row").chapter
    3
    """
    if not isinstance(name, str) or name not in EXERCISES:
        raise ValueError(f"exercise is {name!r}; there is {', '.join(EXERCISES)}")
    return EXERCISES[name]


def check(name: str, answer: Any) -> Result:
    """Check an answer, a function, to the exercise of that name.

    Raises ValueError for a name there is not, and CheckError if the check could not run.

    >>> check("supplied-row", lambda lane: (lane % 16, lane // 16 * 8))
    supplied-row: passed. All 32 lanes supply the rows that ldmatrix needs for the fragment of A.
    """
    return get(name).check(answer)


__all__ = ["EXERCISES", "CheckError", "Exercise", "Result", "check", "get"]
