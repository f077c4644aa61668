"""The scenes of a block say what its tiling says: formulas and counting by hand, for every cell of every variant."""

import re
from collections import Counter

import numpy as np
import pytest

from lanes import REFERENCE, Tiling
from lanes.view.scenes import block_scene, reuse_scene
from lanes.view.scenes.block import PRESETS

BLOCK, REUSE = block_scene(), reuse_scene()
HALVES = ("low", "high")


def counts(choice):
    """warps_m, warps_n, mmas_m, mmas_n of a variant, as its first option says: "2x4 of 4x4"."""
    return tuple(map(int, re.fullmatch(r"(\d+)x(\d+) of (\d+)x(\d+)", choice[0]).groups()))


def chosen(scene):
    return [pytest.param(variant, id=".".join(variant.choice)) for variant in scene.variants]


def test_the_presets_begin_with_the_reference_and_are_named_by_their_counts():
    assert PRESETS[0] == REFERENCE == Tiling()
    named = [counts(variant.choice) for variant in BLOCK.variants]
    assert named == [(one.warps_m, one.warps_n, one.mmas_m, one.mmas_n) for one in PRESETS]
    assert [variant.choice for variant in reuse_scene(PRESETS[1]).variants] == [
        ("8x1 of 1x16", walk, fragments)
        for walk in ("blocked", "striding")
        for fragments in ("kept", "loaded for each mma")
    ]


@pytest.mark.parametrize("variant", chosen(BLOCK))
def test_the_block_belongs_to_the_threads_of_the_tiling(variant):
    """Walk over C by hand: warps go down first; a lane has two neighbours in each 8 x 8."""
    warps_m, warps_n, mmas_m, mmas_n = counts(variant.choice)
    m, n = 16 * mmas_m, 8 * mmas_n
    pane = variant.pane("C")
    assert (pane.rows, pane.cols) == (m * warps_m, n * warps_n)
    for row, col in np.ndindex(pane.rows, pane.cols):
        cell = pane.cells[pane.cols * row + col]
        warp = row // m + warps_m * (col // n)
        lane = 4 * (row % 8) + col % 8 // 2
        wanted = (row, col, warp, lane, 32 * warp + lane, f"({row % m // 16},{col % n // 8})")
        assert tuple(cell[key] for key in ("row", "col", "warp", "lane", "thread", "mma")) == wanted
        assert cell["slot"] == f"reg {row % 16 // 8}, {HALVES[col % 2]} half"


