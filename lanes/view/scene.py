"""A scene as plain data: panes of cells, links that join them, and a closed list of variants.

Who holds what is decided where the cells are made, from the model. A link is a join: the selected cell has a value
in one column, and the cells that have the same value in another column light up. Whoever draws a scene, the widget
or matplotlib, needs to know no more than that.

Source: the format is this project's own; `Scene.data` is what the widget reads.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Any

from lanes.view.limits import short, within_limit
from lanes.view.pane import Cell, Pane
from lanes.view.pool import Pool
from lanes.view.text import Value

STYLES = ("same", "holds", "supplies", "meets")


@dataclass(frozen=True)
class Link:
    """Select a cell of pane `source`: those of pane `target` with the same value light up.

    on: the column in each, or one name if they are called alike. style: "same" (the same element elsewhere), "holds"
    (what the same lane holds), "supplies" (whose row address a lane supplies) or "meets" (what it is combined with).

    Raises ValueError, when made, for an unknown style.

    >>> Link("A", "registers", "element", "same").columns
    ('element', 'element')
    """

    source: str
    target: str
    on: str | tuple[str, str]
    style: str

    def __post_init__(self) -> None:
        """Check the style."""
        if self.style not in STYLES:
            raise ValueError(f"style is {self.style!r}; wanted one of {', '.join(STYLES)}.")

    @property
    def columns(self) -> tuple[str, str]:
        """The column of the source and that of the target."""
        return (self.on, self.on) if isinstance(self.on, str) else self.on


def linked(panes: Iterable[str], on: str, style: str) -> list[Link]:
    """Return the links that join every two of the panes, and each with itself, both ways.

    >>> len(linked(["A", "registers"], "lane", "holds"))
    4
    """
    return [Link(source, target, on, style) for source, target in product(list(panes), repeat=2)]


@dataclass(frozen=True)
class Control:
    """A choice that the reader has: a row of buttons.

    arch: which option the page's architecture switch chooses, by architecture, if it does.

    Raises ValueError, when made, without options, and for an arch that is none of them.

    >>> Control("num", "matrices", ("x1", "x2", "x4")).options[0]
    'x1'
    """

    name: str
    label: str
    options: tuple[str, ...]
    arch: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check the options."""
        short("a control", "word", self.name, self.label, *self.options)
        within_limit("options of a control", len(self.options), "options")
        if not self.options or any(option not in self.options for option in self.arch.values()):
            raise ValueError(f"control {self.name}: arch must choose among its options, {self.options}.")

    @property
    def data(self) -> dict[str, Any]:
        """The control as JSON has it; without `arch` if it does not follow the switch."""
        follows = {"arch": self.arch} if self.arch else {}
        return {"name": self.name, "label": self.label, "options": list(self.options), **follows}


@dataclass(frozen=True)
class Slider:
    """A slider that selects one of some cells of a pane: by their value in column `on`, which they share with others.

    >>> Slider("lane", "lane", "registers", (0, 9, 18)).pane
    'registers'
    """

    label: str
    on: str
    pane: str
    cells: tuple[int, ...]


