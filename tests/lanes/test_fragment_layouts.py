"""Fragments against two sources typed out here: the formulas of the PTX ISA and the strides of CuTe."""

import itertools

import ml_dtypes
import numpy as np
import pytest

import lanes

# Every operand there is: (shape, operand, dtype).
OPERANDS = [
    ("m16n8k16", "A", "f16"),
    ("m16n8k16", "A", "bf16"),
    ("m16n8k16", "B", "f16"),
    ("m16n8k16", "B", "bf16"),
    ("m16n8k16", "C", "f16"),
    ("m16n8k16", "C", "f32"),
    ("m16n8k8", "A", "f16"),
    ("m16n8k8", "B", "f16"),
    ("m16n8k8", "C", "f16"),
    ("m16n8k8", "C", "f32"),
]


def ptx_coords(shape, operand, lane, i):
    """Return (row, col) of element i: the PTX ISA, "Matrix Fragments for mma.m16n8k8" and "... m16n8k16"."""
    group_id, thread_in_group = lane >> 2, lane % 4
    if operand == "C":
        row = group_id if i < 2 else group_id + 8
        return row, thread_in_group * 2 + (i & 1)
    if shape == "m16n8k8":
        if operand == "A":
            return (group_id if i < 2 else group_id + 8), thread_in_group * 2 + (i & 1)
        return thread_in_group * 2 + i, group_id
    if operand == "A":
        row = group_id if 0 <= i < 2 or 4 <= i < 6 else group_id + 8
        col = thread_in_group * 2 + (i & 1)
        return row, (col if i < 4 else col + 8)
    row = thread_in_group * 2 + (i & 1)
    return (row if i < 2 else row + 8), group_id


# CUTLASS, include/cute/atom/mma_traits_sm80.hpp: (thread, value) -> m + 16k, n + 8k, m + 16n.
CUTE = {
    ("m16n8k16", "A"): ((4, 8), (2, 2, 2), (32, 1), (16, 8, 128)),
    ("m16n8k16", "B"): ((4, 8), (2, 2), (16, 1), (8, 64)),
    ("m16n8k16", "C"): ((4, 8), (2, 2), (32, 1), (16, 8)),
    ("m16n8k8", "A"): ((4, 8), (2, 2), (32, 1), (16, 8)),
    ("m16n8k8", "B"): ((4, 8), (2,), (16, 1), (8,)),
    ("m16n8k8", "C"): ((4, 8), (2, 2), (32, 1), (16, 8)),
}


def cute_coords(shape, operand, lane, value):
    """Return (row, col) from CuTe's strides: their digits, the first fastest, times them."""
    thread_shape, value_shape, thread_stride, value_stride = CUTE[shape, operand]
    number = 0
    for digits, sizes, strides in (
        (lane, thread_shape, thread_stride),
        (value, value_shape, value_stride),
    ):
        for size, stride in zip(sizes, strides, strict=True):
            digits, digit = divmod(digits, size)
            number += digit * stride
    high, low = divmod(number, 8 if operand == "B" else 16)
    return (high, low) if operand == "B" else (low, high)


@pytest.mark.parametrize("formula", [ptx_coords, cute_coords])
@pytest.mark.parametrize(("shape", "operand", "dtype"), OPERANDS)
def test_each_lane_holds_what_the_independent_source_says(shape, operand, dtype, formula):
    part = lanes.fragment(shape, operand, dtype=dtype)
    values = part.registers * part.elements
    held = part.coords.reshape(32, values, 2).tolist()
    assert held == [[list(formula(shape, operand, lane, i)) for i in range(values)] for lane in range(32)]


@pytest.mark.parametrize(("shape", "operand", "dtype"), OPERANDS)
def test_owner_is_the_inverse_of_coords(shape, operand, dtype):
    part = lanes.fragment(shape, operand, dtype=dtype)
    owners = {}
    for row, col in itertools.product(*map(range, part.shape)):
        owner = part.owner(row, col)
        assert [type(number) for number in owner] == [int, int, int]
        assert part.coords[owner].tolist() == [row, col]
        owners[owner] = row, col
    assert len(owners) == 32 * part.registers * part.elements == part.shape[0] * part.shape[1]


