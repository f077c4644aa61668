"""New names for m, n and k leave A @ B + C true if A, B and C share them, and break it if they do not."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import lanes
from lanes import Relabelling, relabelling

SIZES = {"m16n8k16": (16, 8, 16), "m16n8k8": (16, 8, 8)}
shapes = st.sampled_from(sorted(SIZES))


@st.composite
def relabellings(draw, shape):
    return Relabelling(*(tuple(draw(st.permutations(range(size)))) for size in SIZES[shape]))


def product(shape, acc, of_a, of_b, of_c, a, b, c):
    """D of one mma whose operands are held by these three relabellings, D's as C's."""
    part_a, part_b = lanes.fragment(shape, "A"), lanes.fragment(shape, "B")
    part_c = lanes.fragment(shape, "C", dtype=acc)
    d = lanes.mma(of_a.gather(part_a, a), of_b.gather(part_b, b), of_c.gather(part_c, c), shape=shape)
    return of_c.scatter(part_c, d)


def operands(shape, acc, seed):
    """Small integers, of which no sum is rounded: 16 products of at most 9, and 50."""
    m, n, k = SIZES[shape]
    rng = np.random.default_rng(seed)
    a, b = (rng.integers(-3, 4, size).astype(np.float16) for size in ((m, k), (k, n)))
    return a, b, rng.integers(-50, 51, (m, n)).astype(np.float16 if acc == "f16" else np.float32)


@settings(max_examples=150, deadline=None)
@given(st.data(), shapes, st.sampled_from(["f16", "f32"]), st.integers(0, 2**32))
def test_the_product_is_true_under_every_consistent_relabelling(data, shape, acc, seed):
    new = data.draw(relabellings(shape))
    a, b, c = operands(shape, acc, seed)
    assert (product(shape, acc, new, new, new, a, b, c) == a @ b + c).all()


@settings(max_examples=150, deadline=None)
@given(
    st.data(),
    shapes,
    st.sampled_from([("A", "k"), ("B", "k"), ("A", "m"), ("C", "m"), ("B", "n"), ("C", "n")]),
)
def test_a_name_given_in_one_operand_alone_breaks_the_product(data, shape, where):
    """A and B such that every other order of a row, a column or a k gives another product."""
    operand, axis = where
    old, new = relabelling(shape), data.draw(relabellings(shape))
    alone = Relabelling(**{"m": old.m, "n": old.n, "k": old.k} | {axis: getattr(new, axis)})
    assume(alone != old)
    of = {letter: alone if letter == operand else old for letter in "ABC"}
    m, n, k = SIZES[shape]
    a = np.eye(m, k, dtype=np.float16) if axis != "m" else np.arange(m * k, dtype=np.float16).reshape(m, k)
    b = np.eye(k, n, dtype=np.float16) if axis == "m" else np.arange(k * n, dtype=np.float16).reshape(k, n)
    d = product(shape, "f32", of["A"], of["B"], of["C"], a, b, np.zeros((m, n), np.float32))
    assert (d != a @ b).any()


@settings(max_examples=50, deadline=None)
@given(st.data(), shapes, st.sampled_from("ABC"))
def test_names_are_looked_up_one_by_one(data, shape, operand):
    """coords, gather and scatter against a walk over every slot."""
    new, part = data.draw(relabellings(shape)), lanes.fragment(shape, operand)
    rows, cols = {"A": (new.m, new.k), "B": (new.k, new.n), "C": (new.m, new.n)}[operand]
    matrix = np.arange(part.shape[0] * part.shape[1]).reshape(part.shape)
    coords, held = new.coords(part), new.gather(part, matrix)
    for slot in np.ndindex(held.shape):
        row, col = part.coords[slot]
        assert coords[slot].tolist() == [rows[row], cols[col]]
        assert held[slot] == matrix[rows[row], cols[col]]
    assert (new.scatter(part, held) == matrix).all()


def test_what_is_left_out_keeps_ptxs_names():
    for shape in SIZES:
        for operand in "ABC":
            part = lanes.fragment(shape, operand)
            assert (relabelling(shape).coords(part) == part.coords).all()
    assert relabelling("m16n8k16", n=[1, 0, *range(2, 8)]) == Relabelling(
        tuple(range(16)), (1, 0, *range(2, 8)), tuple(range(16))
    )


@pytest.mark.parametrize(
    ("shape", "names", "sentence"),
    [
        (
            "m16n8k16",
            {"k": [0] * 16},
            "k is (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0); wanted each of 0-15 once.",
        ),
        ("m16n8k16", {"n": range(1, 9)}, "n is (1, 2, 3, 4, 5, 6, 7, 8); wanted each of 0-7 once."),
        ("m16n8k8", {"k": range(16)}, "k has 16 names; m16n8k8 wants 8."),
        ("m16n8k8", {"m": []}, "m has 0 names; m16n8k8 wants 16."),
        ("m8n8k4", {}, "shape is 'm8n8k4'; wanted one of m16n8k16, m16n8k8."),
    ],
)
def test_what_is_no_renaming_is_refused(shape, names, sentence):
    with pytest.raises(ValueError) as refusal:  # noqa: PT011 - the sentence is checked whole
        relabelling(shape, **names)
    assert str(refusal.value) == sentence


def test_a_fragment_of_another_size_or_instruction_is_refused():
    with pytest.raises(ValueError, match=r"A has shape \(16, 16\); the names are for \(16, 8\)\."):
        relabelling("m16n8k8").coords(lanes.fragment("m16n8k16", "A"))
    with pytest.raises(ValueError, match=r"operand is 'R'; wanted A, B or C\."):
        relabelling("m16n8k16").coords(lanes.ldmatrix_row(2).fragment)
    with pytest.raises(ValueError, match=r"B's matrix has shape \(16, 16\); wanted \(16, 8\)\."):
        relabelling("m16n8k16").gather(lanes.fragment("m16n8k16", "B"), np.zeros((16, 16)))
