"""The scenes of two m16n8k8 and of a warp's step, against the PTX manual's formulas and the kernel's loops."""

import ast
from pathlib import Path

import numpy as np
import pytest

from lanes.view.scenes import pair_scene, step_scene

PAIR, STEP = pair_scene(), step_scene()
KERNEL = Path(__file__).resolve().parents[2] / "kernels" / "hgemm" / "reference.py"


def chosen(scene):
    return [pytest.param(variant, id=variant.choice[0]) for variant in scene.variants]


def k8_slot(operand, row, col):
    """(lane, reg, half) of an element by the PTX manual's formulas for mma.m16n8k8 with f16: row = groupID for a0 and
    a1, groupID + 8 for a2 and a3; col = threadID_in_group * 2 + (i & 1). B: row = threadID_in_group * 2 + i, col =
    groupID."""
    for lane, reg, half in np.ndindex(32, 2 if operand == "A" else 1, 2):
        group, member = lane // 4, lane % 4
        place = (group + 8 * reg, 2 * member + half) if operand == "A" else (2 * member + half, group)
        if place == (row, col):
            return lane, reg, half
    raise AssertionError((operand, row, col))


def test_the_second_m16n8k8_takes_the_columns_from_8_on_as_its_own_columns_0_to_7():
    """Which %R each register is to its instruction, found by the k8 formulas alone."""
    variant = PAIR.variant("two m16n8k8")
    seen = {}
    for operand, (rows, cols) in {"A": (16, 16), "B": (16, 8)}.items():
        for row, col in np.ndindex(rows, cols):
            call = (col if operand == "A" else row) // 8
            inside = (row, col - 8 * call) if operand == "A" else (row - 8 * call, col)
            lane, reg, half = k8_slot(operand, *inside)
            name = f"{operand}({row},{col})"
            pane, cell = variant.find(name)
            sentence = pane.sentence(cell)
            assert f"held by lane {lane} in" in sentence
            assert sentence.endswith(
                f"the {('first', 'second')[call]} m16n8k8, as its %R{operand.lower()}{reg}."
            )
            assert cell["slot"].endswith(("low half", "high half")[half])
            seen.setdefault((operand, call, reg), set()).update(variant.lit(name)["same"])
    # Registers {0, 1} and {2, 3} of A, {0} and {1} of B.
    assert {key: sorted(value)[0] for key, value in seen.items()} == {
        ("A", 0, 0): "reg 0 of A",
        ("A", 0, 1): "reg 1 of A",
        ("A", 1, 0): "reg 2 of A",
        ("A", 1, 1): "reg 3 of A",
        ("B", 0, 0): "reg 0 of B",
        ("B", 1, 0): "reg 1 of B",
    }
    assert all(len(value) == 1 for value in seen.values())


def test_one_m16n8k16_takes_every_register_under_its_own_number():
    variant = PAIR.variant("one m16n8k16")
    pane = variant.pane("operands")
    texts = [cell["text"] for cell in pane.cells]
    assert texts == ["mma", "Ra0", "Ra1", "Ra2", "Ra3", "Rb0", "Rb1"]
    assert variant.steps == ()
    assert set(variant.lit("the m16n8k16")["meets"]) >= {
        "A(0,0)",
        "A(15,15)",
        "B(15,7)",
        "C(7,3)",
        "reg 3 of A",
    }


def test_a_step_of_the_pair_shows_one_half_of_k():
    variant = PAIR.variant("two m16n8k8")
    for letter, axis in (("A", "col"), ("B", "row")):
        assert {cell[axis]: cell["step"] for cell in variant.pane(letter).cells} == {
            k: 1 + k // 8 for k in range(16)
        }
    first, second = variant.steps
    assert "registers 0 and 1 of A and register 0 of B: k from 0 to 7" in first
    assert "registers 2 and 3 of A and register 1 of B: k from 8 to 15" in second


def test_the_pair_follows_the_architecture():
    (control,) = PAIR.controls
    assert control.arch == {"sm_75": "two m16n8k8", "sm_80": "one m16n8k16", "sm_90": "one m16n8k16"}


def order_of(variant):
    return [name for name in variant.pane("order").cell_names if name]


