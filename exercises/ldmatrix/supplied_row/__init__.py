"""Which row address does a lane supply?"""

import numpy as np

from exercises.exercise import Exercise, Finding, Integers
from lanes import diagnose, fragment, ldmatrix, ldmatrix_row

A = fragment("m16n8k16", "A")
ROWS, COLS = A.shape

TASK = """\
A tile of A lies in shared memory, 16 by 16 elements, row-major. `ldmatrix_x4` shall load it so that the registers
of the lanes are the A fragment of `m16n8k16`. Each lane supplies the address of one row of 8 elements.

Write `supplied_row(lane)`. It returns `(row, col)`: where in the tile the row begins whose address the lane supplies.
"""


def expected() -> Integers:
    """(row, col) for each lane, (32, 2): the lane's row of the matrix it supplies, from that matrix's corner in A."""
    places = [ldmatrix_row(4).supplier(lane) for lane in range(32)]
    return np.array([np.add(A.blocks[place[0]], (place[1], 0)) for place in places if place])


def judge(values: list[Integers]) -> Finding | None:
    """Compare the 32 addresses with the model's; name the mistake by them, or by what ldmatrix would load."""
    (got,) = values
    wanted = expected()
    wrong = np.flatnonzero((got != wanted).any(axis=1))
    if len(wrong) == 0:
        return None
    lane = wrong[0]
    (row, col), (got_row, got_col) = wanted[lane], got[lane]
    first = f"Lane {lane} should supply A({row},{col}) and supplies ({got_row},{got_col})."
    mistake, meaning = _named(got, wanted)
    return Finding(mistake, f"{meaning} {first}")


def _named(got: Integers, wanted: Integers) -> tuple[str, str]:
    received = A.coords[:, 0, 0]
    if (got == got[0]).all():
        return "constant", "Every lane supplies the same row."
    if np.array_equal(got, received):
        return (
            "receiver-for-supplier",
            "That is where the elements lie that a lane receives, not the row it supplies.",
        )
    if np.array_equal(got, wanted[:, ::-1]):
        return "row-and-col-swapped", "Row and column have changed places."
    if (got < 0).any() or (got[:, 0] >= ROWS).any() or (got[:, 1] > COLS - 8).any():
        return "outside-the-tile", "Some of the rows of 8 elements do not lie in the 16 by 16 tile."
    tile = np.arange(ROWS * COLS, dtype=np.uint16).reshape(A.shape)
    rows = np.stack([tile[row, col : col + 8] for row, col in got])
    found = diagnose(ldmatrix(rows), A, source=tile)
    assert found is not None, "other addresses load other elements"
    return found.name, found.meaning


EXERCISE = Exercise(
    name="supplied-row",
    chapter=3,
    title="Which row a lane supplies",
    task=TASK,
    right="All 32 lanes supply the rows that ldmatrix needs for the fragment of A.",
    package=__name__,
    wrong={
        "what_the_lane_receives": "receiver-for-supplier",
        "matrices_across_first": "registers-1-and-2-swapped",
        "col_before_row": "row-and-col-swapped",
        "a_pile_of_32_rows": "outside-the-tile",
        "the_same_for_all": "constant",
    },
    inputs=(),
    shapes=((32, 2),),
    judge=judge,
)
