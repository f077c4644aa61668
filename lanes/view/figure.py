"""A scene as a picture, by matplotlib: for print, for slides, and wherever no script runs.

What lights up is what `Variant.lit` says, drawn as the widget draws it: a ring for the same element, an ink outline
for what the same lane holds, dashes for the row that a lane supplies, a thin line for what it is combined with.
"""

from collections.abc import Iterator
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Rectangle

from lanes.view.colours import palette
from lanes.view.pane import Cell, Pane
from lanes.view.scene import Scene, Variant

Box = tuple[float, float, float, float]  # x, y, width, height

# Lengths in cells.
CELL, WIDE, LOW = 1.0, 1.75, 0.75  # a cell; the width and height of one with a long text
GAP, BETWEEN = 0.4, 2.0  # the wider gap in a pane; the space between two panes
INCH = 0.26  # the side of a cell on paper
LONG = 2  # characters that fit a cell; a pane with longer texts has wide cells
LARGE = 32  # cells across; a larger pane has no texts and small cells
SMALL = 0.15

# How each style is drawn: its line, its colour, how far it stands outside its cells (in cells), and whether
# neighbours share one outline.
OUTLINES: dict[str, tuple[dict[str, Any], str, float, bool]] = {
    "meets": ({"lw": 1.2}, "accent", 0.02, True),
    "supplies": ({"lw": 1.4, "ls": (0, (3, 2))}, "accent", 0.06, True),
    "holds": ({"lw": 1.4}, "ink", -0.03, False),
    "same": ({"lw": 2.4}, "accent", 0.1, False),
}


def figure(scene: Scene, variant: Variant, selection: str = "", *, dark: bool = False) -> Figure:
    """Return a matplotlib Figure of a variant with a cell selected, by name; without one, its first.

    Raises ValueError for a name that the variant lacks.

    >>> from lanes.view.scenes import ldmatrix_scene
    >>> scene = ldmatrix_scene()
    >>> len(figure(scene, scene.variant(), "A(0,9)").axes)
    1
    """
    selection = selection or variant.start
    chosen, cell = variant.find(selection)
    lit = variant.lit(selection)
    lit["same"] = [selection, *lit.get("same", ())]
    colours = palette(dark=dark)
    widths = [sum(_sizes(pane)[0]) + _margin(pane) for pane in variant.panes]
    heights = [sum(_sizes(pane)[1]) for pane in variant.panes]
    width, height = sum(widths) + BETWEEN * (len(widths) - 1), max(heights) + 3.5
    shown = Figure(figsize=((width + 2) * INCH, (height + 2.5) * INCH), facecolor=colours["ground"])
    FigureCanvasAgg(shown)
    axes = shown.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.text(0, -1.5, scene.title, color=colours["ink"], fontsize=10, weight="bold", va="center")
    left = 0.0
    for pane, wide in zip(variant.panes, widths, strict=True):
        _draw(axes, pane, left + _margin(pane), lit, colours)
        left += wide + BETWEEN
    axes.set(xlim=(-1, width + 1), ylim=(height, -2.5), aspect="equal")
    axes.text(0, height - 1, chosen.sentence(cell), color=colours["ink"], fontsize=8, va="center", wrap=True)
    return shown


def save(shown: Figure, path: Any, form: str) -> None:
    """Write a figure as "svg" or "png", to a path or an open file. The same figure gives the same bytes."""
    with mpl.rc_context({"svg.hashsalt": "lanes", "svg.fonttype": "none"}):
        metadata = {"Date": None} if form == "svg" else {"Software": None}
        shown.savefig(path, format=form, dpi=160, metadata=metadata)


def _margin(pane: Pane) -> float:
    return 1.2 if pane.row_heads else 0.0


def _sizes(pane: Pane) -> tuple[list[float], list[float]]:
    """Widths of the columns and heights of the rows, each with the gap before it."""
    longest = max((len(str(cell.get("text", ""))) for cell in pane.cells), default=0)
    wide, tall = (WIDE, LOW) if longest > LONG else (CELL, CELL)
    if pane.cols > LARGE:
        wide = tall = SMALL
    return (
        [wide + GAP * (col in pane.col_gaps) for col in range(pane.cols)],
        [tall + GAP * (row in pane.row_gaps) for row in range(pane.rows)],
    )


def _boxes(pane: Pane, left: float) -> Iterator[Box]:
    """Each cell's box, row by row."""
    widths, heights = _sizes(pane)
    y = 1.0
    for row, height in enumerate(heights):
        x, top = left, GAP * (row in pane.row_gaps)
        for col, width in enumerate(widths):
            before = GAP * (col in pane.col_gaps)
            yield x + before, y + top, width - before, height - top
            x += width
        y += height


