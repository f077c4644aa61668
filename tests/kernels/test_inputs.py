"""The inputs: on the integers every right kernel is exact, whatever its order, and every wrong one shows."""

from __future__ import annotations

import numpy as np
import pytest

from kernels import inputs

SIZES = [
    (128, 128, 16),
    (128, 256, 208),
    (128, 128, 224),
    (128, 128, 240),
    (256, 128, 1024),
    (128, 128, 8192),
]


@pytest.mark.parametrize(("m", "n", "k"), SIZES)
def test_no_partial_sum_in_any_order_is_past_2048(m, n, k):
    """Where the products of one sign add up to at most 2048, no sum of some of them is larger."""
    a, b = (matrix.astype(np.int64) for matrix in inputs.integers(m, n, k))
    largest = (abs(a) @ abs(b)).max()
    assert largest <= inputs.EXACT_F16 == 2**11
    assert largest >= min(k, 1024)  # and sparse only as far as that needs


@pytest.mark.parametrize(("m", "n", "k"), SIZES)
def test_the_integers_are_float16_integers_of_the_right_shape(m, n, k):
    a, b = inputs.integers(m, n, k)
    for matrix, shape in ((a, (m, k)), (b, (k, n))):
        assert (matrix.dtype, matrix.shape, matrix.flags.c_contiguous) == (np.float16, shape, True)
        wanted = [-3, -2, -1, 0, 1, 2, 3] if 9 * k <= 2048 else [-1, 1] if k <= 1536 else [-1, 0, 1]
        assert np.unique(matrix.astype(int)).tolist() == wanted


def test_f16_sums_are_exact_in_any_order():
    a, b = inputs.integers(128, 128, 1024)
    expected = a[:8].astype(int) @ b.astype(int)
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(1024)
        total = np.zeros((8, 128), np.float16)
        for k in order:
            total += a[:8, k, None] * b[k]
        np.testing.assert_array_equal(total, expected)


@pytest.mark.parametrize(("m", "n", "k"), SIZES)
def test_no_row_and_no_column_is_idle(m, n, k):
    """A kernel that leaves out a row, a column or a k is seen."""
    a, b = inputs.integers(m, n, k)
    c = a.astype(int) @ b.astype(int)
    assert all((matrix != 0).any(axis=axis).all() for matrix in (a, b, c) for axis in (0, 1))
    assert len(np.unique(c, axis=0)) == m
    assert len(np.unique(c, axis=1).T) == n


@pytest.mark.parametrize("make", [inputs.integers, inputs.normal])
def test_a_seed_and_a_size_say_which_matrices(make):
    a, b = make(128, 128, 32)
    again_a, again_b = make(128, 128, 32, 0)
    np.testing.assert_array_equal(a, again_a)
    np.testing.assert_array_equal(b, again_b)
    assert (make(128, 128, 32, 1)[0] != a).any()
    assert (make(256, 128, 32)[0][:128] != a).any()
    assert (b != a.T).any()


def test_integers_that_would_not_be_exact_are_refused(monkeypatch):
    monkeypatch.setattr(inputs, "_largest_sum", lambda a, b: 2049)
    with pytest.raises(
        ValueError, match=r"^the absolute products of a row and a column add up to 2049, past 2048$"
    ):
        inputs.integers(128, 128, 16)
    monkeypatch.setattr(inputs, "_largest_sum", lambda a, b: 2048)
    inputs.integers(128, 128, 16)


def test_the_largest_sum_is_that_of_absolute_products():
    a = np.array([[3, -4], [1, 1]], np.float16)
    b = np.array([[-2, 5], [6, 0]], np.float16)
    assert inputs._largest_sum(a, b) == 30


def test_normal_is_standard_normal_in_float16():
    a, b = inputs.normal(256, 384, 512)
    for matrix, shape in ((a, (256, 512)), (b, (512, 384))):
        assert (matrix.dtype, matrix.shape, matrix.flags.c_contiguous) == (np.float16, shape, True)
        numbers = matrix.astype(float)
        assert abs(numbers.mean()) < 0.01
        assert abs(numbers.std() - 1) < 0.01
        assert 4 < abs(numbers).max() < 8
        assert abs((abs(numbers) < 1).mean() - 0.6827) < 0.01
