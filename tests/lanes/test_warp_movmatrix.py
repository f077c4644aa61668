"""movmatrix against the PTX ISA's description, and what it does to fragments."""

import ml_dtypes
import numpy as np
import pytest

import lanes


def unique(num):
    """Registers in which no two elements are equal, (32, num, 2)."""
    return np.random.default_rng(num).permutation(64 * num).astype(np.uint16).reshape(32, num, 2)


@pytest.mark.parametrize("num", [1, 2, 4])
def test_a_group_of_four_holds_a_row_before_and_a_column_after(num):
    """PTX: thread t gives elements 2*(t%4) and the next of row t/4, and gets those of column t/4."""
    registers = unique(num)
    turned = lanes.movmatrix(registers)
    assert turned.shape == registers.shape
    for lane, reg, half in np.ndindex(registers.shape):
        row, col = 2 * (lane % 4) + half, lane // 4  # what the lane gets
        assert turned[lane, reg, half] == registers[4 * row + col // 2, reg, col % 2]


def test_the_row_says_what_the_function_does():
    row, registers = lanes.MOVMATRIX, unique(1)
    turned = lanes.movmatrix(registers)
    assert (row.mnemonic, row.arch) == ("movmatrix.sync.aligned.m8n8.trans.b16", "sm_75")
    matrix = row.before.scatter(registers)
    np.testing.assert_array_equal(row.after.gather(matrix), turned)
    for lane, half in np.ndindex(32, 2):
        to = row.receiver(lane, half)
        assert turned[to[0], 0, to[1]] == registers[lane, 0, half]
        assert row.receiver(*to) == (lane, half)
    assert len({row.receiver(lane, half) for lane, half in np.ndindex(32, 2)}) == 64


def test_twice_is_nothing_and_it_makes_up_for_a_missing_trans():
    rows = np.random.default_rng(5).permutation(256).astype(np.uint16).reshape(32, 8)
    for num in (1, 2, 4):
        plain = lanes.ldmatrix(rows[: 8 * num])
        np.testing.assert_array_equal(lanes.movmatrix(plain), lanes.ldmatrix(rows[: 8 * num], trans=True))
        np.testing.assert_array_equal(lanes.movmatrix(lanes.movmatrix(plain)), plain)


def test_c_of_one_mma_becomes_b_of_the_next():
    """C is 16x8 in row pairs, B is 16x8 in column pairs: the same matrix, turned 8x8 by 8x8."""
    matrix = np.random.default_rng(6).permutation(128).astype(np.uint16).reshape(16, 8)
    c, b = lanes.fragment("m16n8k16", "C"), lanes.fragment("m16n8k16", "B")
    np.testing.assert_array_equal(lanes.movmatrix(c.gather(matrix)), b.gather(matrix))


def test_a_is_transposed_by_turning_and_exchanging_registers_1_and_2():
    matrix = np.random.default_rng(7).permutation(256).astype(np.uint16).reshape(16, 16)
    a = lanes.fragment("m16n8k16", "A")
    turned = lanes.movmatrix(a.gather(matrix))
    np.testing.assert_array_equal(turned[:, [0, 2, 1, 3]], a.gather(np.ascontiguousarray(matrix.T)))
    assert (turned != a.gather(np.ascontiguousarray(matrix.T))).any()


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16, np.int16, np.uint16])
def test_bits_pass_unread_into_registers_of_their_own(dtype):
    registers = (unique(1) * np.uint16(1021)).view(dtype)  # NaN patterns among them
    turned = lanes.movmatrix(registers)
    assert turned.dtype == dtype
    assert turned.view(np.uint16).tolist() == lanes.movmatrix(registers.view(np.uint16)).tolist()
    assert turned.flags.c_contiguous
    assert not np.shares_memory(registers, turned)


@pytest.mark.parametrize("shape", [(32, 2), (31, 1, 2), (32, 1, 1), (32, 1, 2, 1), ()])
def test_other_shapes_are_refused(shape):
    with pytest.raises(ValueError, match=r"registers has shape .*; movmatrix wants \(32, num, 2\)\."):
        lanes.movmatrix(np.zeros(shape, np.float16))


@pytest.mark.parametrize("dtype", [np.float32, np.uint8])
def test_other_sizes_of_element_are_refused(dtype):
    with pytest.raises(ValueError, match=r"registers is .*; movmatrix wants 16-bit elements\."):
        lanes.movmatrix(np.zeros((32, 1, 2), dtype))


@pytest.mark.parametrize(
    ("place", "sentence"), [((32, 0), "lane is 32; wanted 0-31."), ((0, 2), "half is 2; wanted 0-1.")]
)
def test_what_does_not_exist_is_refused(place, sentence):
    with pytest.raises(IndexError, match=sentence):
        lanes.MOVMATRIX.receiver(*place)
