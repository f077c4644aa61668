"""A mouse, a finger and keys on a page, in Chromium and in Firefox: what each does, and what lights up then."""

from __future__ import annotations

import random
from typing import Any

import pytest

from lanes.catalog import fragment
from lanes.tiling import REFERENCE
from lanes.view import LaneView, block_scene, fragment_scene

pytestmark = pytest.mark.browser

A = fragment("m16n8k16", "A")
LINE = 1 + A.registers * A.elements  # cells of a lane in the pane of registers


def element(row: int, col: int) -> tuple[int, int]:
    """Where A(row,col) is: pane and cell."""
    return 0, row * A.shape[1] + col


def slot(row: int, col: int) -> tuple[int, int]:
    """Where the register half is that holds A(row,col)."""
    lane, reg, half = A.owner(row, col)
    return 1, lane * LINE + 1 + reg * A.elements + half


def lit_by(row: int, col: int) -> list[dict[str, list[int]]]:
    """What lights up with A(row,col), or with its register half, pane by pane."""
    lane, _, _ = A.owner(row, col)
    held = sorted(element(r, c)[1] for r, c in A.coords[lane].reshape(-1, 2).tolist())
    line = list(range(lane * LINE, (lane + 1) * LINE))
    return [{"same": [element(row, col)[1]], "holds": held}, {"same": [slot(row, col)[1]], "holds": line}]


@pytest.fixture
def operand(hands: Any, write_page: Any) -> Any:
    """A page with A of m16n8k16, A(3,3) selected, in a browser."""
    return hands(write_page(LaneView(fragment_scene(), selection="A(3,3)")))


def at(browser: Any, place: tuple[int, int]) -> tuple[float, float]:
    """The point of the window where a cell is, scrolled into view."""
    browser.evaluate(SCROLL, place)
    point = browser.evaluate("([pane, cell]) => read.where(read.view(0), pane, cell)", place)
    return point["x"], point["y"]


def lit(browser: Any) -> Any:
    return browser.evaluate("() => read.lit(read.view(0))")


def test_the_mouse_shows_what_belongs_to_a_cell_and_leaves_the_selection(operand: Any) -> None:
    for row, col in random.Random(1).sample([(r, c) for r in range(16) for c in range(16)], 8):
        for place in (element(row, col), slot(row, col)):
            operand.point(*at(operand, place))
            assert lit(operand) == lit_by(row, col)
            lane, reg, half = A.owner(row, col)
            sentence = operand.evaluate("() => read.said(read.view(0))")
            assert f"reg {reg}, {('low', 'high')[half]} half" in sentence
            assert f"lane {lane} " in sentence.lower()
    operand.point(2, 2)
    assert lit(operand) == lit_by(3, 3)
    assert operand.evaluate(SELECTED) == ["A(3,3)"]


@pytest.mark.parametrize("kind", ["mouse", "touch"])
def test_a_click_and_a_tap_select(operand: Any, kind: str) -> None:
    operand.point(*at(operand, element(9, 12)), press=True, kind=kind)
    operand.point(2, 2)
    assert lit(operand) == lit_by(9, 12)
    assert operand.evaluate(SELECTED) == ["A(9,12)"]
    operand.point(*at(operand, slot(5, 6)), press=True, kind=kind)
    lane, reg, half = A.owner(5, 6)
    assert operand.evaluate(SELECTED) == [f"lane {lane}, reg {reg}, {('low', 'high')[half]} half"]
    operand.point(2, 2)
    assert lit(operand) == lit_by(5, 6)


def test_keys_move_in_a_pane_and_select_and_the_page_stays(operand: Any) -> None:
    operand.point(*at(operand, element(3, 3)), press=True)
    scrolled = operand.evaluate("() => scrollY")
    walk = {"ArrowRight": (3, 4), "ArrowDown": (4, 4), "ArrowLeft": (4, 3), "ArrowUp": (3, 3), "End": (3, 15)}
    walk |= {"PageDown": (11, 15), "Home": (11, 0), "Control+End": (15, 15), "Control+Home": (0, 0)}
    for key, (row, col) in walk.items():
        operand.press(key)
        assert operand.evaluate(SELECTED) == [f"A({row},{col})"], key
        assert operand.evaluate(FOCUSED).startswith(f"A({row},{col})")
    operand.point(2, 2)
    assert lit(operand) == lit_by(0, 0)
    for key in ("ArrowUp", "ArrowLeft", "Home"):  # at the edge
        operand.press(key)
    assert operand.evaluate(SELECTED) == ["A(0,0)"]
    assert operand.evaluate("() => scrollY") == scrolled


