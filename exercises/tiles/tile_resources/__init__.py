"""What a tiling takes: tile sizes, threads, shared memory, registers."""

import numpy as np

from exercises.exercise import Exercise, Finding, Integers
from lanes import Tiling

# warps_m, warps_n, mmas_m, mmas_n. No two counts of the first are equal: a mix-up shows there.
CASES = ((2, 1, 3, 8), (2, 4, 4, 4), (4, 2, 2, 8), (1, 1, 4, 4), (2, 2, 4, 8), (1, 4, 8, 4))
FIELDS = ("BM", "BN", "BK", "threads", "smem_bytes", "acc_registers")

TASK = """\
A block has `warps_m` by `warps_n` warps, and each of them does `mmas_m` by `mmas_n` of `m16n8k16` in a step. A and B
are f16, the tiles are not padded, and the sums are kept in f32.

Write `tile_resources(warps_m, warps_n, mmas_m, mmas_n)`. It returns
`(BM, BN, BK, threads, smem_bytes, acc_registers)`: the block's part of C and the depth of a step, the threads of the
block, the bytes of shared memory that the tiles of A and B take, and how many 32-bit registers each thread needs for
its sums.
"""


def expected() -> Integers:
    """The six numbers of each case, as the model has them."""
    tilings = [Tiling("m16n8k16", *case) for case in CASES]
    return np.array(
        [[*one.block, one.threads, one.smem_bytes(), one.acc_registers("f32")] for one in tilings]
    )


def judge(values: list[Integers]) -> Finding | None:
    """Compare all cases with the model's; name the mistake that gives all of their numbers."""
    (got,) = values
    wanted = expected()
    wrong = np.argwhere(got != wanted)
    if len(wrong) == 0:
        return None
    case, field = wrong[0]
    first = f"For {CASES[case]}, {FIELDS[field]} should be {wanted[case, field]} and is {got[case, field]}."
    mistake, meaning = _named(got, wanted)
    return Finding(mistake, f"{meaning} {first}")


def _named(got: Integers, wanted: Integers) -> tuple[str, str]:
    if (got == got[0]).all():
        return "constant", "Every tiling gives the same numbers."
    for name, meaning, wrong in _mistakes(wanted):
        if np.array_equal(got, wrong):
            return name, meaning
    return "unknown", "This is none of the usual mistakes."


def _mistakes(wanted: Integers) -> list[tuple[str, str, Integers]]:
    """Each mistake with the numbers that it gives."""
    m, n, k, threads, smem, _ = wanted.T
    mmas = np.prod(np.array(CASES)[:, 2:], axis=1)
    turned_m, turned_n = m // 2, n * 2  # 8 for 16 in M, and 16 for 8 in N
    columns: list[tuple[str, str, dict[int, Integers]]] = [
        (
            "m-and-n-swapped",
            "m16n8k16 is 16 in M and 8 in N, and not the other way round.",
            {0: turned_m, 1: turned_n, 4: 2 * k * (turned_m + turned_n)},
        ),
        ("warps-for-threads", "That is the number of warps; a warp has 32 threads.", {3: threads // 32}),
        ("elements-for-bytes", "That counts elements; an f16 takes 2 bytes.", {4: smem // 2}),
        (
            "c-in-shared-memory",
            "The block's part of C is counted too, and it lies in registers.",
            {4: smem + 2 * m * n},
        ),
        ("registers-of-one-mma", "Those are the registers of one mma.", {5: np.full(len(mmas), 4)}),
        ("f16-for-f32", "Those are the registers of f16 sums, two in each.", {5: 2 * mmas}),
    ]
    found = []
    for name, meaning, changed in columns:
        wrong = wanted.copy()
        for column, numbers in changed.items():
            wrong[:, column] = numbers
        found.append((name, meaning, wrong))
    return found


EXERCISE = Exercise(
    name="tile-resources",
    chapter=1,
    title="What a tiling takes",
    task=TASK,
    right=f"The six numbers are right for all {len(CASES)} tilings.",
    package=__name__,
    wrong={
        "sixteen_in_n": "m-and-n-swapped",
        "warps_counted": "warps-for-threads",
        "two_bytes_forgotten": "elements-for-bytes",
        "three_tiles": "c-in-shared-memory",
        "one_mma": "registers-of-one-mma",
        "two_sums_in_a_register": "f16-for-f32",
        "the_reference_always": "constant",
    },
    inputs=(),
    shapes=((len(CASES), len(FIELDS)),),
    judge=judge,
)
