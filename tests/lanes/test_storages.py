"""The four storages: loaded through ldmatrix, each gives the mma's fragment, and nothing but the derived way does."""

import itertools

import numpy as np
import pytest

import lanes

# Every storage, and every number of matrices that it can load at once, for both shapes.
CASES = [
    lanes.Storage(operand, stored, shape, num)
    for operand, stored in (("A", "MK"), ("A", "KM"), ("B", "KN"), ("B", "NK"))
    for shape, nums in (
        ("m16n8k16", (4,) if operand == "A" else (2, 4)),
        ("m16n8k8", (2, 4) if operand == "A" else (1, 2, 4)),
    )
    for num in nums
]
every_case = pytest.mark.parametrize(
    "case", CASES, ids=lambda one: f"{one.operand} {one.stored} {one.shape} x{one.num}"
)


def matrix_of(case):
    """The part of the operand that a load brings, every value once and without pattern."""
    return (
        np.random.default_rng(11)
        .permutation(case.matrix[0] * case.matrix[1])
        .reshape(case.matrix)
        .astype("u2")
    )


def held(case):
    """What PTX's formulas want in [lane, reg, half], for one fragment after the other."""
    matrix, per = matrix_of(case), {"A": {16: 4, 8: 2}, "B": {16: 2, 8: 1}}[case.operand][int(case.shape[6:])]
    found = np.zeros((32, case.num, 2), np.uint16)
    for lane, reg, half in np.ndindex(found.shape):
        which, inner = divmod(reg, per)
        group, pair = lane // 4, 2 * (lane % 4) + half
        if case.operand == "A":
            found[lane, reg, half] = matrix[16 * which + group + 8 * (inner % 2), pair + 8 * (inner // 2)]
        else:
            found[lane, reg, half] = matrix[pair + 8 * inner, 8 * which + group]
    return found


def in_memory(case, row, col):
    """Where A(m,k) or B(k,n) lies: memory's rows are the first letter of `stored`."""
    axes = {"A": "MK", "B": "KN"}[case.operand]
    place = dict(zip(axes, (row, col), strict=True))
    return tuple(place[axis] for axis in case.stored)


@every_case
def test_the_derived_load_gives_the_fragments_that_the_mma_wants(case):
    memory = case.stores(matrix_of(case))
    assert memory.shape == case.memory
    for (row, col), value in np.ndenumerate(matrix_of(case)):
        assert memory[in_memory(case, row, col)] == value
    loaded = lanes.ldmatrix(case.rows(memory), trans=case.trans)
    np.testing.assert_array_equal(loaded, held(case))


@every_case
def test_fragment_by_fragment_it_is_gather(case):
    loaded = lanes.ldmatrix(case.rows(case.stores(matrix_of(case))), trans=case.trans)
    parts = np.split(matrix_of(case), case.fragments, axis=0 if case.operand == "A" else 1)
    wanted = [case.fragment.gather(part) for part in parts]
    np.testing.assert_array_equal(loaded, np.concatenate(wanted, axis=1))


@every_case
def test_no_other_choice_of_trans_and_rows_gives_them(case):
    """Each register on its own, from every aligned 8x8 of memory, with and without .trans: one way is right."""
    memory = case.stores(matrix_of(case))
    rows, cols = memory.shape
    places = list(itertools.product(range(0, rows, 8), range(0, cols, 8), (False, True)))
    for reg in range(case.num):
        right = [
            (row, col, trans)
            for row, col, trans in places
            if (
                lanes.ldmatrix(memory[row : row + 8, col : col + 8], trans=trans)[:, 0] == held(case)[:, reg]
            ).all()
        ]
        assert right == [(*case.start(8 * reg), case.trans)]
        assert [case.start(8 * reg + row) for row in range(8)] == [
            (right[0][0] + row, right[0][1]) for row in range(8)
        ]


@every_case
def test_trans_says_that_memory_does_not_run_along_k(case):
    assert case.trans == (not case.stored.endswith("K"))
    assert case.load.num == case.num


def test_the_addresses_of_m16n8k16_are_these_formulas():
    """What the chapter prints and the kernel computes, for A by x4, B by x2 and two fragments of B by x4."""

    def down(lane):
        return lane % 16, lane // 16 * 8

    def across(lane):
        return lane % 8 + lane // 16 * 8, lane // 8 % 2 * 8

    for operand, stored, formula in (
        ("A", "MK", down),
        ("A", "KM", across),
        ("B", "KN", down),
        ("B", "NK", across),
    ):
        assert [lanes.Storage(operand, stored, num=4).start(lane) for lane in range(32)] == list(
            map(formula, range(32))
        )
        if operand == "B":
            two = lanes.Storage(operand, stored)
            assert [two.start(lane) for lane in range(32)] == [*map(formula, range(16)), *[None] * 16]


def test_matrices_1_and_2_of_a_stored_by_columns_change_places_in_memory():
    by_rows, by_columns = lanes.STORAGES[:2]
    corners = [[case.start(8 * matrix) for matrix in range(4)] for case in (by_rows, by_columns)]
    assert [corners[0][i] for i in (0, 2, 1, 3)] == corners[1]


def test_the_letters_are_blas_s():
    """BLAS stores by columns: N is A with m running fastest and B with k; T is A with k and B with n."""
    runs = {(one.operand, one.blas): one.stored[1] for one in lanes.STORAGES}
    assert runs == {("A", "N"): "M", ("A", "T"): "K", ("B", "N"): "K", ("B", "T"): "N"}
    tn = [one for one in lanes.STORAGES if one.blas == {"A": "T", "B": "N"}[one.operand]]
    assert not any(one.trans for one in tn)  # the mma's own .row.col


@pytest.mark.parametrize("case", lanes.STORAGES, ids=lambda one: one.stored)
def test_place_is_its_own_inverse(case):
    for row, col in np.ndindex(case.matrix):
        assert case.place(*case.place(row, col)) == (row, col)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("C", "MN"), "operand is 'C'; wanted A or B."),
        (("A", "KN"), "stored is 'KN'; wanted MK or KM for A."),
        (("B", "MK"), "stored is 'MK'; wanted KN or NK for B."),
        (("A", "MK", "m8n8k4"), "shape is 'm8n8k4'; wanted one of"),
        (("A", "MK", "m16n8k16", 2), "num is 2; a fragment of A of m16n8k16 has 4 matrices"),
        (("B", "KN", "m16n8k16", 1), "num is 1; a fragment of B of m16n8k16 has 2 matrices"),
        (("B", "KN", "m16n8k8", 8), "num is 8; a fragment of B of m16n8k8 has 1 matrices"),
    ],
)
def test_what_there_is_not_is_refused(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        lanes.Storage(*arguments)


def test_other_shapes_and_slots_are_refused():
    case = lanes.Storage("B", "NK")
    with pytest.raises(ValueError, match=r"B's matrix has shape \(8, 16\); wanted \(16, 8\)\."):
        case.stores(np.zeros((8, 16)))
    with pytest.raises(ValueError, match=r"memory has shape \(16, 8\); wanted \(8, 16\)\."):
        case.rows(np.zeros((16, 8)))
    for question, sentence in (
        (lambda: case.start(32), "lane is 32; wanted 0-31."),
        (lambda: case.wanted(32, 0, 0), "lane is 32; wanted 0-31."),
        (lambda: case.wanted(0, 2, 0), "reg is 2; wanted 0-1."),
        (lambda: case.wanted(0, 0, 2), "half is 2; wanted 0-1."),
    ):
        with pytest.raises(IndexError, match=sentence):
            question()


def test_memory_does_not_alias_the_matrix():
    for case in lanes.STORAGES:
        matrix = matrix_of(lanes.Storage(case.operand, case.stored, num=case.load.num))
        assert not np.shares_memory(case.stores(matrix), matrix)
