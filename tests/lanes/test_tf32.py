"""The places of tf32 against the formulas of the PTX ISA, and against those of 16-bit elements."""

import numpy as np
import pytest

from lanes import fragment, relabelling, tf32_coords


def ptx(operand, lane, i):
    """Element ai or bi: the PTX ISA, "Matrix Fragments for mma.m16n8k8", the tables for .tf32."""
    group_id, thread_in_group = lane >> 2, lane % 4
    if operand == "A":
        row = group_id if i in (0, 2) else group_id + 8
        return row, (thread_in_group if i in (0, 1) else thread_in_group + 4)
    return (thread_in_group if i == 0 else thread_in_group + 4), group_id


@pytest.mark.parametrize(("operand", "registers"), [("A", 4), ("B", 2)])
def test_every_register_holds_what_the_manual_says(operand, registers):
    coords = tf32_coords(operand)
    assert coords.shape == (32, registers, 2)
    for lane, reg in np.ndindex(32, registers):
        assert tuple(coords[lane, reg]) == ptx(operand, lane, reg)
    assert len(np.unique(coords.reshape(-1, 2), axis=0)) == 32 * registers


def test_a_lane_would_hold_the_elements_of_f16_if_k_had_other_names():
    """Call k = 2t + h of the 16-bit shape t + 4h: then each lane holds the same, a1 and a2 in each other's place."""
    new = relabelling("m16n8k8", k=[k // 2 + 4 * (k % 2) for k in range(8)])
    a, b = (new.coords(fragment("m16n8k8", operand)).reshape(32, -1, 2) for operand in "AB")
    assert (a[:, [0, 2, 1, 3]] == tf32_coords("A")).all()
    assert (b == tf32_coords("B")).all()
    assert (fragment("m16n8k8", "A").coords.reshape(32, 4, 2) != tf32_coords("A")).any()


def test_c_has_no_places_of_its_own():
    with pytest.raises(ValueError, match=r"operand is 'C'; wanted A or B\."):
        tf32_coords("C")
