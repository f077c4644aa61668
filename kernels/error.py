"""How far from the exact product a right kernel may be, element by element.

The bound is made of the partial sums that this very data has. A bound from the worst case would be useless: for f16
accumulators at K = 8192 it would pass C = 0.
"""

from __future__ import annotations

from typing import Any, NamedTuple

UNIT = {"f16": 2.0**-11, "f32": 2.0**-24}  # the relative error of one rounding to nearest even
# An mma aligns its products and the old sum to the largest, and cuts them to the f32 width or more before adding.
INNER = 2.0**-23


def product_and_bound(a: Any, b: Any, acc: str, *, mma_k: int = 16) -> tuple[Any, Any]:
    """A @ B in float64, and a bound on the error of a kernel that computes it in mmas of depth `mma_k`.

    a: (M, K), b: (K, N), float64, of any one library (NumPy, torch, CuPy). Returns two float64 (M, N) arrays.

    Step s adds `mma_k` products to a sum. With S the exact partial sum after it, P the sum of the absolute products of
    the step, and B the bound so far, the step adds at most

        UNIT[acc] * (|S| + B)  +  INNER * (mma_k + 1) * (|S before| + B + P)

    and storing C as f16 adds one more rounding. The first term is the rounding of the accumulator, to nearest for f16
    and, since the hardware truncates f32 sums, counted twice there.

    >>> import numpy as np
    >>> a, b = np.ones((16, 32)), np.ones((32, 8))
    >>> product, bound = product_and_bound(a, b, "f32")
    >>> float(product[0, 0]), bool(bound[0, 0] < 0.02)
    (32.0, True)
    """
    unit = UNIT[acc] * (2 if acc == "f32" else 1)
    total = a[:, :1] @ b[:1] * 0.0
    bound = total * 0.0
    for k in range(0, a.shape[1], mma_k):
        left, right = a[:, k : k + mma_k], b[k : k + mma_k]
        inner = INNER * (mma_k + 1) * (abs(total) + bound + abs(left) @ abs(right))
        total = total + left @ right
        bound = bound + unit * (abs(total) + bound) + inner
    # The smallest f16 above zero is 2**-24: below the normal range a rounding is off by at most half of that.
    return total, bound + UNIT["f16"] * (abs(total) + bound) + 2.0**-25


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
