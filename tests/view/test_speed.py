"""How fast a widget answers and how much a page weighs."""

from __future__ import annotations

import gzip
import json
import random
from statistics import median
from typing import Any

import pytest

from lanes.view import SCENES, LaneView, block_scene, fragment_scene, ldmatrix_scene, mma_scene

FRAME_MS = 16.0  # at 60 frames a second


@pytest.mark.timing
@pytest.mark.browser
def test_a_pane_of_128_by_128_answers_a_hover_within_a_frame(write_page: Any, open_page: Any) -> None:
    """From the event until the highlight is drawn and laid out; and with painting, within three frames."""
    page = open_page(write_page(LaneView(block_scene())))
    cells = random.Random(4).sample(range(128 * 128), 110)
    drawn, painted = page.evaluate(HOVER, [1, cells])
    assert median(drawn[10:]) <= FRAME_MS
    assert median(painted[10:]) <= 3 * FRAME_MS


@pytest.mark.timing
@pytest.mark.browser
def test_eight_linked_widgets_answer_within_a_frame(write_page: Any, open_page: Any) -> None:
    """A click on one; the highlight of all eight is drawn and laid out."""
    makes = (fragment_scene, mma_scene, ldmatrix_scene, fragment_scene) * 2
    page = open_page(write_page(*(LaneView(make(), group="g") for make in makes)))
    elements = [(row, col) for row in range(16) for col in range(16)]
    cells = [16 * row + col for row, col in random.Random(5).sample(elements, 110)]
    drawn = page.evaluate(CLICK, cells)
    assert median(drawn[10:]) <= FRAME_MS
    row, col = divmod(cells[-1], 16)
    selected = page.locator("[aria-selected=true]").evaluate_all(
        "all => all.map((one) => one.getAttribute('aria-label'))"
    )
    assert [label.partition("),")[0] for label in selected] == [f"A({row},{col}"] * 8


@pytest.mark.parametrize("name", SCENES)
def test_a_scene_weighs_at_most_150_kb(name: str) -> None:
    """As JSON, compressed as a web server does."""
    assert len(gzip.compress(json.dumps(SCENES[name]().data, separators=(",", ":")).encode())) <= 150_000


def test_the_script_and_the_stylesheet_weigh_at_most_40_kb() -> None:
    from lanes.view.bundle import page_script, stylesheet

    assert len(gzip.compress(page_script().encode())) + len(gzip.compress(stylesheet().encode())) <= 40_000


# The milliseconds from a pointer's event until what it lights is laid out, and until it is painted.
HOVER = """async ([pane, cells]) => {
  const root = read.view(0);
  const grid = read.panes(root)[pane].querySelector("[role=grid]");
  read.middles(read.panes(root)[pane]);
  const painting = () => new Promise((done) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = done;
    port2.postMessage(0);
  }));
  const drawn = [];
  const painted = [];
  for (const cell of cells) {
    await painting();
    const start = performance.now();
    read.send(root, pane, cell, "pointermove");
    grid.getBoundingClientRect();
    root.querySelector(".lanes-said").getBoundingClientRect();
    drawn.push(performance.now() - start);
    await painting();
    painted.push(performance.now() - start);
  }
  return [drawn, painted];
}"""
CLICK = """async (cells) => {
  const views = [...document.querySelectorAll(".lanes-view")];
  const drawn = [];
  for (const cell of cells) {
    await new Promise(requestAnimationFrame);
    const start = performance.now();
    read.send(views[0], 0, cell, "click");
    for (const view of views) view.querySelector(".lanes-over").getBBox();
    document.body.getBoundingClientRect();
    drawn.push(performance.now() - start);
  }
  return drawn;
}"""
