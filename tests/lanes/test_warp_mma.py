"""mma: fragments gathered, multiplied and scattered are A @ B + C."""

import re

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lanes
from lanes.fragments import DTYPES

seeds = st.integers(0, 2**32 - 1)
ROWS = pytest.mark.parametrize("row", lanes.MMA, ids=lambda row: row.mnemonic)


def small_integers(row, seed):
    """Return A, B, C such that every partial sum is exact: at most 16 * 8 * 8 + 1024 = 2^11 in size."""
    rng = np.random.default_rng(seed)
    m, n, k = row.mnk
    a, b = rng.integers(-8, 9, (m, k)), rng.integers(-8, 9, (k, n))
    c = rng.integers(-1024, 1025, (m, n))
    return a.astype(DTYPES[row.dtype]), b.astype(DTYPES[row.dtype]), c.astype(DTYPES[row.acc])


def product(row, a, b, c):
    """Return A @ B + C as a warp computes it."""
    return row.c.scatter(lanes.mma(row.a.gather(a), row.b.gather(b), row.c.gather(c), shape=row.shape))


def exact(a, b, c):
    return a.astype(np.int64) @ b.astype(np.int64) + c.astype(np.int64)


def filled(row, a=0.0, b=0.0, c=0.0):
    """Return A, B, C of equal elements."""
    return (
        np.full(row.a.shape, a, DTYPES[row.dtype]),
        np.full(row.b.shape, b, DTYPES[row.dtype]),
        np.full(row.c.shape, c, DTYPES[row.acc]),
    )


@ROWS
@settings(deadline=None)
@given(seed=seeds)
def test_gather_mma_scatter_is_a_times_b_plus_c(row, seed):
    a, b, c = small_integers(row, seed)
    d = product(row, a, b, c)
    assert d.dtype == c.dtype
    assert d.tolist() == exact(a, b, c).tolist()


@ROWS
def test_mma_gives_new_registers_and_leaves_the_old(row):
    a, b, c = small_integers(row, 0)
    registers = row.a.gather(a), row.b.gather(b), row.c.gather(c)
    before = [array.copy() for array in registers]
    d = lanes.mma(*registers, shape=row.shape)
    assert d.shape == registers[2].shape
    assert not np.shares_memory(d, registers[2])
    assert all((old == new).all() for old, new in zip(before, registers, strict=True))


# A mistake, the registers that it takes, and the elements in each.
WRONG = {
    "halves swapped": (lambda registers: registers[:, :, ::-1], 1, 2),
    "regs 0 and 1 swapped": (lambda registers: registers[:, [1, 0, *range(2, registers.shape[1])]], 2, 1),
    "regs 1 and 2 swapped": (lambda registers: registers[:, [0, 2, 1, *range(3, registers.shape[1])]], 3, 1),
    "lanes 0 and 31 swapped": (lambda registers: registers[[31, *range(1, 31), 0]], 1, 1),
}
MISTAKES = [
    pytest.param(row, operand, wrong, id=f"{row.mnemonic} {operand} {name}")
    for row in lanes.MMA
    for operand, part in (("a", row.a), ("b", row.b), ("c", row.c))
    for name, (wrong, registers, elements) in WRONG.items()
    if part.registers >= registers and part.elements >= elements
]


@pytest.mark.parametrize(("row", "operand", "wrong"), MISTAKES)
def test_a_wrong_layout_changes_the_product(row, operand, wrong):
    a, b, c = small_integers(row, seed=1)
    registers = {"a": row.a.gather(a), "b": row.b.gather(b), "c": row.c.gather(c)}
    registers[operand] = wrong(registers[operand])
    d = row.c.scatter(lanes.mma(**registers, shape=row.shape))
    assert (d != exact(a, b, c)).any()


