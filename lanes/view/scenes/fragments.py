"""The scenes of fragments: one operand beside the registers that hold it, and the three operands of an mma linked."""

from collections.abc import Callable

from lanes.catalog import fragment
from lanes.fragments import WARP, Fragment
from lanes.instructions import MMA
from lanes.view.pane import Cell, Pane
from lanes.view.scene import Control, Link, Scene, Variant, linked
from lanes.view.scenes.registers import lane_slider, registers_pane, slot_words

SHAPES = tuple(dict.fromkeys(row.shape for row in MMA))
SHAPE = Control(
    "shape", "instruction", SHAPES, {"sm_75": "m16n8k8", "sm_80": "m16n8k16", "sm_90": "m16n8k16"}
)
PARTS = {"A": ("A", "f16"), "B": ("B", "f16"), "C f16": ("C", "f16"), "C f32": ("C", "f32")}


def fragment_scene() -> Scene:
    """Return the scene of one operand: which lane holds which element, and where.

    >>> fragment_scene().variant("m16n8k16", "A").lit("A(0,9)")["same"]
    ['A(0,9)', 'lane 0, reg 2, high half']
    """

    def variant(shape: str, part: str) -> Variant:
        letter, dtype = PARTS[part]
        one = fragment(shape, letter, dtype=dtype)
        matrix, registers = _matrix(one), _registers(one)
        links = linked([letter, "registers"], "element", "same") + linked(
            [letter, "registers"], "lane", "holds"
        )
        start = f"{letter}(0,9)" if one.shape[1] > 9 else f"{letter}(1,3)"
        return Variant((shape, part), (matrix, registers), tuple(links), start, slider=lane_slider(registers))

    operand = Control("operand", "operand", tuple(PARTS))
    return Scene(
        "fragment",
        "A fragment: one operand of an mma in the registers of a warp",
        "The number in a cell of the matrix is the lane that holds the element, and the colour is that lane's.",
        (SHAPE, operand),
        tuple(variant(shape, part) for shape in SHAPE.options for part in operand.options),
        ("m16n8k16", "A"),
    )


def mma_scene() -> Scene:
    """Return the scene of one mma: A, B and C side by side, with the 32 lanes.

    An element of C lights its row of A, its column of B, and the lanes that hold them.

    >>> mma_scene().variant().lit("C(3,5)")["meets"][-2:]
    ['lane 22', 'lane 23']
    """

    def variant(shape: str, acc: str) -> Variant:
        a, b, c = (fragment(shape, letter, dtype=acc if letter == "C" else "f16") for letter in "ABC")
        links = [
            *linked(["A", "B", "C", "lanes"], "lane", "holds"),
            *_both("A", "C", "row", "row"),
            *_both("B", "C", "col", "col"),
            *_both("A", "B", "col", "row"),
            Link("C", "lanes", ("row", "a_rows"), "meets"),
            Link("C", "lanes", ("col", "b_cols"), "meets"),
        ]

        def met(row: int, col: int) -> Cell:
            return {"a_lanes": _lanes_of(a, row=row), "b_lanes": _lanes_of(b, col=col)}

        panes = (_matrix(a, _A), _matrix(b, _B), _matrix(c, _C.format(k=a.shape[1]), met), _lanes(a, b, c))
        return Variant((shape, acc), panes, tuple(links), "C(3,5)")

    acc = Control("acc", "accumulator", ("f16", "f32"))
    return Scene(
        "mma",
        "One mma: which lanes meet in an element of C",
        "C(m,n) is the sum over k of A(m,k) B(k,n). The number in a cell is the lane that holds the element.",
        (SHAPE, acc),
        tuple(variant(shape, name) for shape in SHAPE.options for name in acc.options),
        ("m16n8k16", "f16"),
    )