@pytest.mark.parametrize("variant", chosen(BLOCK))
def test_a_warp_of_the_block_lights_its_part_and_says_where_it_stands(variant):
    warps_m, warps_n, mmas_m, mmas_n = counts(variant.choice)
    m, n = 16 * mmas_m, 8 * mmas_n
    for warp in range(warps_m * warps_n):
        top, left = m * (warp % warps_m), n * (warp // warps_m)
        lit = variant.lit(f"warp {warp}")
        assert set(lit["meets"]) == {f"C({top + r},{left + c})" for r in range(m) for c in range(n)}
        pane, cell = variant.find(f"warp {warp}")
        assert pane.sentence(cell) == (
            f"Warp {warp}, threads {32 * warp} to {32 * warp + 31}, warp_m {warp % warps_m} and "
            f"warp_n {warp // warps_m}, owns rows {top} to {top + m - 1} and columns {left} to {left + n - 1} of C."
        )


@pytest.mark.parametrize("variant", chosen(BLOCK))
def test_the_slider_selects_the_corner_of_each_threads_part(variant):
    """The topmost and leftmost of all elements that have the thread's number."""
    pane = variant.pane("C")
    corners = {}
    for number, cell in enumerate(pane.cells):
        corners.setdefault(cell["thread"], number)  # row by row: the first is the corner
    assert variant.slider.pane == "C"
    assert variant.slider.cells == tuple(corners[thread] for thread in range(len(corners)))


def loads_by_hand(choice):
    """(warp, operand, fragment) -> how often, and mma (i, j) -> warp, by walking over the mmas of the block."""
    warps_m, warps_n, mmas_m, mmas_n = counts(choice)
    down, across = warps_m * mmas_m, warps_n * mmas_n
    loads, owner = Counter(), {}
    for number in range(down * across):
        i, j = divmod(number, across)
        blocked = i // mmas_m + warps_m * (j // mmas_n)
        warp = blocked if choice[1] == "blocked" else number % (warps_m * warps_n)
        owner[i, j] = warp
        loads[warp, "A", i] += 1
        loads[warp, "B", j] += 1
    return (Counter(set(loads)) if choice[2] == "kept" else loads), owner


def names_of(operand, which):
    size = 16 if operand == "A" else 8
    return f"{operand} {'rows' if operand == 'A' else 'columns'} {size * which} to {size * which + size - 1}"


def mma_name(i, j):
    return f"C rows {16 * i} to {16 * i + 15}, columns {8 * j} to {8 * j + 7}"


@pytest.mark.parametrize("variant", chosen(REUSE))
def test_a_warp_lights_its_mmas_and_what_it_reads_and_says_how_many_bytes(variant):
    loads, owner = loads_by_hand(variant.choice)
    for warp in range(max(owner.values()) + 1):
        mine = {(operand, which): times for (one, operand, which), times in loads.items() if one == warp}
        lit = variant.lit(f"warp {warp}")
        assert set(lit["holds"]) == {mma_name(*place) for place, one in owner.items() if one == warp}
        assert set(lit["meets"]) == {names_of(*which) for which in mine}
        a, b = (sum(times for (one, _), times in mine.items() if one == operand) for operand in "AB")
        pane, cell = variant.find(f"warp {warp}")
        # A fragment of A is 16 x 16 halves, one of B 16 x 8.
        told = f"{a} fragments of A and {b} of B: {512 * a} + {256 * b} = {512 * a + 256 * b} bytes"
        assert told in pane.sentence(cell)


@pytest.mark.parametrize("variant", chosen(REUSE))
def test_a_fragment_lights_the_warps_that_read_it_and_the_mmas_that_take_it(variant):
    loads, owner = loads_by_hand(variant.choice)
    fragments = {(operand, which) for _, operand, which in loads}
    assert len(fragments) == max(i for i, _ in owner) + max(j for _, j in owner) + 2
    for operand, which in fragments:
        readers = sorted(warp for warp, one, at in loads if (one, at) == (operand, which))
        times = sum(loads[warp, operand, which] for warp in readers)
        takers = {mma_name(*place) for place in owner if place["AB".index(operand)] == which}
        lit = variant.lit(names_of(operand, which))
        assert set(lit) == {"meets"}
        assert set(lit["meets"]) == {f"warp {warp}" for warp in readers} | takers
        pane, cell = variant.find(names_of(operand, which))
        assert cell["text"] == str(times)
        often = "once" if times == 1 else f"{times} times"
        warps = f"warp{'s' * (len(readers) > 1)} {', '.join(map(str, readers))}"
        size = {"A": 512, "B": 256}[operand]
        assert pane.sentence(cell) == (
            f"{names_of(operand, which)} are a fragment of {size} bytes. In one step it is loaded {often}, by {warps}."
        )


@pytest.mark.parametrize("variant", chosen(REUSE))
def test_an_mma_lights_its_two_fragments_and_the_rest_of_its_warp(variant):
    _, owner = loads_by_hand(variant.choice)
    for (i, j), warp in owner.items():
        lit = variant.lit(mma_name(i, j))
        assert set(lit["meets"]) == {names_of("A", i), names_of("B", j)}
        mine = {mma_name(*place) for place, one in owner.items() if one == warp}
        assert set(lit["holds"]) == mine | {f"warp {warp}"}
        assert variant.find(mma_name(i, j))[1]["text"] == str(warp)


def test_the_fragments_stand_beside_and_above_their_mmas():
    """In the line and in the column of an mma: its fragments; the corner between is empty."""
    for variant in REUSE.variants:
        pane = variant.pane("tiles")
        assert pane.cell_names[0] == ""
        for line, col in np.ndindex(pane.rows - 1, pane.cols - 1):
            assert pane.cell_names[(line + 1) * pane.cols] == names_of("A", line)
            assert pane.cell_names[col + 1] == names_of("B", col)
            assert pane.cell_names[(line + 1) * pane.cols + col + 1] == mma_name(line, col)


def test_striding_costs_the_reference_four_times_what_a_block_costs():
    def bytes_of(*choice):
        pane, cell = REUSE.variant("2x4 of 4x4", *choice).find("warp 5")
        return int(re.search(r"= (\d+) bytes", pane.sentence(cell))[1])

    assert bytes_of("blocked", "kept") == 3_072
    assert bytes_of("striding", "loaded for each mma") == 12_288
    assert bytes_of("striding", "kept") == 4_608
