"""Matrices to test a kernel with: integers on which every right kernel is exact, and N(0, 1)."""

from __future__ import annotations

from typing import Any

import numpy as np

EXACT_F16 = 2048  # every integer up to here is an f16: 2**11


def integers(m: int, n: int, k: int, seed: int = 0) -> tuple[Any, Any]:
    """A (m, k) and B (k, n), float16 integers whose product is exact in f16 in any order of summation.

    That is checked, not hoped for: the absolute products of every row and column add up to at most 2048, so no partial
    sum is larger. Small K has values from -3 to 3, large K has -1, 0, 1, ever sparser.

    >>> A, B = integers(128, 128, 4096)
    >>> A.shape, B.dtype, int((abs(A).astype(int) @ abs(B).astype(int)).max()) <= 2048
    ((128, 4096), dtype('float16'), True)
    """
    rng = np.random.default_rng([seed, m, n, k])
    if 9 * k <= EXACT_F16:
        a, b = rng.integers(-3, 4, (m, k)), rng.integers(-3, 4, (k, n))
    else:
        density = min(1.0, (0.75 * EXACT_F16 / k) ** 0.5)  # k * density**2 products are not zero, on average
        a, b = (
            (rng.integers(0, 2, shape) * 2 - 1) * (rng.random(shape) < density) for shape in ((m, k), (k, n))
        )
    a, b = a.astype(np.float16), b.astype(np.float16)
    largest = _largest_sum(a, b)
    if largest > EXACT_F16:
        raise ValueError(f"the absolute products of a row and a column add up to {largest}, past {EXACT_F16}")
    return a, b


def normal(m: int, n: int, k: int, seed: int = 0) -> tuple[Any, Any]:
    """A (m, k) and B (k, n), N(0, 1) rounded to float16.

    >>> A, B = normal(128, 128, 16)
    >>> A.dtype, bool(abs(A.astype(float).std() - 1) < 0.1)
    (dtype('float16'), True)
    """
    rng = np.random.default_rng([seed, m, n, k, 1])
    a, b = (rng.standard_normal(shape, np.float32).astype(np.float16) for shape in ((m, k), (k, n)))
    return a, b


def _largest_sum(a: Any, b: Any) -> int:
    """The largest element of |A| @ |B|, in float32, which is exact for integers below 2**24."""
    return int((abs(a).astype(np.float32) @ abs(b).astype(np.float32)).max())
