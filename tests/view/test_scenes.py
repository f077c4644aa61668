"""The scenes say what the model says: compared with the PTX manual's formulas, which stand here once more."""

import gzip
import json

import numpy as np
import pytest

from lanes import fragment, ldmatrix
from lanes.view.scenes import SCENES, fragment_scene, ldmatrix_scene, mma_scene

LDMATRIX, MMA, FRAGMENT = ldmatrix_scene(), mma_scene(), fragment_scene()
HALVES = ("low", "high")


def chosen(scene):
    """Every variant of a scene, for parametrize, with readable names."""
    return [pytest.param(variant, id=".".join(variant.choice)) for variant in scene.variants]


def slots(variant):
    """Pane "registers" as a dict: (lane, reg, half) to the name of the cell."""
    pane = variant.pane("registers")
    found = {}
    for cell, name in zip(pane.cells, pane.cell_names, strict=True):
        if cell["kind"] == "cell":
            found[cell["lane"], cell["reg"], cell["half"]] = name
    return found


def received(num, trans):
    """(matrix, row, col) of the element that lane, reg, half receives: by PTX's text, element 2*(lane%4)+half of row
    lane//4, of the matrix or of its transpose."""
    for lane, reg, half in np.ndindex(32, num, 2):
        row, col = lane // 4, 2 * (lane % 4) + half
        yield (lane, reg, half), (reg, *((col, row) if trans else (row, col)))


