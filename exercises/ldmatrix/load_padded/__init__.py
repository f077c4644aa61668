"""A kernel that loads a fragment from a padded tile. Nothing here imports numba: the worker does."""

import numpy as np
import numpy.typing as npt

from exercises.exercise import Exercise, Finding, Integers
from lanes import diagnose, fragment, ldmatrix

Halves = npt.NDArray[np.uint16]

A = fragment("m16n8k16", "A")
ROWS, COLS = A.shape
PAD = 8
ROW = COLS + PAD  # elements from one row of the tile to the next

TASK = """\
A tile of A lies in shared memory, 16 by 16 elements of 16 bits, row-major, and each row is followed by 8 elements of
padding: from one row to the next it is 24 elements. Load it with `ldmatrix`, so that the registers are the A fragment
of `m16n8k16`.

Write the device function `load_padded(registers, tile, lane)`. All 32 lanes of a warp call it. `registers` is the
lane's own array of four 32-bit registers, and `tile` is the shared array, of one dimension: `at(tile, (i,))` is the
address of its element `i`. It runs on your GPU, or in the simulator.
"""


def tile() -> Halves:
    """The tile with its padding, (16, 24): numbers without pattern, each once, so that each shows where it lay."""
    numbers = np.random.default_rng(ROW).permutation(np.arange(1, 2**16))[: ROWS * ROW]
    return numbers.astype(np.uint16).reshape(ROWS, ROW)


def judge(values: list[Integers]) -> Finding | None:
    """Compare the registers with the model; name the mistake by the addresses or by the layout that they show."""
    words = (values[0] & 0xFFFFFFFF).astype("<u4")
    got = words.view("<u2").reshape(32, 4, 2)  # half 0 is the low 16 bits
    found = diagnose(got, A, source=tile())
    if found is None:
        return None
    if (words == words[0, 0]).all():
        return Finding("constant", f"Every register holds one and the same. {found.difference}")
    for name, meaning, offsets in _addresses(got):
        if np.array_equal(got, _loaded(offsets)):
            return Finding(name, f"{meaning} {found.difference}")
    return Finding(found.name, found.sentence)


def _addresses(got: Halves) -> list[tuple[str, str, Integers]]:
    """Mistakes that are wrong offsets of the 32 lanes, in halves."""
    lane = np.arange(32)
    start = np.flatnonzero(tile() == got[0, 0, 0])
    same = np.repeat(start if len(start) else 0, 32)
    return [
        (
            "forgot-padding",
            "Rows are taken to be 16 halves apart, and they are 24.",
            lane % 16 * COLS + lane // 16 * 8,
        ),
        ("one-address", "All lanes supply one and the same address.", same),
    ]


def _loaded(offsets: Integers) -> Halves:
    """What ldmatrix gives if lane i points at element offsets[i] of the tile; zeros from beyond its end."""
    memory = np.append(tile(), np.zeros(8, np.uint16))
    return ldmatrix(memory[offsets[:, np.newaxis] + np.arange(8)])


EXERCISE = Exercise(
    name="load-padded",
    chapter=3,
    title="Load from a padded tile",
    task=TASK,
    right="All registers hold the fragment of A, and none holds padding.",
    package=__name__,
    wrong={
        "padding_forgotten": "forgot-padding",
        "matrices_across_first": "registers-1-and-2-swapped",
        "transposed": "extra-trans",
        "a_matrix_too_far": "shifted-matrix",
        "the_same_for_all": "one-address",
        "nothing_loaded": "constant",
    },
    inputs=(tile(),),
    shapes=((32, 4),),
    judge=judge,
)
