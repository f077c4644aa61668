"""Every cell of every scene in Chromium: what lights up is what the model says, from memory to registers and back.

The truth of each scene is in `tests/truths`, computed from `lanes` and from where the cells are. What is lit is read
from the outlines that the page draws.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest
from truths.truth import Labels, Lit, Truth

from lanes.view import SCENES, LaneView

pytestmark = pytest.mark.browser

# Scene and first option -> the choices that a test goes through on one page.
GROUPS: dict[tuple[str, ...], list[tuple[str, ...]]] = defaultdict(list)
for _name, _make in SCENES.items():
    for _variant in _make().variants:
        GROUPS[_name, *_variant.choice[:1]].append(_variant.choice)


def truth_of(name: str) -> Callable[[tuple[str, ...], Labels], Truth]:
    module: Any = import_module(f"truths.{name.replace('-', '_')}")
    return module.truth  # type: ignore[no-any-return]


def lit_of(shown: list[dict[str, list[int]]]) -> Lit:
    found: Lit = {}
    for pane, styles in enumerate(shown):
        for style, cells in styles.items():
            found.setdefault(style, {})[pane] = set(cells)
    return found


def has(sentence: str, phrase: str) -> bool:
    """Whether a sentence has a phrase as whole words: "lane 1" is not in "lane 12"."""
    return re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", sentence, re.IGNORECASE) is not None


@pytest.mark.parametrize("group", GROUPS, ids="-".join)
def test_what_lights_up_is_what_the_model_says_of_every_cell(
    group: tuple[str, ...], write_page: Any, open_page: Any
) -> None:
    """Of a pane on a canvas, 200 cells drawn with a fixed seed. The variants are chosen with the page's own buttons."""
    page = open_page(write_page(LaneView(SCENES[group[0]]())))
    for choice in GROUPS[group]:
        page.evaluate("(choice) => read.choose(read.view(0), choice)", choice)
        labels = [{int(cell): label for cell, label in pane.items()} for pane in page.evaluate(LABELS)]
        truth = truth_of(group[0])(choice, labels)
        small = {at for at in truth.names if len(labels[at[0]]) > 1}
        assert {
            (pane, cell) for pane, cells in enumerate(labels) for cell in cells if len(cells) > 1
        } == small
        large = sorted(truth.names.keys() - small)
        asked = [*sorted(small), *random.Random(0).sample(large, min(len(large), 200))]
        wrong = []
        for at, (label, sentence, shown) in zip(asked, page.evaluate(HOVER, asked), strict=True):
            missing = [phrase for phrase in truth.phrases[at] if not has(sentence, phrase)]
            named = at not in small or label.startswith(truth.names[at])
            if lit_of(shown) != truth.lit[at] or missing or not named:
                wrong.append((label, sentence, missing, lit_of(shown), truth.lit[at]))
        assert wrong == [], f"{choice}: {len(wrong)} of {len(asked)} cells; the first: {wrong[0]}"


# The labels of a pane's cells by number; one for a pane on a canvas, which has one element for all.
LABELS = """() => read.panes(read.view(0)).map((pane) => Object.fromEntries(
  [...pane.querySelectorAll("[data-cell]")].map((cell) => [cell.dataset.cell, cell.getAttribute("aria-label")])))"""

HOVER = """(asked) => {
  const root = read.view(0);
  read.panes(root).forEach(read.middles);
  return asked.map(([pane, cell]) => {
    read.send(root, pane, cell, "pointermove");
    const label = read.panes(root)[pane].querySelector(`svg [data-cell="${cell}"]`)?.getAttribute("aria-label") ?? "";
    return [label, read.said(root), read.lit(root)];
  });
}"""
