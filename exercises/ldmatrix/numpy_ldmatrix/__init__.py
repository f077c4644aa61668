"""ldmatrix itself, in NumPy."""

import numpy as np
import numpy.typing as npt

from exercises.exercise import Exercise, Finding, Integers
from lanes import diagnose, ldmatrix, ldmatrix_row

# x4 first: the mistake of an answer that is wrong in several cases is named by the largest.
CASES = tuple((num, trans) for trans in (False, True) for num in (4, 2, 1))

TASK = """\
Write `ldmatrix` in NumPy. `rows` holds the 16 bytes that each lane points at: shape `(8 * num, 8)`, where `num` is 1,
2 or 4, and row `i` is row `i % 8` of matrix `i // 8`. With `trans`, each matrix is transposed on the way.

Write `numpy_ldmatrix(rows, trans)`. It returns what the lanes receive: a new array of shape `(32, num, 2)` and of the
dtype of `rows`, indexed `[lane, reg, half]`.
"""


def rows(num: int, trans: bool) -> npt.NDArray[np.uint16]:
    """The rows of a case, (8*num, 8): numbers without pattern, each once, so that each shows where it came from."""
    order = np.random.default_rng([num, trans]).permutation(2**16)[: 64 * num]
    return order.astype(np.uint16).reshape(8 * num, 8)


def judge(values: list[Integers]) -> Finding | None:
    """Compare every case with the model; name the first mistake that has a name, else show the first difference."""
    findings = []
    for (num, trans), got in zip(CASES, values, strict=True):
        source = rows(num, trans)
        if np.array_equal(got, ldmatrix(source, trans=trans)):
            continue
        found = diagnose(got, ldmatrix_row(num, trans=trans), source=source)
        assert found is not None, "the model and its table say the same"
        case = f"x{num}{' with .trans' * trans}"
        findings.append(Finding(found.name, f"{found.meaning} In {case}: {found.difference}"))
    named = [finding for finding in findings if finding.mistake not in ("unknown", "not-from-source")]
    return next(iter(named + findings), None)


EXERCISE = Exercise(
    name="numpy-ldmatrix",
    chapter=3,
    title="ldmatrix in NumPy",
    task=TASK,
    right="In x1, x2 and x4, with and without .trans, every lane receives its elements.",
    package=__name__,
    wrong={
        "every_lane_keeps_its_row": "supplier-for-receiver",
        "matrices_across_first": "registers-1-and-2-swapped",
        "high_half_first": "halves-swapped",
        "trans_forgotten": "missing-trans",
        "trans_always": "extra-trans",
        "the_input_itself": "wrong-shape",
    },
    inputs=tuple((rows(num, trans), trans) for num, trans in CASES),
    shapes=tuple((32, num, 2) for num, _ in CASES),
    judge=judge,
)