def test_tab_goes_from_pane_to_pane_and_each_has_one_stop(operand: Any) -> None:
    operand.point(*at(operand, element(7, 2)), press=True)
    assert operand.evaluate(STOPS) == [1, 1]
    operand.press("Tab")
    lane, reg, half = A.owner(7, 2)
    name = f"lane {lane}, reg {reg}, {('low', 'high')[half]} half"
    assert operand.evaluate(FOCUSED).startswith(name), "Tab leads to the same element"
    assert operand.evaluate(SELECTED) == [name]
    assert operand.evaluate(STOPS) == [1, 1]


def test_what_is_selected_is_told_to_the_ear_after_a_moment(operand: Any) -> None:
    operand.point(*at(operand, element(0, 9)), press=True)
    operand.evaluate("() => new Promise((done) => setTimeout(done, 400))")
    heard = operand.evaluate("() => read.view(0).querySelector('[aria-live]').textContent")
    assert heard == operand.evaluate("() => read.said(read.view(0))")
    assert "A(0,9)" in heard


def test_a_pane_on_a_canvas_answers_mouse_finger_and_keys(hands: Any, write_page: Any) -> None:
    browser = hands(write_page(LaneView(block_scene())))
    part = fragment(REFERENCE.mma, "C")

    def owned(row: int, col: int) -> list[int]:
        """The elements of the thread that has C(row,col): 128 x 128 is two warps down and four across."""
        lane, _, _ = part.owner(row % 16, col % 8)
        mine = {(r, c) for r in range(16) for c in range(8) if part.owner(r, c)[0] == lane}
        down, right = row // 64 * 64, col // 32 * 32
        return sorted(
            128 * r + c
            for r in range(down, down + 64)
            for c in range(right, right + 32)
            if (r % 16, c % 8) in mine
        )

    browser.evaluate("() => read.middles(read.panes(read.view(0))[1])")
    for row, col in ((0, 0), (77, 42), (127, 127)):
        browser.point(*at(browser, (1, 128 * row + col)))
        warps, block, lanes = lit(browser)
        assert block == {"same": [128 * row + col], "holds": owned(row, col)}
        assert lanes == {"holds": [part.owner(row % 16, col % 8)[0]]}
        assert warps == {"meets": [row // 64 * 4 + col // 32]}
    browser.point(*at(browser, (1, 128 * 20 + 30)), press=True, kind="touch")
    assert browser.evaluate(SELECTED) == ["C(20,30)"]
    for key, name in {"ArrowDown": "C(21,30)", "PageDown": "C(29,30)", "Control+End": "C(127,127)"}.items():
        browser.press(key)
        assert browser.evaluate(FOCUSED).startswith(name)
        assert browser.evaluate(SELECTED) == [name]


SCROLL = """([pane, cell]) => {
  const grid = read.panes(read.view(0))[pane].querySelector("[role=grid]");
  const { y } = read.where(read.view(0), pane, cell);
  if (y < 20 || y > innerHeight - 120) scrollBy({ top: y - innerHeight / 2, behavior: "instant" });
}"""
# A cell's label is its name and, after it, what the picture shows.
SELECTED = """() => [...document.querySelectorAll("[aria-selected=true]")].map((cell) => {
  const label = cell.getAttribute("aria-label");
  return /^[A-Z]\\(\\d+,\\d+\\)|^lane \\d+, reg \\d+(, (low|high) half)?|^lane \\d+/.exec(label)[0];
})"""
FOCUSED = "() => document.activeElement.getAttribute('aria-label') ?? ''"
STOPS = """() => read.panes(read.view(0)).map((pane) => pane.querySelectorAll("[tabindex='0']").length)"""
