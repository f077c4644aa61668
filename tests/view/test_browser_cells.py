"""Every cell of every scene in Chromium: what lights up is what the model says, from memory to registers and back.

The truth is computed here from `lanes` (who owns, supplies and receives what) and from where the cells are; no column
of the scene is read. What is lit is read from the outlines that the page draws.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from typing import Any

import pytest

from lanes.catalog import fragment, ldmatrix_row
from lanes.fragments import WARP, Fragment
from lanes.tiling import REFERENCE
from lanes.view import SCENES, LaneView

pytestmark = pytest.mark.browser

Lit = dict[str, dict[int, set[int]]]  # style -> pane -> cells
# Scene and first option -> the choices that a test goes through on one page.
GROUPS: dict[tuple[str, ...], list[tuple[str, ...]]] = defaultdict(list)
for _name, _make in SCENES.items():
    for _variant in _make().variants:
        GROUPS[_name, *_variant.choice[:1]].append(_variant.choice)


class Registers:
    """The pane of registers: a line for each lane, its own cell, then reg by reg, the low half first."""

    def __init__(self, part: Fragment) -> None:
        self.part = part
        self.slots = part.registers * part.elements

    def lane(self, lane: int) -> int:
        return lane * (1 + self.slots)

    def line(self, lane: int) -> set[int]:
        return set(range(self.lane(lane), self.lane(lane) + 1 + self.slots))

    def slot(self, lane: int, reg: int, half: int) -> int:
        return self.lane(lane) + 1 + reg * self.part.elements + half

    def words(self, reg: int, half: int) -> str:
        return f"reg {reg}, {'high' if half else 'low'} half" if self.part.elements == 2 else f"reg {reg}"

    def places(self) -> list[tuple[int, int, int]]:
        shape = WARP, self.part.registers, self.part.elements
        return [(lane, r, h) for lane in range(shape[0]) for r in range(shape[1]) for h in range(shape[2])]


class Truth:
    """What a page must show: each cell's name, the phrases of its sentence, and what lights up with it."""

    def __init__(self) -> None:
        self.names: dict[tuple[int, int], str] = {}
        self.phrases: dict[tuple[int, int], list[str]] = {}
        self.lit: dict[tuple[int, int], Lit] = {}

    def say(self, at: tuple[int, int], name: str, *phrases: str, **lit: dict[int, set[int]]) -> None:
        self.names[at] = name
        self.phrases[at] = list(phrases)
        same = lit.setdefault("same", {})
        same.setdefault(at[0], set()).add(at[1])  # a cell is always the same as itself
        kept = {
            style: {pane: cells for pane, cells in panes.items() if cells} for style, panes in lit.items()
        }
        self.lit[at] = {style: panes for style, panes in kept.items() if panes}


def fragment_truth(shape: str, operand: str) -> Truth:
    letter, _, dtype = operand.partition(" ")
    part = fragment(shape, letter, dtype=dtype or "f16")
    registers, truth, cols = Registers(part), Truth(), part.shape[1]
    held = {lane: part.coords[lane].reshape(-1, 2).tolist() for lane in range(WARP)}
    holds = {lane: {0: {r * cols + c for r, c in held[lane]}, 1: registers.line(lane)} for lane in held}
    for lane, reg, half in registers.places():
        row, col = part.coords[lane, reg, half].tolist()
        assert part.owner(row, col) == (lane, reg, half)
        element, slot = row * cols + col, registers.slot(lane, reg, half)
        words = f"lane {lane}", registers.words(reg, half), f"{letter}({row},{col})"
        truth.say((0, element), words[2], *words, same={1: {slot}}, holds=holds[lane])
        truth.say((1, slot), f"lane {lane}, {words[1]}", *words, same={0: {element}}, holds=holds[lane])
    for lane in held:
        all_of_it = ", ".join(f"{letter}({r},{c})" for r, c in held[lane])
        truth.say((1, registers.lane(lane)), f"lane {lane}", f"lane {lane}", all_of_it, holds=holds[lane])
    return truth


