"""How many bytes does a warp read from shared memory in a step?"""

import numpy as np

from exercises.exercise import Exercise, Finding, Integers
from lanes import Tiling, smem_reads

# mmas_m, mmas_n, strides. A warp's own bytes do not depend on how many warps there are.
CASES = tuple((m, n, strides) for m, n in ((2, 6), (4, 4), (2, 8), (8, 2)) for strides in (False, True))

TASK = """\
In each step a warp does `mmas_m` by `mmas_n` of `m16n8k16`. The fragments of A, 16 by 16, and of B, 16 by 8, come from
shared memory, in f16.

If the warp owns a block of mmas, `strides` is `False`: it loads the fragment of each of its rows of mmas and of each of
its columns once, and keeps it until the step is done. If `strides` is `True`, the warp's mmas lie far apart, and it
loads both fragments anew for each of them.

Write `warp_reads(mmas_m, mmas_n, strides)`. It returns `(a_bytes, b_bytes)`: what the warp reads in a step.
"""


def expected() -> Integers:
    """(a_bytes, b_bytes) of each case, as the model has them."""
    found = []
    for mmas_m, mmas_n, strides in CASES:
        tiling = Tiling("m16n8k16", warps_m=1, warps_n=1, mmas_m=mmas_m, mmas_n=mmas_n)
        found.append(smem_reads(tiling, 0, "striding" if strides else "blocked", kept=not strides))
    return np.array(found)


def judge(values: list[Integers]) -> Finding | None:
    """Compare all cases with the model's; name the mistake that gives all of their numbers."""
    (got,) = values
    wanted = expected()
    wrong = np.flatnonzero((got != wanted).any(axis=1))
    if len(wrong) == 0:
        return None
    case = wrong[0]
    first = (
        f"For {CASES[case]} it should be {tuple(wanted[case].tolist())} and is {tuple(got[case].tolist())}."
    )
    mistake, meaning = _named(got, wanted)
    return Finding(mistake, f"{meaning} {first}")


def _named(got: Integers, wanted: Integers) -> tuple[str, str]:
    if (got == got[0]).all():
        return "constant", "Every case gives the same bytes."
    mmas_m, mmas_n, strides = np.array(CASES).T
    blocked = np.where(strides[:, np.newaxis], np.roll(wanted, 1, axis=0), wanted)  # each follows its twin
    striding = np.where(strides[:, np.newaxis], wanted, np.roll(wanted, -1, axis=0))
    crossed = np.where(strides[:, np.newaxis], wanted, np.stack([mmas_n * 512, mmas_m * 256], axis=1))
    for name, meaning, wrong in (
        ("always-kept", "A warp that strides is said to keep its fragments.", blocked),
        ("never-kept", "A warp that owns a block is said to load its fragments for each mma.", striding),
        ("elements-for-bytes", "That counts elements; an f16 takes 2 bytes.", wanted // 2),
        ("a-and-b-swapped", "The bytes of A and of B have changed places.", wanted[:, ::-1]),
        ("columns-for-rows", "A row of mmas shares a fragment of A: there are mmas_m of them.", crossed),
    ):
        if np.array_equal(got, wrong):
            return name, meaning
    return "unknown", "This is none of the usual mistakes."


EXERCISE = Exercise(
    name="warp-reads",
    chapter=1,
    title="What a warp reads in a step",
    task=TASK,
    right="The bytes are right, for a block of mmas and for mmas that lie apart.",
    package=__name__,
    wrong={
        "strides_ignored": "always-kept",
        "nothing_kept": "never-kept",
        "two_bytes_forgotten": "elements-for-bytes",
        "b_before_a": "a-and-b-swapped",
        "a_fragment_for_each_column": "columns-for-rows",
        "the_reference_always": "constant",
    },
    inputs=(),
    shapes=((len(CASES), 2),),
    judge=judge,
)
