"""The probe: it agrees with the model, notices what is wrong, and does not see what no multiplication can show."""

from __future__ import annotations

import json
from types import SimpleNamespace

import numpy as np
import pytest

import kernels.ptx.ldmatrix
import kernels.ptx.mma
import lanes
from kernels import probe
from kernels.adapter import SIMULATED

SIZES = {"m16n8k16": {"m": 16, "n": 8, "k": 16}, "m16n8k8": {"m": 16, "n": 8, "k": 8}}


def test_the_probe_finds_what_the_model_says():
    found = json.loads(json.dumps(probe.probe()))
    rows = {row["instruction"]: row for row in found["rows"]}
    assert list(rows) == [
        "ldmatrix.x1",
        "ldmatrix.x2",
        "ldmatrix.x4",
        "ldmatrix.x1.trans",
        "ldmatrix.x2.trans",
        "ldmatrix.x4.trans",
        "mma.m16n8k16.f16.f16",
        "mma.m16n8k16.f32.f16",
        "mma.m16n8k16.f32.bf16",
        "mma.m16n8k8.f16.f16",
        "mma.m16n8k8.f32.f16",
        "mma.m16n8k8.f32.bf16",
    ]
    assert {name: row["wrong"] for name, row in rows.items()} == dict.fromkeys(rows, 0)
    for name, row in rows.items():
        family, kind, *_ = name.split(".")
        if family == "ldmatrix":
            numbers = np.arange(64 * int(kind[1]))
            assert sorted(np.ravel(row["registers"])) == numbers.tolist()  # every element, once
        else:
            m, n, k = (SIZES[kind][axis] for axis in "mnk")
            assert row["classes"] == SIZES[kind]
            assert row["pairs"] == m * k * m * n
    assert found["provenance"]["backend"] == ("simulator" if SIMULATED else "gpu")


@pytest.mark.parametrize("trans", [False, True])
def test_ldmatrix_is_asked_outright(trans):
    """PTX: lane t receives elements 2 * (t % 4) and the next of row t // 4, in .trans of column t // 4."""
    registers = probe.ldmatrix_registers(4, trans)
    assert (registers.shape, registers.dtype) == ((32, 4, 2), np.uint16)
    for lane, reg, half in np.ndindex(32, 4, 2):
        row, col = lane // 4, 2 * (lane % 4) + half
        if trans:
            row, col = col, row
        assert registers[lane, reg, half] == 64 * reg + 8 * row + col


@pytest.mark.parametrize(("shape", "acc", "dtype"), probe.MMA)
def test_what_is_expected_is_what_a_multiplication_shows(shape, acc, dtype):
    a, b, c = (lanes.fragment(shape, x, dtype=acc if x == "C" else dtype) for x in "ABC")
    numbers = np.arange(1, b.coords[..., 0].size + 1).reshape(b.coords.shape[:3])
    expected = probe.expected_meetings(shape, acc, dtype)
    for case, place in enumerate(np.ndindex(a.coords.shape[:3])):
        one = np.zeros(a.coords.shape[:3], int)
        one[place] = 1
        product = a.scatter(one) @ b.scatter(numbers)
        np.testing.assert_array_equal(c.gather(product).reshape(-1), expected[case])


def only(monkeypatch, ldmatrix=(), mma=()):
    """Probe these instructions, and no others."""
    monkeypatch.setattr(probe, "LDMATRIX", list(ldmatrix))
    monkeypatch.setattr(probe, "MMA", list(mma))


