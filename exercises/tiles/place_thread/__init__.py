"""Where does a thread stand, and where does its patch of C begin?"""

from collections.abc import Callable

import numpy as np

from exercises.exercise import Exercise, Finding, Integers
from lanes import REFERENCE, fragment

LANES_OF_C = (
    fragment(REFERENCE.mma, "C").coords[:, 0, 0].tolist()
)  # where each lane's first element is in an mma

TASK = """\
In the reference kernel, 256 threads are 2 by 4 warps, numbered down M first. Each warp owns 64 by 32 of the block's
part of C. In every `mma` of 16 by 8, a lane's first element is in row `lane // 4`, column `lane % 4 * 2`.

Write `place_thread(thread)`. It returns `(warp, lane, warp_m, warp_n, row, col)`: where the thread stands, and where in
the block's part of C its first element is.
"""


def expected() -> Integers:
    """The six numbers of each thread, (256, 6), as the model has them."""
    found = []
    for thread in range(REFERENCE.threads):
        place = REFERENCE.place(thread)
        corner = REFERENCE.c_origin(place.warp, 0, 0)
        found.append([*place, *np.add(corner, LANES_OF_C[place.lane])])
    return np.array(found)


def judge(values: list[Integers]) -> Finding | None:
    """Compare the six numbers of all threads with the model's; name the mistake that gives all of them."""
    (got,) = values
    wanted = expected()
    wrong = np.flatnonzero((got != wanted).any(axis=1))
    if len(wrong) == 0:
        return None
    thread = wrong[0]
    first = (
        f"Thread {thread} should be at {tuple(wanted[thread].tolist())} "
        f"and is at {tuple(got[thread].tolist())}."
    )
    mistake, meaning = _named(got, wanted)
    return Finding(mistake, f"{meaning} {first}")


def _named(got: Integers, wanted: Integers) -> tuple[str, str]:
    if (got == got[0]).all():
        return "constant", "Every thread is at the same place."
    for name, meaning, wrong in MISTAKES:
        if np.array_equal(got, wrong(wanted)):
            return name, meaning
    return "unknown", "This is none of the usual mistakes."


def _at(wanted: Integers, warp_m: Integers, warp_n: Integers, row: int = 64, col: int = 32) -> Integers:
    """The six numbers if the warps stood so, and a warp's part were that large."""
    down, right = np.array(LANES_OF_C)[wanted[:, 1]].T
    return np.stack([*wanted[:, :2].T, warp_m, warp_n, warp_m * row + down, warp_n * col + right], axis=1)


MISTAKES: list[tuple[str, str, Callable[[Integers], Integers]]] = [
    (
        "warps-along-n",
        "The warps are numbered along N first; the kernel numbers them down M first.",
        lambda wanted: _at(wanted, wanted[:, 0] // 4, wanted[:, 0] % 4),
    ),
    (
        "warp-m-and-n-swapped",
        "warp_m and warp_n have changed places: the grid is 2 down and 4 across.",
        lambda wanted: _at(wanted, wanted[:, 3], wanted[:, 2]),
    ),
    (
        "mma-for-warp-tile",
        "A step from warp to warp is one mma here, 16 by 8; it is a warp's whole part, 64 by 32.",
        lambda wanted: _at(wanted, wanted[:, 2], wanted[:, 3], 16, 8),
    ),
    (
        "corner-of-the-warp",
        "That is the corner of the warp's part, and not the lane's own element in it.",
        lambda wanted: np.stack([*wanted[:, :4].T, wanted[:, 2] * 64, wanted[:, 3] * 32], axis=1),
    ),
    (
        "row-and-col-swapped",
        "Row and column have changed places.",
        lambda wanted: wanted[:, [0, 1, 2, 3, 5, 4]],
    ),
]


EXERCISE = Exercise(
    name="place-thread",
    chapter=1,
    title="From a thread's number to its patch of C",
    task=TASK,
    right="All 256 threads know their warp, their lane, and where their patch of C begins.",
    package=__name__,
    wrong={
        "along_n_first": "warps-along-n",
        "two_across": "warp-m-and-n-swapped",
        "a_warp_is_one_mma": "mma-for-warp-tile",
        "lanes_forgotten": "corner-of-the-warp",
        "col_before_row": "row-and-col-swapped",
        "the_same_for_all": "constant",
    },
    inputs=(),
    shapes=((256, 6),),
    judge=judge,
)