def mma_truth(shape: str, acc: str) -> Truth:
    parts = [fragment(shape, letter, dtype=acc if letter == "C" else "f16") for letter in "ABC"]
    (m, n), k = parts[2].shape, parts[0].shape[1]
    truth = Truth()
    owner = [{(r, c): p.owner(r, c) for r in range(p.shape[0]) for c in range(p.shape[1])} for p in parts]
    holds: dict[int, dict[int, set[int]]] = {lane: {3: {lane}} for lane in range(WARP)}
    for pane, part in enumerate(parts):
        for (row, col), (lane, _, _) in owner[pane].items():
            holds[lane].setdefault(pane, set()).add(row * part.shape[1] + col)
    a_row = {i: {i * k + j for j in range(k)} for i in range(m)}
    b_col = {j: {i * n + j for i in range(k)} for j in range(n)}
    meets = [
        lambda row, col: {2: {row * n + j for j in range(n)}, 1: {col * n + j for j in range(n)}},
        lambda row, col: {2: {i * n + col for i in range(m)}, 0: {i * k + row for i in range(m)}},
        lambda row, col: {
            0: a_row[row],
            1: b_col[col],
            3: {owner[0][row, j][0] for j in range(k)} | {owner[1][j, col][0] for j in range(k)},
        },
    ]
    for pane, part in enumerate(parts):
        for (row, col), (lane, reg, half) in owner[pane].items():
            words = f"lane {lane}", Registers(part).words(reg, half)
            name = f"{'ABC'[pane]}({row},{col})"
            at = pane, row * part.shape[1] + col
            truth.say(at, name, name, *words, holds=holds[lane], meets=meets[pane](row, col))
    for lane in range(WARP):
        truth.say((3, lane), f"lane {lane}", f"lane {lane}", holds=holds[lane])
    return truth


def ldmatrix_truth(num: str, trans: str, rows: str, labels: list[dict[int, str]]) -> Truth:
    """The tile is A of m16n8k16, its matrices in register order. The labels tell where scattered rows lie."""
    load, tile = ldmatrix_row(int(num[1:]), trans=trans == ".trans"), fragment("m16n8k16", "A")
    registers, truth = Registers(load.fragment), Truth()
    at_name = {
        re.match(r"A\(\d+,\d+\)|address from lane \d+", label)[0]: cell for cell, label in labels[0].items()
    }  # type: ignore[index]
    width = 19 if rows == "padded" else 18

    def element_cell(row: int, col: int) -> int:
        cell = at_name[f"A({row},{col})"]
        assert rows == "scattered" or cell == row * width + 1 + col + col // 8
        return cell

    row_of: dict[int, set[int]] = {}  # lane -> the eight cells whose address it supplies, with its badge
    badge_of = {lane: at_name[f"address from lane {lane}"] for lane in range(8 * load.num)}
    slots_of: dict[int, set[int]] = defaultdict(set)
    got: dict[int, dict[int, set[int]]] = {lane: {0: set(), 1: registers.line(lane)} for lane in range(WARP)}
    elements = []
    for lane in badge_of:
        place = load.supplier(lane)
        assert place is not None
        matrix, i = place
        top, left = tile.blocks[matrix]
        cells = [element_cell(top + i, left + j) for j in range(8)]
        # Memory: the eight lie side by side, right behind the badge.
        assert [*range(badge_of[lane], badge_of[lane] + 9)] == [badge_of[lane], *cells]
        row_of[lane] = {badge_of[lane], *cells}
        for j, cell in enumerate(cells):
            receiver, reg, half = load.receiver(matrix, i, j)
            assert load.element(receiver, reg, half) == (matrix, i, j)
            slot = registers.slot(receiver, reg, half)
            got[receiver][0].add(cell)
            slots_of[lane].add(slot)
            elements.append(
                (f"A({top + i},{left + j})", cell, slot, lane, receiver, registers.words(reg, half))
            )
    for name, cell, slot, supplier, receiver, words in elements:
        supplies = {0: row_of[supplier], 1: {registers.lane(supplier)}}
        phrases = name, f"address lane {supplier} supplies", f"lane {receiver}", words
        truth.say((0, cell), name, *phrases, same={1: {slot}}, holds=got[receiver], supplies=supplies)
        truth.say(
            (1, slot),
            f"lane {receiver}, {words}",
            *phrases,
            same={0: {cell}},
            holds=got[receiver],
            supplies=supplies,
        )
    for lane in range(WARP):
        own = {0: row_of[lane], 1: {registers.lane(lane)}} if lane in row_of else {}
        phrase = f"lane {lane} supplies" + ("" if own else " no address")
        # A lane that is pointed at supplies a row of memory; in the registers that is the lane itself.
        row = {0: row_of.get(lane, set())}
        truth.say((1, registers.lane(lane)), f"lane {lane}", phrase, holds=got[lane], supplies=row)
        if own:
            receivers = sorted({one[4] for one in elements if one[3] == lane})
            phrases = f"lane {lane} supplies", f"lanes {', '.join(map(str, receivers))}"
            lit = {"supplies": own, "meets": {1: slots_of[lane]}}
            truth.say((0, badge_of[lane]), f"address from lane {lane}", *phrases, **lit)
    return truth


