"""A pane of a scene: a grid of cells, each with a kind, a text and values in named columns."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import isfinite
from typing import Any

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

    Raises ValueError, when made, for a wrong number of cells, an unknown kind, or a template that asks for a column
    that a cell lacks.

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
        """Check the cells against the grid and against the templates."""
        if len(self.cells) != self.rows * self.cols:
            raise ValueError(
                f"pane {self.name} has {len(self.cells)} cells; wanted {self.rows} x {self.cols}."
            )
        for heads, count in ((self.row_heads, self.rows), (self.col_heads, self.cols)):
            if heads and len(heads) != count:
                raise ValueError(f"pane {self.name} has {len(heads)} heads for {count} rows or columns.")
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