@ROWS
def test_a_relabelling_of_k_in_both_operands_cannot_be_seen(row):
    a, b, c = small_integers(row, seed=2)
    registers = row.a.gather(a)[:, :, ::-1], row.b.gather(b)[:, :, ::-1], row.c.gather(c)
    assert row.c.scatter(lanes.mma(*registers, shape=row.shape)).tolist() == exact(a, b, c).tolist()


@pytest.mark.parametrize(("dtype", "acc"), [("f16", "f16"), ("f16", "f32"), ("bf16", "f32")])
@settings(deadline=None)
@given(seed=seeds)
def test_two_m16n8k8_are_one_m16n8k16(dtype, acc, seed):
    row = lanes.mma_row("m16n8k16", dtype, acc)
    a, b, c = small_integers(row, seed)
    ra, rb, rc = row.a.gather(a), row.b.gather(b), row.c.gather(c)
    first = lanes.mma(ra[:, [0, 1]], rb[:, [0]], rc, shape="m16n8k8")
    both = lanes.mma(ra[:, [2, 3]], rb[:, [1]], first, shape="m16n8k8")
    assert both.tolist() == lanes.mma(ra, rb, rc).tolist()


def test_m16n8k16_is_the_default_shape():
    row = lanes.MMA[0]
    a, b, c = small_integers(row, seed=3)
    d = lanes.mma(row.a.gather(a), row.b.gather(b), row.c.gather(c))
    assert row.c.scatter(d).tolist() == exact(a, b, c).tolist()


# Above this integer an accumulator's neighbours are 2 apart.
LIMIT = {"f16": 2.0**11, "f32": 2.0**24}


@ROWS
def test_the_sum_is_rounded_once(row):
    _, _, k = row.mnk
    # Rounded after each product, the sum would stay at the limit: each 1 is half a step, and ties go to even.
    assert (product(row, *filled(row, 1, 1, LIMIT[row.acc])) == LIMIT[row.acc] + k).all()


@ROWS
@pytest.mark.parametrize(("ones", "rounded"), [(1, 0), (2, 2), (3, 4), (5, 4)])
def test_the_sum_is_rounded_to_nearest_even(row, ones, rounded):
    a, b, c = filled(row, 0, 1, LIMIT[row.acc])
    a[:, :ones] = 1
    assert (product(row, a, b, c) == LIMIT[row.acc] + rounded).all()


def test_two_m16n8k8_round_twice():
    row = lanes.mma_row("m16n8k16", "f16", "f16")
    a, b, c = filled(row, 0, 1, 2048)
    a[:, [0, 8]] = 1  # one product in each half of K
    ra, rb, rc = row.a.gather(a), row.b.gather(b), row.c.gather(c)
    first = lanes.mma(ra[:, :2], rb[:, :1], rc, shape="m16n8k8")
    assert (lanes.mma(ra[:, 2:], rb[:, 1:], first, shape="m16n8k8") == 2048).all()
    assert (lanes.mma(ra, rb, rc) == 2050).all()


@ROWS
def test_products_are_not_rounded_to_the_inputs_dtype(row):
    # (1 + e)^2 - (1 + 2e) = e^2, which both inputs and their product's rounding would lose.
    e = {"f16": 2.0**-10, "bf16": 2.0**-7}[row.dtype]
    a, b, c = filled(row)
    a[:, 0], b[0] = 1 + e, 1 + e
    a[:, 1], b[1] = -(1 + 2 * e), 1
    assert (product(row, a, b, c) == e * e).all()


@ROWS
def test_the_product_is_not_rounded_before_c_is_added(row):
    half = {"f16": 32, "f32": 2048}[row.acc]
    a, b, c = filled(row, c=1)
    a[:, 0], b[0] = half, LIMIT[row.acc] / half
    a[:, 1], b[1] = 1, 1
    assert (product(row, a, b, c) == LIMIT[row.acc] + 2).all()


