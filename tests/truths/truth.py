"""What a page must show of a scene: each cell's name, the phrases of its sentence, and what lights up with it.

A truth is computed from `lanes` (who owns, supplies and receives what) and from where the cells are; no column of the
scene is read.
"""

from __future__ import annotations

from lanes.fragments import WARP, Fragment

Lit = dict[str, dict[int, set[int]]]  # style -> pane -> cells
Labels = list[dict[int, str]]  # of each pane, the labels of its cells by number


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