LDMATRIX_FAULTS = {
    "registers 1 and 2 swapped": lambda rows, trans: lanes.ldmatrix(rows, trans=trans)[:, [0, 2, 1, 3]],
    "halves swapped": lambda rows, trans: lanes.ldmatrix(rows, trans=trans)[..., ::-1].copy(),
    ".trans dropped, or put where there is none": lambda rows, trans: lanes.ldmatrix(rows, trans=not trans),
    "lanes in another order": lambda rows, trans: lanes.ldmatrix(rows, trans=trans)[::-1].copy(),
    "rows of one matrix by lane % 4": lambda rows, trans: lanes.ldmatrix(
        rows[[i // 8 * 8 + i % 4 for i in range(32)]], trans=trans
    ),
}


@pytest.mark.simulator
@pytest.mark.parametrize("fault", LDMATRIX_FAULTS)
@pytest.mark.parametrize("trans", [False, True])
def test_the_probe_notices_an_ldmatrix_that_is_wrong(monkeypatch, fault, trans):
    """The fault is in the instruction; the model that its answer is compared with stays as it is."""
    monkeypatch.setattr(kernels.ptx.ldmatrix, "lanes", SimpleNamespace(ldmatrix=LDMATRIX_FAULTS[fault]))
    only(monkeypatch, ldmatrix=[(4, trans)])
    (row,) = probe.probe()["rows"]
    assert row["wrong"] > 0


# What the registers of A, B and C go through on their way into the instruction, and C's on the way out.
MMA_FAULTS = {
    "registers 1 and 2 of A swapped": ("m16n8k16", {"a": lambda a: a[:, [0, 2, 1, 3]]}),
    "the registers of B swapped": ("m16n8k16", {"b": lambda b: b[:, ::-1]}),
    "the registers of C swapped": ("m16n8k8", {"c": lambda c: c[:, ::-1]}),
    "the halves of A swapped": ("m16n8k8", {"a": lambda a: a[..., ::-1]}),
    "the halves of B swapped": ("m16n8k8", {"b": lambda b: b[..., ::-1]}),
    "the halves of C swapped": ("m16n8k8", {"c": lambda c: c[..., ::-1]}),
    "two lanes of A exchanged": ("m16n8k8", {"a": lambda a: a[[1, 0, *range(2, 32)]]}),
    "A and B by different columns of lanes": ("m16n8k8", {"a": lambda a: a[[i ^ 1 for i in range(32)]]}),
}
RELABELLINGS = {
    "neighbours in k exchanged": ("m16n8k8", {"a": lambda a: a[..., ::-1], "b": lambda b: b[..., ::-1]}),
    "the halves of k exchanged": ("m16n8k16", {"a": lambda a: a[:, [2, 3, 0, 1]], "b": lambda b: b[:, ::-1]}),
    "rows 8-15 first": ("m16n8k8", {"a": lambda a: a[:, ::-1], "c": lambda c: c[:, ::-1]}),
}


def instruction(monkeypatch, changes):
    """Make the simulated mma one that holds its operands otherwise."""
    a_change, b_change, c_change = (changes.get(x, lambda registers: registers) for x in "abc")

    def mma(a, b, c, *, shape):
        return c_change(lanes.mma(a_change(a), b_change(b), c_change(c), shape=shape)).copy()

    monkeypatch.setattr(kernels.ptx.mma, "lanes", SimpleNamespace(mma=mma, fragment=lanes.fragment))


@pytest.mark.simulator
@pytest.mark.parametrize("fault", MMA_FAULTS)
def test_the_probe_notices_an_mma_that_is_wrong(monkeypatch, fault):
    shape, changes = MMA_FAULTS[fault]
    instruction(monkeypatch, changes)
    only(monkeypatch, mma=[(shape, "f16", "f16")])
    (row,) = probe.probe()["rows"]
    assert row["wrong"] > 0


@pytest.mark.simulator
@pytest.mark.parametrize("renaming", RELABELLINGS)
def test_a_consistent_renaming_cannot_be_seen(monkeypatch, renaming):
    shape, changes = RELABELLINGS[renaming]
    instruction(monkeypatch, changes)
    only(monkeypatch, mma=[(shape, "f16", "f16")])
    (row,) = probe.probe()["rows"]
    assert (row["wrong"], row["classes"]) == (0, SIZES[shape])


K_FIRST_HALF_LAST = {"A": ((0, 8), (8, 8), (0, 0), (8, 0)), "B": ((8, 0), (0, 0)), "C": ((0, 0), (8, 0))}


def tables(blocks):
    """Fragments of m16n8k16 whose 8x8 matrices are at these corners, in register order."""
    shapes = {"A": (16, 16), "B": (16, 8), "C": (16, 8)}
    return tuple(lanes.Fragment(x, "f16", shapes[x], blocks[x], transposed=x == "B") for x in ("A", "B", "C"))


def test_a_consistent_renaming_of_k_is_another_table_and_the_same_meetings(monkeypatch):
    """So the labels in the tables are PTX's: no multiplication could tell them from these."""
    right = probe.expected_meetings("m16n8k16", "f16")
    renamed = tables(K_FIRST_HALF_LAST)
    for part, operand in zip(renamed[:2], "AB", strict=True):
        assert (part.coords != lanes.fragment("m16n8k16", operand).coords).any()
    monkeypatch.setattr(probe, "_fragments", lambda shape, acc, dtype: renamed)
    np.testing.assert_array_equal(probe.expected_meetings("m16n8k16", "f16"), right)


@pytest.mark.parametrize(
    "blocks",
    [
        {"A": ((0, 0), (0, 8), (8, 0), (8, 8))},  # registers 1 and 2 of A
        {"A": K_FIRST_HALF_LAST["A"]},  # k renamed in A alone
        {"B": K_FIRST_HALF_LAST["B"]},  # and in B alone
        {"C": ((8, 0), (0, 0))},
    ],
)
def test_a_table_that_is_wrong_is_noticed_whatever_computes(monkeypatch, blocks):
    wrong = tables(
        {"A": ((0, 0), (8, 0), (0, 8), (8, 8)), "B": ((0, 0), (8, 0)), "C": ((0, 0), (8, 0))} | blocks
    )
    monkeypatch.setattr(probe, "_fragments", lambda shape, acc, dtype: wrong)
    only(monkeypatch, mma=[("m16n8k16", "f16", "f16")])
    (row,) = probe.probe()["rows"]
    assert row["wrong"] > 0


def test_the_tables_that_stand_for_ptx_s_are_lanes_own():
    right = tables({"A": ((0, 0), (8, 0), (0, 8), (8, 8)), "B": ((0, 0), (8, 0)), "C": ((0, 0), (8, 0))})
    for part, operand in zip(right, "ABC", strict=True):
        np.testing.assert_array_equal(part.coords, lanes.fragment("m16n8k16", operand).coords)


def test_the_classes_are_counted_without_a_layout():
    """Halves of A in any order, halves of C in any order, halves of B under any numbers: the same counts."""
    meetings = probe.expected_meetings("m16n8k8", "f16")
    shuffle = np.random.default_rng(0)
    names = np.concatenate([[0], 1 + shuffle.permutation(meetings.max())])
    shuffled = names[meetings[shuffle.permutation(len(meetings))][:, shuffle.permutation(128)]]
    assert probe.classes(shuffled) == probe.classes(meetings) == SIZES["m16n8k8"]


def test_what_cannot_be_told_apart_is_one_class():
    everywhere = np.ones((4, 6), int)  # every half of A shows the same half of B in every half of C
    assert probe.classes(everywhere) == {"m": 1, "n": 1, "k": 1}
    assert probe.classes(np.zeros((4, 6), int)) == {"m": 1, "n": 1, "k": 1}
