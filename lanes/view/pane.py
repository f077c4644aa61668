"""A pane of a scene: a grid of cells, each with a kind, a text and values in named columns."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import isfinite
from typing import Any

from lanes.view.limits import short, within_limit
from lanes.view.pool import Pool
from lanes.view.text import Value, filled, places

KINDS = ("cell", "badge", "lane")  # what can be selected; "pad" and "" are only drawn
Cell = dict[str, Value]
NOTHING: Cell = {"kind": ""}


@dataclass(frozen=True)
class Pane:
    """A grid of cells: a matrix, a tile of shared memory, the registers of a warp.

    cells: rows * cols of them, row by row. Each is a dict with its "kind" ("cell", "badge": it supplies an address,
    "lane": it stands for a lane, "pad": it is there and unused, "": nothing is there), its "text", and a value for
    each column that it has. A value is a number, a string, a list of either (a set), or None.
    names, sentences: templates by kind; a cell's name is unique in its variant.
    colour: the column, 0-31, whose lane colours the cell; None for a quiet fill.
    row_gaps, col_gaps: indices with a wider gap before them. frames: (row, col, rows, cols, label) of parts.

    Raises ValueError, when made, for a wrong number of cells, an unknown kind, a template that asks for a column that
    a cell lacks, a frame or a gap outside of the grid, and for more than a scene may hold (`limits`).

    >>> pane = Pane("A", "tile", rows=1, cols=1, cells=[{"kind": "cell", "row": 3}], names={"cell": "A({row})"})
    >>> pane.cell_names
    ['A(3)']
    """

    name: str
    title: str
    rows: int
    cols: int
    cells: Sequence[Cell] = field(repr=False)
    names: dict[str, str]
    sentences: dict[str, str] = field(default_factory=dict)
    note: str = ""
    colour: str | None = None
    row_gaps: tuple[int, ...] = ()
    col_gaps: tuple[int, ...] = ()
    row_heads: tuple[str, ...] = ()
    col_heads: tuple[str, ...] = ()
    frames: tuple[tuple[int, int, int, int, str], ...] = ()

    def __post_init__(self) -> None:
        """Check the grid, the cells, and the cells against the templates."""
        self._check_grid()
        self._check_texts()
        wanted = {
            kind: places(self.names.get(kind, "")) | places(self.sentences.get(kind, "")) for kind in KINDS
        }
        for cell in self.cells:
            kind = cell.get("kind")
            if kind not in (*KINDS, "pad", ""):
                raise ValueError(
                    f"pane {self.name} has a cell of kind {kind!r}; wanted one of {KINDS}, pad or ''."
                )
            if kind in KINDS and (kind not in self.names or not wanted[kind] <= cell.keys()):
                raise ValueError(f"pane {self.name} cannot name its cell {cell}.")
            if not all(_plain(value) for value in cell.values()):
                raise ValueError(f"pane {self.name} has a cell with a value that is not plain: {cell}.")
        if self.colour is not None and self.colour not in self.columns:
            raise ValueError(f"pane {self.name} is coloured by {self.colour}, which no cell has.")

    def _check_grid(self) -> None:
        if len(self.cells) != self.rows * self.cols or self.rows < 1:
            raise ValueError(
                f"pane {self.name} has {len(self.cells)} cells; wanted {self.rows} x {self.cols}."
            )
        for side, count, heads, gaps in (
            ("rows", self.rows, self.row_heads, self.row_gaps),
            ("cols", self.cols, self.col_heads, self.col_gaps),
        ):
            within_limit(f"{side} of pane {self.name}", count, "side")
            if heads and len(heads) != count:
                raise ValueError(f"pane {self.name} has {len(heads)} heads for {count} {side}.")
            if len(gaps) > count or any(not 0 <= gap <= count for gap in gaps):
                raise ValueError(f"pane {self.name} has a gap beyond its {count} {side}.")
        for row, col, rows, cols, label in self.frames:
            if min(row, col, rows - 1, cols - 1) < 0 or row + rows > self.rows or col + cols > self.cols:
                raise ValueError(f"pane {self.name} has a frame, {label}, that reaches outside.")

    def _check_texts(self) -> None:
        what = f"pane {self.name}"
        for count, limit in ((self.cells, "paneCells"), (self.columns, "columns"), (self.frames, "frames")):
            within_limit(f"{limit} of {what}", len(count), limit)
        labels = (frame[-1] for frame in self.frames)
        short(what, "word", self.name, self.title, *self.columns, *self.row_heads, *self.col_heads, *labels)
        short(what, "prose", self.note, *self.names.values(), *self.sentences.values())
        for cell in self.cells:
            short(f"a cell of {what}", "cellText", str(cell.get("text", "")))
            for value in cell.values():
                members = value if isinstance(value, list) else [value]
                within_limit(f"members of a value of {what}", len(members), "members")
                short(f"a value of {what}", "word", *(one for one in members if isinstance(one, str)))

    @cached_property
    def columns(self) -> list[str]:
        """The columns, in the order in which the cells first name them."""
        return list(dict.fromkeys(key for cell in self.cells for key in cell if key not in ("kind", "text")))

    @cached_property
    def cell_names(self) -> list[str]:
        """Each cell's name, "" for one that cannot be selected."""
        return [filled(self.names[str(c["kind"])], c) if c["kind"] in KINDS else "" for c in self.cells]

    @cached_property
    def places(self) -> dict[str, int]:
        """The place of each cell that can be selected, in `cells`, by its name."""
        return {name: place for place, name in enumerate(self.cell_names) if name}

    def sentence(self, cell: Cell) -> str:
        """What a cell says of itself, in words; its name if it has no sentence."""
        kind = str(cell["kind"])
        return filled(self.sentences.get(kind) or self.names[kind], cell)

    def data(self, pool: Pool) -> dict[str, Any]:
        """The pane as JSON has it, its columns by their numbers in the pool."""
        return {
            "name": self.name,
            "title": self.title,
            "note": self.note,
            "rows": self.rows,
            "cols": self.cols,
            "row_gaps": list(self.row_gaps),
            "col_gaps": list(self.col_gaps),
            "row_heads": list(self.row_heads),
            "col_heads": list(self.col_heads),
            "frames": [
                {"row": row, "col": col, "rows": rows, "cols": cols, "label": label}
                for row, col, rows, cols, label in self.frames
            ],
            "kind": pool.add([cell["kind"] for cell in self.cells]),
            "text": pool.add([cell.get("text", "") for cell in self.cells]),
            "colour": self.colour,
            "columns": {name: pool.add([cell.get(name) for cell in self.cells]) for name in self.columns},
            "names": self.names,
            "sentences": self.sentences,
        }


def _plain(value: object) -> bool:
    """Whether JSON and JavaScript keep a value as it is."""
    if isinstance(value, list):
        return all(not isinstance(one, list) and one is not None and _plain(one) for one in value)
    if isinstance(value, float):
        return isfinite(value)
    return value is None or isinstance(value, str) or (type(value) is int and abs(value) < 2**53)