def tile_place(matrix, row, col):
    """A's matrices go down the column first."""
    return 8 * (matrix % 2) + row, 8 * (matrix // 2) + col


@pytest.mark.parametrize("variant", chosen(LDMATRIX))
def test_an_element_and_the_register_that_receives_it_light_each_other(variant):
    num, trans = int(variant.choice[0][1:]), variant.choice[1] == ".trans"
    register = slots(variant)
    assert len(register) == 64 * num
    for slot, (matrix, row, col) in received(num, trans):
        r, c = tile_place(matrix, row, col)
        element = f"A({r},{c})"
        assert set(variant.lit(element)["same"]) == {element, register[slot]}
        assert set(variant.lit(register[slot])["same"]) == {element, register[slot]}
        assert f"lane {slot[0]}, reg {slot[1]}, {HALVES[slot[2]]} half" == register[slot]


@pytest.mark.parametrize("variant", chosen(LDMATRIX))
def test_the_supplier_of_a_row_is_its_number_in_the_pile(variant):
    """Lane 8*matrix + row supplies it; its dashes go round the badge, the eight elements and the lane's own cell."""
    num = int(variant.choice[0][1:])
    for lane in range(8 * num):
        matrix, row = divmod(lane, 8)
        elements = ["A({},{})".format(*tile_place(matrix, row, col)) for col in range(8)]
        badge = f"address from lane {lane}"
        assert set(variant.lit(badge)["supplies"]) == {badge, *elements, f"lane {lane}"}
        assert set(variant.lit(elements[3])["supplies"]) == {badge, *elements, f"lane {lane}"}
        assert set(variant.lit(f"lane {lane}")["supplies"]) == {badge, *elements}
    for lane in range(8 * num, 32):
        assert "supplies" not in variant.lit(f"lane {lane}")
        pane, cell = variant.find(f"lane {lane}")
        assert f"no address that x{num} uses" in pane.sentence(cell)


@pytest.mark.parametrize("variant", chosen(LDMATRIX))
def test_a_lane_lights_what_it_receives_and_a_badge_who_receives_its_row(variant):
    num, trans = int(variant.choice[0][1:]), variant.choice[1] == ".trans"
    register = slots(variant)
    held, fed = {}, {}
    for slot, (matrix, row, col) in received(num, trans):
        held.setdefault(slot[0], set()).update(
            {register[slot], "A({},{})".format(*tile_place(matrix, row, col))}
        )
        fed.setdefault(8 * matrix + row, set()).add(register[slot])
    for lane in range(32):
        assert set(variant.lit(f"lane {lane}")["holds"]) == held[lane] | {f"lane {lane}"}
    for lane in range(8 * num):
        assert set(variant.lit(f"address from lane {lane}")["meets"]) == fed[lane]


@pytest.mark.parametrize("variant", chosen(LDMATRIX))
def test_the_places_in_memory_load_what_the_model_loads(variant):
    """Write the tile where the scene says its rows are, give ldmatrix the bytes of the badges, compare the slots."""
    num, trans = int(variant.choice[0][1:]), variant.choice[1] == ".trans"
    memory, badges = np.full(1024, 0xFFFF, np.uint16), {}
    for cell in variant.pane("A").cells:
        if cell["kind"] == "badge":
            badges[cell["supplier"]] = cell["byte"]
            row = cell["row"] * 16 + np.arange(cell["first"], cell["last"] + 1)
            memory[cell["byte"] // 2 : cell["byte"] // 2 + 8] = row
    assert all(byte % 16 == 0 for byte in badges.values())
    assert len(set(badges.values())) == 8 * num
    loaded = ldmatrix(
        np.array([memory[badges[lane] // 2 : badges[lane] // 2 + 8] for lane in range(8 * num)]), trans=trans
    )
    for (lane, reg, half), name in slots(variant).items():
        _, cell = variant.find(name)
        assert loaded[lane, reg, half] == cell["row"] * 16 + cell["col"]


def test_rows_lie_as_the_choice_says():
    """Dense: 32 bytes a row of the tile. Padded: 48. Scattered: no two rows of a matrix follow each other."""
    byte = {
        rows: {
            cell["supplier"]: cell["byte"]
            for cell in LDMATRIX.variant("x4", "plain", rows).pane("A").cells
            if cell["kind"] == "badge"
        }
        for rows in ("dense", "padded", "scattered")
    }
    assert [byte["dense"][lane] for lane in (0, 1, 8, 16, 31)] == [0, 32, 256, 16, 15 * 32 + 16]
    assert [byte["padded"][lane] for lane in (0, 1, 8, 16, 31)] == [0, 48, 384, 16, 15 * 48 + 16]
    assert all(
        abs(byte["scattered"][lane] - byte["scattered"][lane + 1]) > 32 for lane in range(31) if lane % 8 != 7
    )


def test_the_books_own_element_says_its_sentence():
    pane, cell = LDMATRIX.variant().find("A(0,9)")
    assert pane.sentence(cell) == (
        "A(0,9) sits in the row whose address lane 16 supplies (matrix 2, row 0, byte 16). "
        "Lane 0 receives it in reg 2, high half."
    )


def ptx_owner(operand, row, col, k, wide):
    """(lane, reg, half) of an element, by the formulas of the PTX manual for mma.m16n8k8 and m16n8k16."""
    if operand == "A":  # groupID = row % 8, threadID_in_group = (col % 8) // 2
        return 4 * (row % 8) + col % 8 // 2, row // 8 + 2 * (col // 8), col % 2
    if operand == "B":
        return 4 * col + row % 8 // 2, row // 8, row % 2
    lane = 4 * (row % 8) + col // 2
    return (lane, 2 * (row // 8) + col % 2, 0) if wide else (lane, row // 8, col % 2)


@pytest.mark.parametrize("variant", chosen(FRAGMENT))
def test_every_element_of_a_fragment_lights_its_register_and_back(variant):
    shape, part = variant.choice
    letter, k = part[0], int(shape.partition("k")[2])
    rows, cols = {"A": (16, k), "B": (k, 8), "C": (16, 8)}[letter]
    register = slots(variant)
    for row, col in np.ndindex(rows, cols):
        element = f"{letter}({row},{col})"
        slot = ptx_owner(letter, row, col, k, part == "C f32")
        assert set(variant.lit(element)["same"]) == {element, register[slot]}
        assert set(variant.lit(register[slot])["same"]) == {element, register[slot]}
        same_lane = {name for place, name in register.items() if place[0] == slot[0]}
        assert same_lane <= set(variant.lit(element)["holds"])
    assert len(register) == rows * cols


@pytest.mark.parametrize("variant", chosen(MMA))
def test_an_element_of_c_meets_its_row_of_a_its_column_of_b_and_their_lanes(variant):
    """The quad row % 8 holds A's row, the quad col holds B's column."""
    k = int(variant.choice[0].partition("k")[2])
    for row, col in np.ndindex(16, 8):
        lanes_of_row = {f"lane {4 * (row % 8) + i}" for i in range(4)}
        lanes_of_col = {f"lane {4 * col + i}" for i in range(4)}
        lit = variant.lit(f"C({row},{col})")
        products = {f"A({row},{i})" for i in range(k)} | {f"B({i},{col})" for i in range(k)}
        assert set(lit["meets"]) == products | lanes_of_row | lanes_of_col
        pane, cell = variant.find(f"C({row},{col})")
        assert cell["lane"] == 4 * (row % 8) + col // 2
        assert f"It sums {k} products" in pane.sentence(cell)
    lit = variant.lit("A(3,5)")
    assert set(lit["meets"]) == {f"B(5,{n})" for n in range(8)} | {f"C(3,{n})" for n in range(8)}
    lit = variant.lit("B(5,2)")
    assert set(lit["meets"]) == {f"A({m},5)" for m in range(16)} | {f"C({m},2)" for m in range(16)}


@pytest.mark.parametrize("variant", chosen(MMA))
def test_a_lane_of_an_mma_lights_exactly_what_it_holds(variant):
    shape, acc = variant.choice
    for lane in range(32):
        held = {
            f"{letter}({row},{col})"
            for letter in "ABC"
            for row, col in fragment(shape, letter, dtype=acc if letter == "C" else "f16")
            .coords[lane]
            .reshape(-1, 2)
        }
        assert set(variant.lit(f"lane {lane}")["holds"]) == held | {f"lane {lane}"}


@pytest.mark.parametrize("name", SCENES)
def test_a_scene_is_small_and_the_same_every_time(name):
    """At most 150 kB compressed, and no order that a set or a clock could change."""
    once, again = (json.dumps(SCENES[name]().data, separators=(",", ":")) for _ in range(2))
    assert once == again
    assert len(gzip.compress(once.encode())) <= 150_000
    assert json.loads(once) == SCENES[name]().data


@pytest.mark.parametrize("name", SCENES)
def test_every_cell_has_a_sentence_of_its_own_kind(name):
    scene = SCENES[name]()
    for variant in scene.variants:
        for pane in variant.panes:
            for cell, cell_name in zip(pane.cells, pane.cell_names, strict=True):
                if cell_name:
                    sentence = pane.sentence(cell)
                    assert sentence != cell_name
                    assert sentence.endswith(".")
                    assert not set("{}*`") & set(sentence)