_HELD = "`{letter}({row},{col})` is held by **lane {lane}** in **{slot}**: PTX's `{ptx}`."
_A = _HELD + " It is multiplied with row {col} of B and enters row {row} of C."
_B = _HELD + " It is multiplied with column {row} of A and enters column {col} of C."
_C = _HELD.replace("{", "{{").replace("}", "}}") + (
    " It sums {k} products: of row {{row}} of A, on lanes {{a_lanes}}, with column {{col}} of B, on lanes {{b_lanes}}."
)


def _both(one: str, other: str, on_one: str, on_other: str) -> list[Link]:
    return [Link(one, other, (on_one, on_other), "meets"), Link(other, one, (on_other, on_one), "meets")]


def _element(part: Fragment, row: int, col: int) -> Cell:
    lane, reg, half = part.owner(row, col)
    return {
        "letter": part.operand,
        "row": row,
        "col": col,
        "element": row * part.shape[1] + col,
        "lane": lane,
        "reg": reg,
        "half": half,
        "slot": slot_words(part.elements, reg, half),
        "ptx": part.names[reg][half],
    }


def _lanes_of(part: Fragment, row: int | None = None, col: int | None = None) -> list[int]:
    """The lanes that hold a row or a column of an operand."""
    rows = range(part.shape[0]) if row is None else [row]
    cols = range(part.shape[1]) if col is None else [col]
    return sorted({part.owner(r, c)[0] for r in rows for c in cols})


def _matrix(
    part: Fragment, sentence: str = _HELD, more: Callable[[int, int], Cell] = lambda row, col: {}
) -> Pane:
    rows, cols = part.shape
    cells: list[Cell] = []
    for row in range(rows):
        for col in range(cols):
            one = _element(part, row, col)
            cells.append({"kind": "cell", "text": str(one["lane"]), **one, **more(row, col)})
    return Pane(
        part.operand,
        part.operand,
        rows=rows,
        cols=cols,
        cells=cells,
        note=f"{rows} x {cols}, {part.dtype}",
        names={"cell": "{letter}({row},{col})"},
        sentences={"cell": sentence},
        colour="lane",
        row_gaps=tuple(range(8, rows, 8)),
        col_gaps=tuple(range(8, cols, 8)),
        row_heads=tuple(map(str, range(rows))),
        col_heads=tuple(map(str, range(cols))),
    )


def _registers(part: Fragment) -> Pane:
    def slot_cell(lane: int, reg: int, half: int) -> Cell:
        one = _element(part, *part.coords[lane, reg, half].tolist())
        return {"text": f"{one['row']},{one['col']}", **one}

    def lane_cell(lane: int) -> Cell:
        return {
            "held": [f"{part.operand}({row},{col})" for row, col in part.coords[lane].reshape(-1, 2).tolist()]
        }

    return registers_pane(
        part.registers,
        part.elements,
        lane=lane_cell,
        slot=slot_cell,
        note="which element is in each",
        sentences={
            "lane": "**Lane {lane}** holds {held}.",
            "cell": "**Lane {lane}** holds `{letter}({row},{col})` in **{slot}**: PTX's `{ptx}`.",
        },
    )


def _lanes(a: Fragment, b: Fragment, c: Fragment) -> Pane:
    """The lanes of the warp, a group of four in a line."""
    cells: list[Cell] = [
        {
            "kind": "lane",
            "text": str(lane),
            "lane": lane,
            "a_rows": sorted(set(a.coords[lane, ..., 0].ravel().tolist())),
            "b_cols": sorted(set(b.coords[lane, ..., 1].ravel().tolist())),
            "counts": [f"{part.coords[lane, ..., 0].size} of {part.operand}" for part in (a, b, c)],
        }
        for lane in range(WARP)
    ]
    return Pane(
        "lanes",
        "lanes",
        rows=WARP // 4,
        cols=4,
        cells=cells,
        names={"lane": "lane {lane}"},
        sentences={
            "lane": "**Lane {lane}** holds elements of rows {a_rows} of A and of column {b_cols} of B: {counts}.",
        },
    )