def test_the_first_order_is_that_of_the_kernel():
    """Run the loops between the kernel's barriers, with functions that note what they are given."""
    tree = ast.parse(KERNEL.read_text())
    loop = next(node for node in ast.walk(tree) if isinstance(node, ast.While))
    body = ast.Module([node for node in loop.body if isinstance(node, ast.For)], [])
    ran = []
    names = {
        "MMAS_M": 4, "MMAS_N": 4, "MMA_M": 16, "MMA_N": 8, "warp_m": 0, "warp_n": 0, "lane": 0,
        "s_a": "A", "s_b": "B", "r_a": "A", "r_b": "B", "r_c": "C", "at": lambda array, index: index,
        "ldmatrix_x4": lambda to, source: ran.append(f"load A {to[0]}"),
        "ldmatrix_x2_trans": lambda to, source: ran.append(f"load B {to[0]}"),
        "mma": lambda c, a, b: (ran.append(f"mma ({c[0]},{c[1]})"), None if c[:2] == (a[0], b[0]) else 1 / 0),
    }  # fmt: skip
    exec(compile(body, "kernel", "exec"), names)
    assert order_of(STEP.variant("by rows")) == ran
    assert len(ran) == 24


@pytest.mark.parametrize("variant", chosen(STEP))
def test_every_product_is_made_once_after_its_operands_are_loaded(variant):
    order = order_of(variant)
    assert len(order) == len(set(order)) == 24
    for i, j in np.ndindex(4, 4):
        at = order.index(f"mma ({i},{j})")
        assert at > order.index(f"load A {i}")
        assert at > order.index(f"load B {j}")


@pytest.mark.parametrize(
    ("name", "of_a", "of_b"),
    [("by rows", 12, 0), ("by columns", 0, 12), ("to and fro", 12, 3), ("load late", 12, 0)],
)
def test_how_often_an_mma_shares_an_operand_with_the_one_before_it(name, of_a, of_b):
    """A row of four products has three neighbours that share A, and there are four rows; each turn shares B."""
    said = [sentence for sentence in STEP.variant(name).steps if "mma (" in sentence]
    assert sum("before it read r_a" in sentence for sentence in said) == of_a
    assert sum("before it read r_b" in sentence for sentence in said) == of_b
    assert sum("It is the first" in sentence for sentence in said) == 1
    assert len(said) == 16


@pytest.mark.parametrize("variant", chosen(STEP))
def test_a_step_marks_what_the_instruction_reads_and_writes(variant):
    """A register of A is marked when it is filled and at four products, one of C at its product alone."""
    order = order_of(variant)
    for pane, axis, loads in (("A", "i", "load A"), ("B", "j", "load B")):
        for cell in variant.pane(pane).cells:
            number = cell[axis]
            first = order.index(f"{loads} {number}") + 1
            uses = [
                at
                for at, one in enumerate(order, 1)
                if one[:3] == "mma" and int(one[5 if axis == "i" else 7]) == number
            ]
            assert cell["step"] == [first, *uses]
            assert len(uses) == 4
    for cell in variant.pane("C").cells:
        assert order[cell["step"] - 1] == f"mma ({cell['i']},{cell['j']})"
    assert len(variant.steps) == 24


@pytest.mark.parametrize("variant", chosen(STEP))
def test_the_cells_are_the_warps_64_by_16_16_by_32_and_64_by_32(variant):
    """A's registers go down the column first; a cell's place is where its 8 x 8 lies in the warp's tile."""
    a, b, c = (variant.pane(name) for name in "ABC")
    for row, col in np.ndindex(8, 2):
        name = f"r_a[{row // 2}, {row % 2 + 2 * col}]"
        assert a.cell_names[2 * row + col] == name
        pair = f"A({8 * row},{8 * col}) and A({8 * row},{8 * col + 1})"
        assert (
            f"rows {8 * row} to {8 * row + 7} and columns {8 * col} to {8 * col + 7} of A: in lane 0, {pair}."
            in (a.sentence(a.cells[2 * row + col]))
        )
    for row, col in np.ndindex(2, 4):
        assert b.cell_names[4 * row + col] == f"r_b[{col}, {row}]"
        assert f"in lane 0, B({8 * row},{8 * col}) and B({8 * row + 1},{8 * col})." in b.sentence(
            b.cells[4 * row + col]
        )
    for row, col in np.ndindex(8, 4):
        assert c.cell_names[4 * row + col] == f"r_c[{row // 2}, {col}, {row % 2}]"
        assert f"rows {8 * row} to {8 * row + 7} and columns {8 * col} to {8 * col + 7} of C" in c.sentence(
            c.cells[4 * row + col]
        )


@pytest.mark.parametrize("variant", chosen(STEP))
def test_an_mma_lights_four_registers_of_a_two_of_b_and_two_of_c(variant):
    for i, j in np.ndindex(4, 4):
        lit = variant.lit(f"mma ({i},{j})")
        assert set(lit["meets"]) == {f"r_a[{i}, {reg}]" for reg in range(4)} | {
            f"r_b[{j}, {reg}]" for reg in range(2)
        }
        assert set(lit["same"]) == {f"r_c[{i}, {j}, {reg}]" for reg in range(2)}
        assert set(variant.lit(f"r_c[{i}, {j}, 1]")["same"]) == {f"mma ({i},{j})"}
