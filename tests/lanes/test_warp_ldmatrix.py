"""ldmatrix against the PTX ISA's description, and the theorem of transposition."""

import itertools

import ml_dtypes
import numpy as np
import pytest

import lanes

NUMS = [1, 2, 4]


def unique_rows(num):
    """Return (8*num, 8) in which no two elements are equal."""
    return np.random.default_rng(num).permutation(64 * num).astype(np.uint16).reshape(8 * num, 8)


@pytest.mark.parametrize("num", NUMS)
def test_thread_t_receives_two_neighbours_of_row_t_div_4(num):
    rows = unique_rows(num)
    registers = lanes.ldmatrix(rows)
    assert registers.shape == (32, num, 2)
    for t, matrix, half in itertools.product(range(32), range(num), range(2)):
        assert registers[t, matrix, half] == rows[8 * matrix + t // 4, 2 * (t % 4) + half]


@pytest.mark.parametrize("num", NUMS)
def test_trans_exchanges_row_and_column(num):
    rows = unique_rows(num)
    registers = lanes.ldmatrix(rows, trans=True)
    for t, matrix, half in itertools.product(range(32), range(num), range(2)):
        assert registers[t, matrix, half] == rows[8 * matrix + 2 * (t % 4) + half, t // 4]


@pytest.mark.parametrize("num", NUMS)
def test_trans_is_ldmatrix_of_each_matrix_transposed(num):
    rows = unique_rows(num)
    turned = np.concatenate([matrix.T for matrix in np.split(rows, num)])
    assert lanes.ldmatrix(rows, trans=True).tolist() == lanes.ldmatrix(turned).tolist()
    assert lanes.ldmatrix(rows, trans=True).tolist() != lanes.ldmatrix(rows).tolist()


@pytest.mark.parametrize("row", lanes.LDMATRIX, ids=lambda row: row.mnemonic)
def test_the_row_says_what_the_function_does(row):
    rows = unique_rows(row.num)
    registers = lanes.ldmatrix(rows, trans=row.trans)
    received = set()
    for matrix, line, col in itertools.product(range(row.num), range(8), range(8)):
        receiver = row.receiver(matrix, line, col)
        assert registers[receiver] == rows[8 * matrix + line, col]
        assert row.element(*receiver) == (matrix, line, col)
        received.add(receiver)
    assert len(received) == 64 * row.num
    assert registers.tolist() == row.fragment.gather(rows).tolist()


@pytest.mark.parametrize("row", lanes.LDMATRIX, ids=lambda row: row.mnemonic)
def test_lane_i_supplies_row_i_mod_8_of_matrix_i_div_8(row):
    used = 8 * row.num
    assert [row.supplier(lane) for lane in range(used)] == [(lane // 8, lane % 8) for lane in range(used)]
    assert [row.supplier(lane) for lane in range(used, 32)] == [None] * (32 - used)


def test_the_supplier_of_a_row_is_not_its_receiver():
    row = lanes.ldmatrix_row(4)
    assert row.supplier(16) == (2, 0)
    assert {row.receiver(2, 0, col)[0] for col in range(8)} == {0, 1, 2, 3}


def test_x4_of_the_four_blocks_of_a_is_the_a_fragment():
    a = np.arange(256, dtype=np.uint16).reshape(16, 16)
    rows = np.concatenate([a[:8, :8], a[8:, :8], a[:8, 8:], a[8:, 8:]])
    assert lanes.ldmatrix(rows).tolist() == lanes.fragment("m16n8k16", "A").gather(a).tolist()


def test_x2_trans_of_b_stored_k_by_n_is_the_b_fragment():
    b = np.arange(128, dtype=np.uint16).reshape(16, 8)
    wanted = lanes.fragment("m16n8k16", "B").gather(b).tolist()
    assert lanes.ldmatrix(b, trans=True).tolist() == wanted
    n_by_k = b.T
    assert lanes.ldmatrix(np.concatenate([n_by_k[:, :8], n_by_k[:, 8:]])).tolist() == wanted


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16, np.int16, np.uint16])
def test_bits_pass_unread(dtype):
    rows = np.arange(64, dtype=np.uint16).reshape(8, 8) * np.uint16(1021)  # NaN patterns among them
    registers = lanes.ldmatrix(rows.view(dtype))
    assert registers.dtype == dtype
    assert registers.view(np.uint16).tolist() == lanes.ldmatrix(rows).tolist()


@pytest.mark.parametrize("trans", [False, True])
@pytest.mark.parametrize("num", NUMS)
def test_registers_do_not_alias_memory(num, trans):
    rows = unique_rows(num)
    registers = lanes.ldmatrix(rows, trans=trans)
    assert not np.shares_memory(rows, registers)
    assert registers.flags.c_contiguous


@pytest.mark.parametrize("shape", [(24, 8), (8, 16), (0, 8), (64,), (1, 8, 8), ()])
def test_other_shapes_are_refused(shape):
    with pytest.raises(
        ValueError, match=r"rows has shape .*; ldmatrix wants \(8, 8\), \(16, 8\) or \(32, 8\)."
    ):
        lanes.ldmatrix(np.zeros(shape, np.float16))


@pytest.mark.parametrize("dtype", [np.float32, np.uint8, np.float64])
def test_other_sizes_of_element_are_refused(dtype):
    with pytest.raises(ValueError, match=r"rows is .*; ldmatrix wants 16-bit elements\."):
        lanes.ldmatrix(np.zeros((8, 8), dtype))


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        (lambda row: row.supplier(32), "lane is 32; wanted 0-31."),
        (lambda row: row.supplier(-1), "lane is -1; wanted 0-31."),
        (lambda row: row.receiver(2, 0, 0), "matrix is 2; wanted 0-1."),
        (lambda row: row.receiver(1, 8, 0), "row is 8; wanted 0-7."),
        (lambda row: row.receiver(1, 0, 8), "col is 8; wanted 0-7."),
        (lambda row: row.element(32, 0, 0), "lane is 32; wanted 0-31."),
        (lambda row: row.element(0, 2, 0), "reg is 2; wanted 0-1."),
        (lambda row: row.element(0, 0, -1), "half is -1; wanted 0-1."),
    ],
)
def test_what_does_not_exist_is_refused(question, sentence):
    with pytest.raises(IndexError, match=sentence):
        question(lanes.ldmatrix_row(2))
