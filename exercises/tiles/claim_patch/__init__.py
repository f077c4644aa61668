"""A device function in which a thread claims its patch of C. Nothing here imports numba: the worker does."""

import numpy as np

from exercises.exercise import Exercise, Finding, Integers
from lanes import REFERENCE, fragment, mma_origins

ROWS, COLS = REFERENCE.block[:2]
SIDE = 256  # of the matrix that the block is the top left corner of

TASK = """\
Run the map of C. `owners` is a matrix of 256 by 256 whole numbers, all -1, and a block of the reference kernel owns its
top left corner, 128 by 128. Each of the 256 threads shall write its number to every element that it owns: in each of
its warp's 4 by 4 mmas of 16 by 8, a lane has two neighbours in row `lane // 4`, from column `lane % 4 * 2` on, and two
more eight rows below.

Write the device function `claim_patch(owners, thread)`. All 256 threads of the block call it. It runs on your GPU, or
in the simulator.
"""


def expected() -> Integers:
    """The thread that owns each element, (256, 256), as the model has it; -1 outside of the block."""
    part = fragment(REFERENCE.mma, "C")
    rows, cols = part.coords[..., 0], part.coords[..., 1]  # (32, registers, 2)
    lanes = np.broadcast_to(np.arange(32).reshape(32, 1, 1), rows.shape)
    owners = np.full((SIDE, SIDE), -1)
    for warp in range(REFERENCE.warps):
        for top, left in mma_origins(REFERENCE, warp):
            owners[top + rows, left + cols] = 32 * warp + lanes
    return owners


def judge(values: list[Integers]) -> Finding | None:
    """Compare the owners with the model's; name the mistake by what is written where."""
    (got,) = values
    wanted = expected()
    wrong = np.argwhere(got != wanted)
    if len(wrong) == 0:
        return None
    row, col = wrong[0]
    owner, claimed = wanted[row, col], got[row, col]
    belongs = f"belongs to thread {owner}" if owner >= 0 else "belongs to another block"
    first = f"C({row},{col}) {belongs} and {'nobody writes it' if claimed == -1 else f'{claimed} is there'}."
    mistake, meaning = _named(got, wanted)
    return Finding(mistake, f"{meaning} {first}")


def _named(got: Integers, wanted: Integers) -> tuple[str, str]:
    inside = got[:ROWS, :COLS]
    if (inside == inside[0, 0]).all():
        return "constant", "The whole block holds one and the same number."
    if (got[wanted < 0] != -1).any():
        return "outside-the-block", "Some threads write beyond the 128 by 128 of this block."
    row, col = np.indices((ROWS, COLS))
    theirs = wanted[:ROWS, :COLS]
    lane = row % 16 * 2 + col % 8 // 4  # if four neighbours in one row were one lane's
    for name, meaning, wrong in (
        (
            "warps-along-n",
            "The warps are numbered along N first; the kernel numbers them down M first.",
            32 * (row // 64 * 4 + col // 32) + theirs % 32,
        ),
        (
            "half-of-each-mma",
            "The lower 8 rows of each mma are left out.",
            np.where(row % 16 < 8, theirs, -1),
        ),
        (
            "one-mma",
            "Each warp does the first of its 16 mmas only.",
            np.where((row % 64 < 16) & (col % 32 < 8), theirs, -1),
        ),
        (
            "four-neighbours",
            "A lane does not own four neighbours, but two, and two eight rows below.",
            theirs // 32 * 32 + lane,
        ),
    ):
        if np.array_equal(inside, wrong):
            return name, meaning
    return "unknown", "This is none of the usual mistakes."


EXERCISE = Exercise(
    name="claim-patch",
    chapter=1,
    title="Claim a patch of C",
    task=TASK,
    right="All 16384 elements of the block belong to the threads that the model gives them to, and no others.",
    package=__name__,
    wrong={
        "along_n_first": "warps-along-n",
        "two_across": "outside-the-block",
        "upper_rows_only": "half-of-each-mma",
        "the_first_mma_only": "one-mma",
        "four_in_a_row": "four-neighbours",
        "nothing_claimed": "constant",
    },
    inputs=(),
    shapes=((SIDE, SIDE),),
    judge=judge,
)
