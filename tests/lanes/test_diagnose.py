"""Every mistake against an index formula typed out here, in the PTX ISA's way, for every instruction that has it."""

import itertools

import ml_dtypes
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import lanes
from lanes.diagnose import MISTAKES

FRAGMENTS = {
    f"{shape} {operand} {dtype}": lanes.fragment(shape, operand, dtype=dtype)
    for shape, operand, dtype in [
        ("m16n8k16", "A", "f16"),
        ("m16n8k16", "A", "bf16"),
        ("m16n8k16", "B", "f16"),
        ("m16n8k16", "B", "bf16"),
        ("m16n8k16", "C", "f16"),
        ("m16n8k16", "C", "f32"),
        ("m16n8k8", "A", "f16"),
        ("m16n8k8", "A", "bf16"),
        ("m16n8k8", "B", "f16"),
        ("m16n8k8", "B", "bf16"),
        ("m16n8k8", "C", "f16"),
        ("m16n8k8", "C", "f32"),
    ]
}
LDMATRIX = {f"x{row.num}{'.trans' * row.trans}": row for row in lanes.LDMATRIX}
INSTRUCTIONS = FRAGMENTS | LDMATRIX


def right(name, lane, reg, half):
    """(row, col) in a slot, as PTX's tables have it; of ldmatrix, in the pile of its matrices."""
    group, member = lane >> 2, lane % 4
    if name in LDMATRIX:
        if name.endswith(".trans"):
            return 8 * reg + 2 * member + half, group
        return 8 * reg + group, 2 * member + half
    shape, operand, dtype = name.split()
    if dtype == "f32":
        return group + 8 * (reg // 2), 2 * member + reg % 2
    if operand == "B":
        return 2 * member + half + 8 * reg, group
    if (shape, operand) == ("m16n8k16", "A"):
        return group + 8 * (reg % 2), 2 * member + half + 8 * (reg // 2)
    return group + 8 * reg, 2 * member + half


def registers_swapped(name, lane, reg, half):
    return right(name, lane, {1: 2, 2: 1}.get(reg, reg), half)


def halves_swapped(name, lane, reg, half):
    return right(name, lane, reg, 1 - half)


def turned(name, lane, reg, half):
    """.trans where there should be none, or the other way round."""
    group, member = lane >> 2, lane % 4
    down, right_ = (reg % 2, reg // 2) if name.startswith("m16n8k16 A") else (reg, 0)
    if " B " in name or name.endswith(".trans"):
        return 8 * down + group, 8 * right_ + 2 * member + half
    return 8 * down + 2 * member + half, 8 * right_ + group


def supplied_piece(name, lane, reg, half):
    """lane % 8 and lane // 8 in the place of lane // 4 and lane % 4."""
    down, right_ = (reg % 2, reg // 2) if name.startswith("m16n8k16 A") else (reg, 0)
    if " B " in name or name.endswith(".trans"):
        return 8 * down + 2 * (lane // 8) + half, 8 * right_ + lane % 8
    return 8 * down + lane % 8, 8 * right_ + 2 * (lane // 8) + half


def supplied_row(name, lane, reg, half):
    """A lane keeps the 8 elements whose address it supplies."""
    if name.startswith("m16n8k16 A"):
        return lane % 16, 8 * (lane // 16) + 2 * reg + half
    return lane, 2 * reg + half


def tf32(name, lane, reg, half):
    """PTX ISA, mma.m16n8k8 with .tf32: a0 to a3, or b0 and b1, taken for the 16-bit elements of those names."""
    group, member, i = lane >> 2, lane % 4, 2 * reg + half
    if " B " in name:
        return (member if i == 0 else member + 4), group
    return (group if i in (0, 2) else group + 8), (member if i in (0, 1) else member + 4)


def shifted(name, lane, reg, half):
    row, col = right(name, lane, reg, half)
    return row + 1, col - 2


def constant(name, lane, reg, half):
    return 5, 3


WIDE = [name for name in INSTRUCTIONS if not name.endswith("f32")]
SIDEWAYS = [name for name in WIDE if " B " in name or name.endswith(".trans")]
A_K16 = ["m16n8k16 A f16", "m16n8k16 A bf16"]
FOUR = [*A_K16, "x4", "x4.trans"]
# Which formula is which mistake, and which instructions have it.
CASES = [
    ("constant", constant, list(INSTRUCTIONS)),
    ("shifted-matrix", shifted, list(INSTRUCTIONS)),
    ("registers-1-and-2-swapped", registers_swapped, [*FOUR, "m16n8k16 C f32", "m16n8k8 C f32"]),
    ("halves-swapped", halves_swapped, WIDE),
    ("missing-trans", turned, SIDEWAYS),
    ("extra-trans", turned, [name for name in WIDE if name not in SIDEWAYS]),
    ("supplier-for-receiver", supplied_piece, WIDE),
    ("supplier-for-receiver", supplied_row, FOUR),
    ("tf32-layout", tf32, [f"m16n8k8 {operand} {dtype}" for operand in "AB" for dtype in ("f16", "bf16")]),
]
PAIRS = [(mistake, formula, name) for mistake, formula, names in CASES for name in names]


def part_of(name):
    return LDMATRIX[name].fragment if name in LDMATRIX else FRAGMENTS[name]


def layout(formula, name):
    slots = np.ndindex(part_of(name).coords.shape[:3])
    return np.array([formula(name, *slot) for slot in slots]).reshape(part_of(name).coords.shape)


def source_for(name, rows=4, cols=4, dtype=np.int32):
    """A matrix with the operand in its top left corner, every value in it once."""
    shape = np.add(part_of(name).shape, (rows, cols))
    return np.random.default_rng(7).permutation(shape.prod()).reshape(shape).astype(dtype) + 3


def values(source, places):
    return source[places[..., 0], places[..., 1]]


@pytest.mark.parametrize("name", INSTRUCTIONS)
def test_the_right_layout_has_no_mistake(name):
    assert lanes.diagnose(layout(right, name), INSTRUCTIONS[name]) is None
    source = source_for(name)
    assert lanes.diagnose(values(source, layout(right, name)), INSTRUCTIONS[name], source=source) is None


@pytest.mark.parametrize(("mistake", "formula", "name"), PAIRS)
def test_a_mistake_has_its_name_and_shows_the_first_slot_that_differs(mistake, formula, name):
    wrong, part = layout(formula, name), part_of(name)
    found = lanes.diagnose(wrong, INSTRUCTIONS[name])
    assert found.name == mistake
    slot = next(
        slot for slot in np.ndindex(part.coords.shape[:3]) if formula(name, *slot) != right(name, *slot)
    )
    assert found.slot == slot
    lane, reg, half = slot
    (row, col), (got_row, got_col) = right(name, *slot), formula(name, *slot)
    where = (
        f"Lane {lane}, reg {reg} should"
        if name.endswith("f32")
        else f"Lane {lane}, reg {reg}, half {half} should"
    )
    assert found.difference.startswith(where)
    if name in LDMATRIX:
        wanted = f"hold ({row % 8},{col}) of matrix {row // 8} and holds ({got_row % 8},{got_col}) of matrix"
    else:
        wanted = f"hold {part.operand}({row},{col}) and holds {part.operand}({got_row},{got_col})."
    if mistake != "shifted-matrix":  # that one's elements can lie outside the operand
        assert wanted in found.difference
    assert found.sentence == f"{found.meaning} {found.difference}"


@pytest.mark.parametrize(("mistake", "formula", "name"), PAIRS)
def test_values_show_the_same_mistake_as_places(mistake, formula, name):
    places = layout(formula, name)
    if mistake == "shifted-matrix":
        places = np.add(layout(right, name), (2, 3))
    source = source_for(name)
    found = lanes.diagnose(values(source, places), INSTRUCTIONS[name], source=source)
    assert found == lanes.diagnose(places, INSTRUCTIONS[name])
    assert found.name == mistake


def test_the_table_holds_the_mistakes_that_are_tested_here_and_no_more():
    assert {mistake.name for mistake in MISTAKES} == {name for name, _, _ in CASES}
    assert len({mistake.name for mistake in MISTAKES}) == len(MISTAKES)


@pytest.mark.parametrize("name", INSTRUCTIONS)
def test_an_instruction_has_only_the_mistakes_listed_here(name):
    part = part_of(name)
    has = {mistake.name for mistake in MISTAKES if list(mistake.layouts(part, np.array([1, 1])))}
    assert has == {mistake for mistake, _, names in CASES if name in names}


@pytest.mark.parametrize("name", INSTRUCTIONS)
def test_no_two_mistakes_make_one_layout_and_none_makes_the_right_one(name):
    """So the order of the table never decides. A shift is no other mistake: no other one is a step of one length."""
    part = part_of(name)
    first = np.array([3, 5])
    made = [entry for mistake in MISTAKES for entry in mistake.layouts(part, first)]
    made.append(layout(right, name))
    for one, other in itertools.combinations(made, 2):
        assert not np.array_equal(one, other)
    for mistake in MISTAKES:
        for entry in mistake.layouts(part, first):
            steps = np.unique((entry - layout(right, name)).reshape(-1, 2), axis=0)
            assert (len(steps) == 1) == (mistake.name == "shifted-matrix")


@given(st.sampled_from(sorted(INSTRUCTIONS)), st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None)
def test_a_random_permutation_is_unknown(name, random):
    part = part_of(name)
    places = layout(right, name).reshape(-1, 2)
    order = list(range(len(places)))
    random.shuffle(order)
    wrong = places[order].reshape(part.coords.shape)
    formulas = [right, *(formula for _, formula, names in CASES if name in names)]
    assume(not any(np.array_equal(wrong, layout(formula, name)) for formula in formulas))
    source = source_for(name)
    assert lanes.diagnose(wrong, INSTRUCTIONS[name]).name == "unknown"
    assert lanes.diagnose(values(source, wrong), INSTRUCTIONS[name], source=source).name == "unknown"


@given(st.sampled_from([pair for pair in PAIRS if pair[0] != "constant"]), st.data())
@settings(max_examples=100, deadline=None)
def test_a_mistake_with_two_slots_exchanged_is_unknown(pair, data):
    """Nothing is named for being nearly so."""
    _, formula, name = pair
    if formula is shifted:
        formula = right
    wrong = layout(formula, name).reshape(-1, 2)
    one, other = data.draw(st.lists(st.integers(0, len(wrong) - 1), min_size=2, max_size=2, unique=True))
    wrong[[one, other]] = wrong[[other, one]]
    wrong = wrong.reshape(part_of(name).coords.shape)
    assert lanes.diagnose(wrong, INSTRUCTIONS[name]).name == "unknown"


def test_a_value_from_nowhere_is_shown():
    a = INSTRUCTIONS["m16n8k16 A f16"]
    source = source_for("m16n8k16 A f16")
    held = a.gather(source[:16, :16])
    held[4, 2, 1] = -77
    found = lanes.diagnose(held, a, source=source)
    assert (found.name, found.slot) == ("not-from-source", (4, 2, 1))
    assert (
        found.difference
        == "Lane 4, reg 2, half 1 should hold A(1,9) and holds -77, which is not in the source."
    )


def test_one_value_everywhere_is_constant_even_from_nowhere():
    a = INSTRUCTIONS["m16n8k16 A f16"]
    found = lanes.diagnose(np.zeros((32, 4, 2)), a, source=source_for("m16n8k16 A f16"))
    assert found.name == "constant"
    assert found.difference.endswith("holds 0.0, which is not in the source.")


def test_many_values_from_nowhere_are_no_constant():
    a, source = INSTRUCTIONS["m16n8k16 A f16"], source_for("m16n8k16 A f16")
    held = -1 - np.arange(256).reshape(32, 4, 2)
    assert lanes.diagnose(held, a, source=source).name == "not-from-source"


@pytest.mark.parametrize(("row", "col"), [(0, 16), (16, 0), (-1, 3), (3, -1)])
def test_a_place_outside_the_operand_is_not_from_the_source(row, col):
    a = INSTRUCTIONS["m16n8k16 A f16"]
    wrong = a.coords.copy()
    wrong[0, 0, 1] = row, col
    found = lanes.diagnose(wrong, a)
    assert found.name == "not-from-source"
    assert found.difference == f"Lane 0, reg 0, half 1 should hold A(0,1) and holds ({row},{col}) outside A."


def test_a_place_in_the_source_but_outside_the_operand_is_no_value_from_nowhere():
    a, source = INSTRUCTIONS["m16n8k16 A f16"], source_for("m16n8k16 A f16")
    held = a.gather(source[:16, :16])
    held[0, 0, 1] = source[0, 16]
    found = lanes.diagnose(held, a, source=source)
    assert found.name == "unknown"
    assert "holds (0,16) outside A" in found.difference


def test_nan_is_never_from_the_source():
    a, source = INSTRUCTIONS["m16n8k8 A f16"], source_for("m16n8k8 A f16", dtype=np.float16)
    held = a.gather(source[:16, :8])
    held[3, 0, 0] = np.nan
    assert lanes.diagnose(held, a, source=source).name == "not-from-source"


@pytest.mark.parametrize("dtype", [np.float16, np.float32, ml_dtypes.bfloat16, np.uint16, np.int64])
def test_values_may_have_any_dtype(dtype):
    row = LDMATRIX["x2.trans"]
    source = np.arange(128).reshape(16, 8).astype(dtype)
    held = lanes.ldmatrix(source.astype(np.uint16), trans=False).astype(dtype)
    assert lanes.diagnose(held, row, source=source).name == "missing-trans"


@pytest.mark.parametrize(
    ("got", "source", "sentence"),
    [
        (np.zeros((32, 4, 2)), None, r"got has shape \(32, 4, 2\); wanted \(32, 4, 2, 2\), or a source"),
        (np.zeros((32, 4, 2, 2)), None, "got is float64; a layout is made of integers."),
        (np.zeros((32, 2, 2)), np.eye(16), r"got has shape \(32, 2, 2\); wanted \(32, 4, 2\)."),
        (np.zeros((32, 4, 2)), np.zeros((16, 8)), r"source has shape \(16, 8\); wanted at least \(16, 16\)."),
        (np.zeros((32, 4, 2)), np.zeros(256), r"source has shape \(256,\); wanted at least"),
        (np.zeros((32, 4, 2)), np.eye(16), "source has a value more than once"),
        (np.full((32, 4, 2), "x"), np.arange(256).reshape(16, 16), "got is <U1; wanted numbers."),
    ],
)
def test_bad_input_is_one_sentence(got, source, sentence):
    with pytest.raises(ValueError, match=sentence):
        lanes.diagnose(got, INSTRUCTIONS["m16n8k16 A f16"], source=source)


def test_another_kind_of_instruction_is_refused():
    with pytest.raises(TypeError, match=r"instruction is a Mma; wanted a Fragment or an Ldmatrix\."):
        lanes.diagnose(np.zeros((32, 4, 2, 2), int), lanes.MMA[0])