def block_truth() -> Truth:
    """Panes warps, C, lanes. Warps are numbered down M first; each owns 64 x 32 of the 128 x 128."""
    part, truth, (m, n) = fragment("m16n8k16", "C"), Truth(), REFERENCE.warp_tile
    of_thread: dict[tuple[int, int], set[int]] = defaultdict(set)
    where = {}
    for row in range(128):
        for col in range(128):
            warp = row // m + 2 * (col // n)
            lane, reg, half = part.owner(row % 16, col % 8)
            where[row, col] = warp, lane, reg, half
            of_thread[warp, lane].add(row * 128 + col)
    corner = {0: 0, 1: 4, 2: 1, 3: 5, 4: 2, 5: 6, 6: 3, 7: 7}  # warp -> its cell in a grid of 2 x 4
    for (row, col), (warp, lane, reg, half) in where.items():
        name, words = f"C({row},{col})", Registers(part).words(reg, half)
        lit = {"holds": {1: of_thread[warp, lane], 2: {lane}}, "meets": {0: {corner[warp]}}}
        truth.say(
            (1, row * 128 + col),
            name,
            name,
            f"warp {warp}",
            f"lane {lane}",
            words,
            f"thread {32 * warp + lane}",
            **lit,
        )
    for warp, cell in corner.items():
        owned = {1: set().union(*(cells for (w, _), cells in of_thread.items() if w == warp))}
        truth.say(
            (0, cell), f"warp {warp}", f"warp {warp}", f"threads {32 * warp} to {32 * warp + 31}", meets=owned
        )
    for lane in range(WARP):
        owned = {1: set().union(*(cells for (_, one), cells in of_thread.items() if one == lane))}
        truth.say((2, lane), f"lane {lane}", f"lane {lane}", holds=owned)
    return truth


def truth_of(name: str, choice: tuple[str, ...], labels: list[dict[int, str]]) -> Truth:
    if name == "ldmatrix":
        return ldmatrix_truth(*choice, labels)
    return {"fragment": fragment_truth, "mma": mma_truth, "block": block_truth}[name](*choice)


def lit_of(shown: list[dict[str, list[int]]]) -> Lit:
    found: Lit = {}
    for pane, styles in enumerate(shown):
        for style, cells in styles.items():
            found.setdefault(style, {})[pane] = set(cells)
    return found


def has(sentence: str, phrase: str) -> bool:
    """Whether a sentence has a phrase as whole words: "lane 1" is not in "lane 12"."""
    return re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", sentence, re.IGNORECASE) is not None


def test_every_scene_has_a_truth_here() -> None:
    assert set(SCENES) == {"fragment", "mma", "ldmatrix", "block"}


@pytest.mark.parametrize("group", GROUPS, ids="-".join)
def test_what_lights_up_is_what_the_model_says_of_every_cell(
    group: tuple[str, ...], write_page: Any, open_page: Any
) -> None:
    """Of a pane on a canvas, 200 cells drawn with a fixed seed. The variants are chosen with the page's own buttons."""
    page = open_page(write_page(LaneView(SCENES[group[0]]())))
    for choice in GROUPS[group]:
        page.evaluate("(choice) => read.choose(read.view(0), choice)", choice)
        labels = [{int(cell): label for cell, label in pane.items()} for pane in page.evaluate(LABELS)]
        truth = truth_of(group[0], choice, labels)
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
