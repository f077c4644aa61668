"""How far from the exact product a right kernel may be, element by element.

The bound is made of the partial sums that this very data has. A bound from the worst case would be useless: for f16
accumulators at K = 8192 it would pass C = 0.
"""

from __future__ import annotations

from typing import Any, NamedTuple

UNIT = {"f16": 2.0**-11, "f32": 2.0**-24}  # the relative error of one rounding to nearest even
SMALLEST = {
    "f16": 2.0**-24,
    "f32": 2.0**-149,
}  # above zero; below the normal range a rounding is off by up to half of it
# An mma aligns its products and the old sum to the largest, and cuts them to the f32 width or more before adding.
INNER = 2.0**-23


def product_and_bound(a: Any, b: Any, acc: str, *, mma_k: int = 16) -> tuple[Any, Any]:
    """A @ B in float64, and a bound on the error of a kernel that computes it in mmas of depth `mma_k`.

    a: (M, K), b: (K, N), float64, of any one library (NumPy, torch, CuPy). Returns two float64 (M, N) arrays.

    Step s adds `mma_k` products to a sum. With S the exact partial sum after it, P the sum of the absolute products of
    the step, and B the bound so far, the step adds at most

        I = INNER * (mma_k + 1) * (|S before| + B + P)  inside the mma, and
        UNIT[acc] * (|S| + B + I) + SMALLEST[acc] / 2   for the rounding of the accumulator,

    and storing C as f16 adds one more rounding. The accumulator is rounded to nearest for f16; since the hardware
    truncates f32 sums, that rounding counts twice.

    >>> import numpy as np
    >>> a, b = np.ones((16, 32)), np.ones((32, 8))
    >>> product, bound = product_and_bound(a, b, "f32")
    >>> float(product[0, 0]), bool(bound[0, 0] < 0.02)
    (32.0, True)
    """
    truncated = 2 if acc == "f32" else 1
    unit, floor = UNIT[acc] * truncated, SMALLEST[acc] / 2 * truncated
    total = a[:, :1] @ b[:1] * 0.0
    bound = total * 0.0
    for k in range(0, a.shape[1], mma_k):
        left, right = a[:, k : k + mma_k], b[k : k + mma_k]
        inner = INNER * (mma_k + 1) * (abs(total) + bound + abs(left) @ abs(right))
        total = total + left @ right
        bound = bound + inner
        bound = bound + unit * (abs(total) + bound) + floor
    return total, bound + UNIT["f16"] * (abs(total) + bound) + SMALLEST["f16"] / 2


class Verdict(NamedTuple):
    """How a result compares: the element nearest to its bound (or furthest past it), and the largest error of all."""

    ok: bool
    error: float
    bound: float
    max_error: float
    beyond: int  # how many elements are past their bound, or not finite


def judge(c: Any, product: Any, bound: Any) -> Verdict:
    """Compare `c` (float64 or anything that converts) with `product`, element by element, against `bound`.

    >>> import numpy as np
    >>> judge(np.zeros((2, 2)), np.ones((2, 2)), np.full((2, 2), 0.5))[:4]
    (False, 1.0, 0.5, 1.0)
    """
    error = abs(c - product)
    within = error <= bound  # False for NaN
    worst = (error / bound).argmax()  # the first NaN, if there is one
    return Verdict(
        bool(within.all()),
        float(error.reshape(-1)[worst]),
        float(bound.reshape(-1)[worst]),
        float(error.max()),
        int((~within).sum()),
    )
