"""The error bound holds for every right kernel, on data made to strain it, and rejects the wrong ones.

The kernels here are NumPy's: mma by mma, with the rounding of the accumulator that the theorem assumes.
"""

from __future__ import annotations

import numpy as np
import pytest

from kernels import error, inputs

M, N = 24, 32


def toward_zero(exact):
    """Float64 cut to float32, as the hardware cuts an f32 sum."""
    rounded = exact.astype(np.float32)
    too_far = abs(rounded.astype(float)) > abs(exact)
    return np.where(too_far, np.nextafter(rounded, np.float32(0)), rounded)


ROUNDINGS = {
    "f16": ("f16", lambda exact: exact.astype(np.float16)),
    "f32 to nearest": ("f32", lambda exact: exact.astype(np.float32)),
    "f32 truncated": ("f32", toward_zero),
}


def multiply(a, b, rounding, mma_k=16):
    """C = A @ B: each step's sum exact in float64, then rounded to the accumulator, and once more to f16 at the end."""
    total = np.zeros((len(a), b.shape[1]))
    for k in range(0, a.shape[1], mma_k):
        total = rounding(total + a[:, k : k + mma_k] @ b[k : k + mma_k]).astype(float)
    return total.astype(np.float16)


def doubles(matrices):
    return [matrix.astype(float) for matrix in matrices]


def growing(k):
    """Ones and tiny numbers: an f16 sum of them loses every tiny one, always in the same direction."""
    a, b = np.full((M, k), 2.0**-6), np.full((k, N), 2.0**-6)
    a[:, :16], b[:16] = 1.0, 1.0
    return a, b


def cancelling(k):
    """Each step takes back the last one, nearly: the partial sums are large and the result is small."""
    a, b = doubles(inputs.normal(M, N, k))
    a[:, 16::32] = -a[:, :-16:32]
    b[16:] = b[:-16]
    return a, b


DATA = {
    "N(0, 1)": lambda k: doubles(inputs.normal(M, N, k)),
    "all positive": lambda k: [abs(matrix) / 8 for matrix in doubles(inputs.normal(M, N, k))],
    "large": lambda k: [matrix * scale for matrix, scale in zip(DATA["N(0, 1)"](k), (16, 4), strict=True)],
    "tiny": lambda k: [matrix * 2.0**-14 for matrix in DATA["N(0, 1)"](k)],
    "growing": growing,
    "cancelling": cancelling,
}


@pytest.mark.parametrize("k", [16, 64, 1024, 8192])
@pytest.mark.parametrize("kind", DATA)
@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_a_right_kernel_is_accepted(rounding, kind, k):
    acc, rounded = ROUNDINGS[rounding]
    a, b = DATA[kind](k)
    product, bound = error.product_and_bound(a, b, acc)
    np.testing.assert_allclose(product, a @ b, rtol=1e-12, atol=1e-9 * abs(a).max() * abs(b).max())
    verdict = error.judge(multiply(a, b, rounded).astype(float), product, bound)
    assert verdict.ok, verdict
    assert (verdict.beyond, verdict.error <= verdict.bound) == (0, True)


def test_the_bound_is_reached_and_not_only_kept():
    """2048 + 1 rounds to 2048 at every step: the bound allows that, and two roundings that are no error here."""
    a, b = np.zeros((1, 160)), np.ones((160, 1))
    a[0, 0], a[0, 16::16] = 2048, 1
    c = multiply(a, b, ROUNDINGS["f16"][1]).astype(float)
    product, bound = error.product_and_bound(a, b, "f16")
    assert c[0, 0] == 2048
    assert product[0, 0] == 2057
    assert 9 <= bound[0, 0] < 9 + 2.1


@pytest.mark.parametrize(
    ("acc", "relative", "smallest"), [("f16", 2**-11, 2**-25), ("f32", 2 * 2**-24, 2 * 2**-150)]
)
def test_the_terms_of_the_bound(acc, relative, smallest):
    """Two steps of one element, by hand: the sum inside the mma, the accumulator, and the store."""
    a, b = np.concatenate([np.full((1, 16), 3.0), np.full((1, 16), -1.0)], axis=1), np.ones((32, 1))
    inner = 17 * 2**-23 * 48  # 16 products and the old sum, cut at 2**-23 of all that is added
    first = inner + relative * (48 + inner) + smallest
    inner = 17 * 2**-23 * (48 + first + 16)
    second = first + inner
    second += relative * (32 + second) + smallest
    product, bound = error.product_and_bound(a, b, acc)
    assert product[0, 0] == 32
    assert bound[0, 0] == pytest.approx(second + 2**-11 * (32 + second) + 2**-25, rel=1e-13)


def test_two_mmas_a_step_want_the_bound_of_two():
    """sm_75 has m16n8k8 alone, and so rounds twice as often."""
    a, b = np.zeros((1, 320)), np.ones((320, 1))
    a[0, 0], a[0, 8::8] = 2048, 1
    c = multiply(a, b, ROUNDINGS["f16"][1], mma_k=8).astype(float)
    product, bound = error.product_and_bound(a, b, "f16", mma_k=8)
    assert product[0, 0] == 2048 + 39
    assert error.judge(c, product, bound).ok
    assert not error.judge(c, *error.product_and_bound(a, b, "f16")).ok