def _draw(axes: Any, pane: Pane, left: float, lit: dict[str, list[str]], colours: dict[str, str]) -> None:
    boxes = list(_boxes(pane, left))
    note = f"  {pane.note}" if len(pane.note) < pane.cols * 2 else ""
    title = axes.text(left, -0.45, pane.title, color=colours["ink"], fontsize=8, weight="bold", va="center")
    axes.annotate(note, (1, 0), xycoords=title, color=colours["muted"], fontsize=7, va="bottom")
    for row, head in enumerate(pane.row_heads):
        x, y, _, height = boxes[row * pane.cols]
        axes.text(x - 0.3, y + height / 2, head, color=colours["muted"], fontsize=6, ha="right", va="center")
    for col, head in enumerate(pane.col_heads):
        x, y, width, _ = boxes[col]
        axes.text(x + width / 2, y - 0.4, head, color=colours["muted"], fontsize=6, ha="center", va="center")
    held = set(lit.get("holds", ()))
    fills = [
        _fill(pane, cell, colours, held=n in held)
        for cell, n in zip(pane.cells, pane.cell_names, strict=True)
    ]
    if pane.cols > LARGE:
        (x, y), width, height = _around(boxes[0], boxes[-1], 0)
        picture = np.array([to_rgb(fill) for fill in fills]).reshape(pane.rows, pane.cols, 3)
        axes.imshow(picture, extent=(x, x + width, y + height, y), interpolation="nearest")
    else:
        for cell, fill, box in zip(pane.cells, fills, boxes, strict=True):
            if cell["kind"] != "":
                _draw_cell(axes, cell, box, fill, colours)
    for row, col, rows, cols, label in pane.frames:
        corners = boxes[row * pane.cols + col], boxes[(row + rows - 1) * pane.cols + col + cols - 1]
        axes.add_patch(Rectangle(*_around(*corners, 0), fill=False, ec=colours["ink"], lw=1))
        axes.text(
            corners[0][0] + 0.2, corners[0][1] + 0.5, label, color=colours["ink"], fontsize=6, va="center"
        )
    for style, (line, colour, grow, shared) in OUTLINES.items():
        found = sorted(pane.places[name] for name in {*lit.get(style, ())} & pane.places.keys())
        for first, last in runs(found, pane.cols) if shared else [(place, place) for place in found]:
            around = _around(boxes[first], boxes[last], grow)
            axes.add_patch(Rectangle(*around, fill=False, ec=colours[colour], zorder=3, **line))


def runs(places: list[int], cols: int) -> list[tuple[int, int]]:
    """Return the first and the last place of each rectangle that neighbours among some cells make.

    places: sorted row-major numbers of cells in a grid of that many columns.

    >>> runs([1, 2, 5, 6, 11], cols=4), runs([0, 3, 6], cols=3)
    ([(1, 6), (11, 11)], [(0, 6)])
    """
    rows: list[tuple[int, int]] = []
    for place in places:
        if rows and place == rows[-1][1] + 1 and place % cols:
            rows[-1] = rows[-1][0], place
        else:
            rows.append((place, place))
    found: list[tuple[int, int]] = []
    for first, last in rows:
        above = next((one for one in found if one[1] == last - cols and one[0] % cols == first % cols), None)
        if above:
            found[found.index(above)] = above[0], last
        else:
            found.append((first, last))
    return found


def _draw_cell(axes: Any, cell: Cell, box: Box, fill: str, colours: dict[str, str]) -> None:
    where = _around(box, box, -0.04)
    if cell["kind"] == "badge":
        pill = FancyBboxPatch(
            *where, "round,pad=0,rounding_size=0.4", fc=colours["ground"], ec=colours["muted"]
        )
        pill.set_linewidth(0.8)
        pill.set_linestyle((0, (2, 1.5)))
        axes.add_patch(pill)
    else:
        axes.add_patch(Rectangle(*where, fc=fill, ec=colours["line"], lw=0.4))
    x, y, width, height = box
    middle = x + width / 2, y + height / 2
    axes.text(*middle, cell.get("text", ""), color=colours["ink"], fontsize=6, ha="center", va="center")


def _fill(pane: Pane, cell: Cell, colours: dict[str, str], *, held: bool) -> str:
    if cell["kind"] == "pad":
        return colours["ground"]
    lane = cell.get("lane" if cell["kind"] == "lane" or held else pane.colour or "")
    return colours.get(str(lane), colours["quiet"])


def _around(first: Box, last: Box, grow: float) -> tuple[tuple[float, float], float, float]:
    """Corner, width and height of the rectangle from one box to another, grown on every side."""
    x, y = first[0] - grow, first[1] - grow
    return (x, y), last[0] + last[2] + grow - x, last[1] + last[3] + grow - y