@pytest.mark.parametrize(("shape", "operand", "dtype"), OPERANDS)
def test_coords_have_the_promised_form(shape, operand, dtype):
    part = lanes.fragment(shape, operand, dtype=dtype)
    elements = 1 if dtype == "f32" else 2
    assert part.coords.shape == (32, part.registers, elements, 2)
    assert part.coords.dtype == np.intp
    with pytest.raises(ValueError, match="read-only"):
        part.coords[0, 0, 0, 0] = 1
    assert np.array(part.names).shape == (part.registers, elements)
    assert list(itertools.chain(*part.names)) == [
        f"{operand.lower()}{i}" for i in range(part.registers * elements)
    ]


@pytest.mark.parametrize(("shape", "operand", "dtype"), OPERANDS)
def test_gather_takes_what_coords_say_and_scatter_puts_it_back(shape, operand, dtype):
    part = lanes.fragment(shape, operand, dtype=dtype)
    matrix = np.arange(np.prod(part.shape), dtype=np.int32).reshape(part.shape)
    registers = part.gather(matrix)
    assert registers.tolist() == (part.coords[..., 0] * part.shape[1] + part.coords[..., 1]).tolist()
    assert part.scatter(registers).tolist() == matrix.tolist()
    assert registers.dtype == part.scatter(registers).dtype == np.int32


def test_gather_reads_strided_matrices():
    part = lanes.fragment("m16n8k16", "A")
    stored = np.arange(512).reshape(16, 32)
    assert part.gather(stored[:, ::2]).tolist() == part.gather(stored[:, ::2].copy()).tolist()
    assert part.gather(stored.T[:16]).tolist() == part.gather(stored.T[:16].copy()).tolist()


def test_the_running_element_is_in_lane_0_reg_2_high_half():
    assert lanes.fragment("m16n8k16", "A").owner(0, 9) == (0, 2, 1)


def test_lane_0_holds_four_elements_of_c_that_are_not_four_neighbours():
    assert lanes.fragment("m16n8k16", "C").coords[0].reshape(4, 2).tolist() == [
        [0, 0],
        [0, 1],
        [8, 0],
        [8, 1],
    ]


@pytest.mark.parametrize("dtype", [np.float16, np.dtype("float16"), "f16"])
def test_a_dtype_may_be_numpys_or_a_ptx_name(dtype):
    assert lanes.fragment("m16n8k16", "A", dtype=dtype).dtype == "f16"
    assert lanes.fragment("m16n8k16", "A", dtype=ml_dtypes.bfloat16).dtype == "bf16"
    assert lanes.fragment("m16n8k16", "C", dtype=np.float32).dtype == "f32"


@pytest.mark.parametrize(
    ("arguments", "dtype", "sentence"),
    [
        (("m8n8k4", "A"), "f16", "shape is 'm8n8k4'; wanted one of m16n8k16, m16n8k8."),
        (("m16n8k16", "D"), "f16", "operand is 'D'; wanted A, B or C."),
        (("m16n8k16", "A"), "f32", "dtype is f32; A of m16n8k16 wants f16 or bf16."),
        (("m16n8k16", "C"), "bf16", "dtype is bf16; C of m16n8k16 wants f16 or f32."),
        (("m16n8k8", "B"), "f32", "dtype is f32; B of m16n8k8 wants f16 or bf16."),
        (("m16n8k16", "A"), "f64", "dtype is 'f64'; wanted one of f16, bf16, f32."),
        (("m16n8k16", "A"), np.float64, "dtype is float64; wanted one of f16, bf16, f32."),
        (("m16n8k16", "A"), object(), "wanted one of f16, bf16, f32."),
    ],
)
def test_what_is_not_there_is_refused_with_what_is(arguments, dtype, sentence):
    with pytest.raises(ValueError) as refusal:  # noqa: PT011 - the sentence is checked whole
        lanes.fragment(*arguments, dtype=dtype)
    assert str(refusal.value).endswith(sentence)


@pytest.mark.parametrize(
    ("row", "col", "sentence"),
    [(16, 0, "row is 16; wanted 0-15."), (0, 8, "col is 8; wanted 0-7."), (-1, 0, "row is -1; wanted 0-15.")],
)
def test_an_element_outside_the_operand_is_refused(row, col, sentence):
    with pytest.raises(IndexError, match=sentence):
        lanes.fragment("m16n8k16", "C").owner(row, col)


def test_gather_and_scatter_refuse_other_shapes():
    part = lanes.fragment("m16n8k16", "B")
    with pytest.raises(ValueError, match=r"B's matrix has shape \(8, 16\); wanted \(16, 8\)."):
        part.gather(np.zeros((8, 16)))
    with pytest.raises(ValueError, match=r"B's registers have shape \(32, 4, 2\); wanted \(32, 2, 2\)."):
        part.scatter(np.zeros((32, 4, 2)))