def wrong_kernels(a, b, rounded):
    """What kernels with one mistake compute."""
    lost, swapped, twice = a.copy(), a.reshape(M, -1, 2, 8).copy(), a.copy()
    middle = a.shape[1] // 32 * 16
    lost[:, middle : middle + 16] = 0
    pairs = swapped[:, :, 1].reshape(M, -1, 4, 2)  # k = 8 to 15 of each step are registers 2 and 3 of A
    swapped[:, :, 1] = pairs[..., ::-1].reshape(M, -1, 8)
    twice[:, middle : middle + 16] *= 2
    right = multiply(a, b, rounded).astype(float)
    moved = np.roll(right, 1, axis=1)
    return {
        "C = 0": np.zeros((M, N)),
        "a K step lost": multiply(lost, b, rounded).astype(float),
        "a K step twice": multiply(twice, b, rounded).astype(float),
        "halves swapped in A": multiply(swapped.reshape(a.shape), b, rounded).astype(float),
        "columns moved by one": moved,
        "C transposed in its 8x8 matrices": right.reshape(3, 8, 4, 8).transpose(0, 3, 2, 1).reshape(M, N),
        "half the rows not written": np.where(np.arange(M)[:, None] % 16 < 8, right, 0),
    }


@pytest.mark.parametrize("k", [16, 64, 1024, 8192])
@pytest.mark.parametrize("rounding", ["f16", "f32 truncated"])
def test_a_wrong_kernel_is_rejected(rounding, k):
    acc, rounded = ROUNDINGS[rounding]
    a, b = doubles(inputs.normal(M, N, k))
    product, bound = error.product_and_bound(a, b, acc)
    for mistake, c in wrong_kernels(a, b, rounded).items():
        verdict = error.judge(c, product, bound)
        assert not verdict.ok, mistake
        assert verdict.beyond > 0, mistake
        assert verdict.error > verdict.bound, mistake


@pytest.mark.parametrize("k", [64, 8192])
def test_an_f16_accumulator_is_not_taken_for_an_f32_one(k):
    a, b = doubles(inputs.normal(M, N, k))
    c = multiply(a, b, ROUNDINGS["f16"][1]).astype(float)
    assert not error.judge(c, *error.product_and_bound(a, b, "f32")).ok


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("acc", ["f16", "f32"])
def test_one_element_that_is_not_finite_is_rejected(acc, bad):
    a, b = doubles(inputs.normal(M, N, 64))
    product, bound = error.product_and_bound(a, b, acc)
    c = product.astype(np.float16).astype(float)
    assert error.judge(c, product, bound).ok
    c[7, 13] = bad
    verdict = error.judge(c, product, bound)
    assert (verdict.ok, verdict.beyond) == (False, 1)
    assert not np.isfinite(verdict.error)
    assert not verdict.error <= verdict.bound


def test_an_overflow_is_rejected():
    a, b = np.full((M, 16), 256.0), np.full((16, N), 256.0)
    with np.errstate(over="ignore"):
        c = multiply(a, b, lambda exact: exact.astype(np.float32)).astype(float)
    assert np.isinf(c).all()
    assert error.judge(c, *error.product_and_bound(a, b, "f32")).beyond == M * N


@pytest.mark.parametrize("scale", [2.0**-9, 2.0**-12, 2.0**-13])
def test_results_below_the_normal_range_are_accepted(scale):
    """An f16 below 2**-14 is a multiple of 2**-24, so its rounding is not relative to its size."""
    a, b = (matrix * scale for matrix in doubles(inputs.normal(M, N, 16)))
    product, bound = error.product_and_bound(a, b, "f32")
    c = multiply(a, b, ROUNDINGS["f32 to nearest"][1]).astype(float)
    assert (abs(product) < 2.0**-14).any()
    assert error.judge(c, product, bound).ok
    assert not error.judge(c + 2.0**-23, product, bound).ok


def test_the_verdict_shows_the_worst_element_and_the_largest_error():
    product, bound = np.zeros((2, 2)), np.array([[1.0, 10.0], [2.0, 4.0]])
    verdict = error.judge(np.array([[0.5, -6.0], [3.0, 5.0]]), product, bound)
    assert verdict == (False, 3.0, 2.0, 6.0, 2)  # past its bound by half, though not the largest error
    assert error.judge(np.array([[0.5, -6.0], [1.0, 1.0]]), product, bound) == (True, 6.0, 10.0, 6.0, 0)


def test_the_worst_case_bound_would_pass_zero():
    """Why the bound is made of the partial sums that the data has."""
    a, b = doubles(inputs.normal(M, N, 8192))
    worst_case = 512 * 2.0**-11 * (abs(a) @ abs(b))
    assert error.judge(np.zeros((M, N)), a @ b, worst_case).ok
    assert not error.judge(np.zeros((M, N)), *error.product_and_bound(a, b, "f16")).ok