@ROWS
def test_small_products_survive_large_ones_that_cancel(row):
    _, _, k = row.mnk
    a, b, c = filled(row, 1, 1)
    a[:, 0], a[:, -1] = 2**14, -(2**14)
    b[0], b[-1] = 2**14, 2**14
    assert (product(row, a, b, c) == k - 2).all()


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("a", "b", "c", "d"),
    [
        (np.inf, 1, 0, np.inf),
        (np.inf, -1, 0, -np.inf),
        (np.inf, 0, 0, np.nan),
        (np.inf, 1, -np.inf, np.nan),
        (np.nan, 0, 0, np.nan),
        (0, 0, np.inf, np.inf),
        (0, 0, np.nan, np.nan),
    ],
)
@ROWS
def test_nan_and_inf_go_through_silently(row, a, b, c, d):
    with np.errstate(all="raise"):
        np.testing.assert_array_equal(product(row, *filled(row, a, b, c)), d)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("row", "large"),
    [
        (lanes.mma_row("m16n8k16", "f16", "f16"), 256.0),  # 256^2 is above f16's 65504
        (lanes.mma_row("m16n8k8", "f16", "f16"), 256.0),
        (lanes.mma_row("m16n8k16", "bf16", "f32"), 2.0**64),  # its square is above f32's range
    ],
)
def test_overflow_is_silent_infinity(row, large):
    a, b, c = filled(row)
    a[0, 0], b[0, 0] = large, large
    with np.errstate(all="raise"):
        d = product(row, a, b, c)
    assert d[0, 0] == np.inf
    assert np.count_nonzero(d) == 1


@ROWS
def test_a_nan_stays_in_its_row(row):
    a, b, c = filled(row, 1, 1, 1)
    a[3, 5] = np.nan
    d = product(row, a, b, c)
    assert np.isnan(d[3]).all()
    assert np.isfinite(np.delete(d, 3, axis=0)).all()


def test_subnormals_are_kept():
    row = lanes.mma_row("m16n8k16", "f16", "f16")
    a, b, c = filled(row)
    a[:, 0], b[0] = 2.0**-24, 1
    assert (product(row, a, b, c) == 2.0**-24).all()


THERE = (
    "m16n8k16 f16 f16, m16n8k16 f16 f32, m16n8k16 bf16 f32, "
    "m16n8k8 f16 f16, m16n8k8 f16 f32, m16n8k8 bf16 f32."
)


@pytest.mark.parametrize(
    ("shape", "a", "b", "c"),
    [
        ("m16n8k32", np.float16, np.float16, np.float16),
        ("m16n8k8", ml_dtypes.bfloat16, ml_dtypes.bfloat16, np.float16),
        ("m16n8k16", ml_dtypes.bfloat16, ml_dtypes.bfloat16, ml_dtypes.bfloat16),
        ("m16n8k16", np.float16, ml_dtypes.bfloat16, np.float32),
        ("m16n8k16", np.float64, np.float64, np.float64),
    ],
)
def test_what_is_no_instruction_is_refused(shape, a, b, c):
    registers = np.zeros((32, 4, 2), a), np.zeros((32, 2, 2), b), np.zeros((32, 2, 2), c)
    sentence = f"mma got shape '{shape}' with a {np.dtype(a)}, b {np.dtype(b)}, c {np.dtype(c)}; wanted "
    with pytest.raises(ValueError, match=re.escape(sentence) + ".*" + re.escape(THERE)):
        lanes.mma(*registers, shape=shape)


@pytest.mark.parametrize(
    ("a", "b", "c", "sentence"),
    [
        ((32, 2, 2), (32, 2, 2), (32, 2, 2), "A's registers have shape (32, 2, 2); wanted (32, 4, 2)."),
        ((32, 4, 2), (32, 2), (32, 2, 2), "B's registers have shape (32, 2); wanted (32, 2, 2)."),
        ((32, 4, 2), (32, 2, 2), (16, 4, 2), "C's registers have shape (16, 4, 2); wanted (32, 2, 2)."),
    ],
)
def test_a_wrong_number_of_registers_is_refused(a, b, c, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        lanes.mma(*(np.zeros(shape, np.float16) for shape in (a, b, c)))