@dataclass(frozen=True)
class Variant:
    """A scene for one choice of its controls.

    start: the name of the cell that is selected first. steps: a sentence each; a cell with value s in column "step"
    appears at step s and is marked then, and one with a list of steps appears at the first and is marked at each.

    Raises ValueError, when made, for names that are not unique or not there.
    """

    choice: tuple[str, ...]
    panes: tuple[Pane, ...]
    links: tuple[Link, ...]
    start: str
    steps: tuple[str, ...] = ()
    slider: Slider | None = None

    def __post_init__(self) -> None:
        """Check that panes and cells have unique names, and that links, slider and start find theirs."""
        columns = {pane.name: pane.columns for pane in self.panes}
        names = [name for pane in self.panes for name in pane.cell_names if name]
        if len(columns) != len(self.panes) or len(set(names)) != len(names):
            raise ValueError(f"variant {self.choice}: two panes or two cells have one name.")
        if self.start not in names:
            raise ValueError(f"variant {self.choice} starts at {self.start!r}, which is no cell of it.")
        for link in self.links:
            for pane, column in zip((link.source, link.target), link.columns, strict=True):
                if column not in columns.get(pane, ()):
                    raise ValueError(
                        f"variant {self.choice}: {link} asks for column {column} of pane {pane}."
                    )
        if self.slider and self.slider.pane not in columns:
            raise ValueError(f"variant {self.choice}: the slider's pane {self.slider.pane} is not there.")
        if self.slider:
            cells = range(len(self.pane(self.slider.pane).cells))
            if not self.slider.cells or any(cell not in cells for cell in self.slider.cells):
                raise ValueError(f"variant {self.choice}: the slider wants cells of pane {self.slider.pane}.")
            short("a slider", "word", self.slider.label, self.slider.on)
        what = f"variant {self.choice}"
        within_limit(f"cells of {what}", sum(len(pane.cells) for pane in self.panes), "variantCells")
        for parts, limit in ((self.panes, "panes"), (self.links, "links"), (self.steps, "steps")):
            within_limit(f"{limit} of {what}", len(parts), limit)
        short(f"a step of {what}", "prose", *self.steps)

    def pane(self, name: str) -> Pane:
        """Return the pane of that name. Raises KeyError if there is none."""
        return {pane.name: pane for pane in self.panes}[name]

    def find(self, name: str) -> tuple[Pane, Cell]:
        """Return the cell of that name, and its pane. Raises ValueError that shows how names look."""
        for pane in self.panes:
            if name in pane.places:
                return pane, pane.cells[pane.places[name]]
        examples = ", ".join(_example(pane) for pane in self.panes)
        raise ValueError(f"no cell is called {name!r}; names look like {examples}.")

    def lit(self, name: str) -> dict[str, list[str]]:
        """Return the names of the cells that light up with a selected one, by style: it may be among them itself.

        Raises ValueError for an unknown name.
        """
        pane, selected = self.find(name)
        found: dict[str, list[str]] = {}
        for link in self.links:
            of_source, of_target = link.columns
            wanted = _members(selected.get(of_source))
            if link.source == pane.name and wanted:
                target = self.pane(link.target)
                for other, place in target.places.items():
                    if wanted & _members(target.cells[place].get(of_target)):
                        found.setdefault(link.style, []).append(other)
        return {style: list(dict.fromkeys(names)) for style, names in found.items()}

    def data(self, pool: Pool) -> dict[str, Any]:
        """The variant as JSON has it."""
        return {
            "choice": list(self.choice),
            "panes": [pane.data(pool) for pane in self.panes],
            "links": [
                {"from": link.source, "to": link.target, "on": list(link.columns), "as": link.style}
                for link in self.links
            ],
            "steps": list(self.steps),
            "slider": self.slider and vars(self.slider) | {"cells": list(self.slider.cells)},
            "start": self.start,
        }


@dataclass(frozen=True)
class Scene:
    """A figure that answers: panes, links, controls, and one variant for each combination of their options.

    name: letters, digits and "-". start: the choice that is shown first.

    Raises ValueError, when made, unless the variants are exactly the combinations.
    """

    name: str
    title: str
    caption: str
    controls: tuple[Control, ...]
    variants: tuple[Variant, ...]
    start: tuple[str, ...]

    def __post_init__(self) -> None:
        """Check the name, and the variants against the controls."""
        if not re.fullmatch(r"[a-z0-9-]+", self.name):
            raise ValueError(f"name is {self.name!r}; wanted a-z, 0-9 and '-'.")
        within_limit("controls", len(self.controls), "controls")
        short("a title", "word", self.name, self.title)
        short("a caption", "prose", self.caption)
        wanted = list(product(*(control.options for control in self.controls)))
        within_limit("variants", len(wanted), "variants")
        if len(set(wanted)) != len(wanted) or len({c.name for c in self.controls}) != len(self.controls):
            raise ValueError(f"scene {self.name}: two controls or two options have one name.")
        if sorted(wanted) != sorted(variant.choice for variant in self.variants) or self.start not in wanted:
            raise ValueError(f"scene {self.name}: variants and start must be combinations of its options.")

    def variant(self, *choice: str) -> Variant:
        """Return the variant of a choice, one option per control; without one, the first that is shown.

        Raises ValueError that names the options.
        """
        for variant in self.variants:
            if variant.choice == (choice or self.start):
                return variant
        options = "; ".join(f"{control.name}: {', '.join(control.options)}" for control in self.controls)
        raise ValueError(
            f"{self.name} has no variant {'.'.join(choice)}; wanted one option each of {options or 'none'}."
        )

    @cached_property
    def data(self) -> dict[str, Any]:
        """The scene as JSON has it: dicts, lists, strings and numbers. Its columns are stored once each, in "pool"."""
        pool = Pool()
        variants = [variant.data(pool) for variant in self.variants]
        controls = [control.data for control in self.controls]
        return {
            "name": self.name,
            "title": self.title,
            "caption": self.caption,
            "controls": controls,
            "start": list(self.start),
            "variants": variants,
            "pool": pool.columns,
        }


def _example(pane: Pane) -> str:
    """The name of a pane's first plain cell, else of its first that has one."""
    kinds = [cell["kind"] for cell in pane.cells]
    return (
        pane.cell_names[kinds.index("cell")] if "cell" in kinds else next(filter(None, pane.cell_names), "")
    )


def _members(value: Value) -> set[int | float | str]:
    if value is None:
        return set()
    return set(value) if isinstance(value, list) else {value}
