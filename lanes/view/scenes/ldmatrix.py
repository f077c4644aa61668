"""The scene of ldmatrix: a tile in shared memory, with who supplies each row's address, beside who receives what."""

from lanes.catalog import fragment, ldmatrix_row
from lanes.fragments import WARP
from lanes.instructions import Ldmatrix
from lanes.view.pane import NOTHING, Cell, Pane
from lanes.view.scene import Control, Link, Scene, Variant, linked
from lanes.view.scenes.registers import lane_slider, registers_pane, slot_words

TILE = fragment("m16n8k16", "A")  # the tile that x4 fills one fragment from, and x1 and x2 a part of it
ROW_BYTES = 16  # one row of a matrix: eight 16-bit elements
PAD = 8  # elements at the end of a padded row
MEMORY = {
    "dense": "rows of the tile, one after the other",
    "padded": f"each row of the tile is {PAD} elements longer than what is used of it",
    "scattered": "the rows lie anywhere; each line is 32 bytes, headed by its first byte",
}


def ldmatrix_scene() -> Scene:
    """Return the scene: x1, x2, x4; plain and .trans; rows dense, padded and scattered.

    >>> ldmatrix_scene().variant("x4", "plain", "dense").lit("A(0,9)")["same"]
    ['A(0,9)', 'lane 0, reg 2, high half']
    """
    controls = (
        Control("num", "matrices", ("x1", "x2", "x4")),
        Control("trans", "transpose", ("plain", ".trans")),
        Control("rows", "rows in memory", tuple(MEMORY)),
    )
    return Scene(
        "ldmatrix",
        "ldmatrix: who supplies, who receives",
        "A badge is the lane that supplies the address of a row of eight elements. "
        "The number in a cell is the lane that receives the element, and the colour is that lane's.",
        controls,
        tuple(
            _variant(num, trans, rows)
            for num in controls[0].options
            for trans in controls[1].options
            for rows in controls[2].options
        ),
        ("x4", "plain", "dense"),
    )


def place_bytes(rows: str, matrix: int, row: int) -> int:
    """Return the byte offset in the tile of a matrix's row, for rows "dense", "padded" or "scattered".

    >>> place_bytes("dense", 2, 0), place_bytes("padded", 0, 1), place_bytes("scattered", 2, 0)
    (16, 48, 176)
    """
    top, left = TILE.blocks[matrix]
    if rows == "scattered":
        piece = (top + row) * 2 + left // 8
        return ROW_BYTES * (piece * 11 % WARP)  # any order would do; 11 and 32 have no common factor
    stride_bytes = 2 * (TILE.shape[1] + (PAD if rows == "padded" else 0))
    return (top + row) * stride_bytes + 2 * left


def _variant(num: str, trans: str, rows: str) -> Variant:
    load = ldmatrix_row(int(num[1:]), trans=trans == ".trans")
    memory, registers = _memory(load, rows), _registers(load)
    return Variant(
        (num, trans, rows),
        (memory, registers),
        (
            *linked(["A", "registers"], "element", "same"),
            *linked(["A", "registers"], "lane", "holds"),
            Link("A", "A", "supplier", "supplies"),
            Link("registers", "A", "supplier", "supplies"),
            Link("registers", "A", ("supplies", "supplier"), "supplies"),
            Link("A", "registers", ("supplier", "supplies"), "supplies"),
            Link("registers", "registers", ("supplier", "supplies"), "supplies"),
            Link("A", "registers", ("fed", "supplier"), "meets"),
        ),
        start="A(0,9)" if num == "x4" else "A(9,0)" if num == "x2" else "A(1,1)",
        steps=tuple(_step(matrix) for matrix in range(load.num)),
        slider=lane_slider(registers),
    )


def _step(matrix: int) -> str:
    first = 8 * matrix
    return (
        f"Matrix {matrix}: lanes {first}-{first + 7} supply the addresses of its eight rows. "
        f"Every lane receives two of its elements, in reg {matrix}."
    )


def _element(load: Ldmatrix, matrix: int, row: int, col: int) -> Cell:
    """What every cell says that shows element (row, col) of a matrix, in memory or in a register."""
    lane, reg, half = load.receiver(matrix, row, col)
    top, left = TILE.blocks[matrix]
    return {
        "row": top + row,
        "col": left + col,
        "element": (top + row) * TILE.shape[1] + left + col,
        "matrix": matrix,
        "matrix_row": row,
        "supplier": 8 * matrix + row,
        "lane": lane,
        "reg": reg,
        "half": half,
        "slot": slot_words(2, reg, half),
        "step": matrix + 1,
    }


def _memory(load: Ldmatrix, rows: str) -> Pane:
    """The tile as it lies in memory: a line is 32 bytes, two rows of matrices, each behind its supplier's badge."""
    at: dict[int, list[Cell]] = {}
    for lane in range(8 * load.num):
        matrix, row = divmod(lane, 8)
        byte = place_bytes(rows, matrix, row)
        elements = [_element(load, matrix, row, col) for col in range(8)]
        badge: Cell = {
            "kind": "badge",
            "text": str(lane),
            **{key: elements[0][key] for key in ("row", "matrix", "matrix_row", "supplier", "step")},
            "first": elements[0]["col"],
            "last": elements[-1]["col"],
            "fed": lane,
            "byte": byte,
            "receivers": sorted({load.receiver(matrix, row, col)[0] for col in range(8)}),
        }
        assert load.supplier(lane) == (matrix, row)
        cells: list[Cell] = [
            {"kind": "cell", "text": str(one["lane"]), "byte": byte, **one} for one in elements
        ]
        at[byte] = [badge, *cells]

    blank: Cell = {"kind": "pad"}
    unused: list[Cell] = [NOTHING, *[blank] * 8]
    padding: list[Cell] = [{"kind": "pad", "text": f"+{PAD}"}] if rows == "padded" else []
    stride_bytes = 2 * ROW_BYTES + 2 * PAD * len(padding)
    lines = [
        [*at.get(start, unused), *at.get(start + ROW_BYTES, unused), *padding]
        for start in range(0, 16 * stride_bytes, stride_bytes)
    ]
    starts = (str(line * stride_bytes) if rows == "scattered" else str(line) for line in range(16))
    columns = ("", *map(str, range(8)), "", *map(str, range(8, 16)), *[""] * len(padding))
    numbered = rows != "scattered"
    return Pane(
        "A",
        "shared memory",
        rows=16,
        cols=len(lines[0]),
        cells=[cell for line in lines for cell in line],
        note=MEMORY[rows],
        names={"cell": "A({row},{col})", "badge": "address from lane {supplier}"},
        sentences={
            "cell": "`A({row},{col})` sits in the row whose address **lane {supplier}** supplies "
            "(matrix {matrix}, row {matrix_row}, byte {byte}). **Lane {lane}** receives it in **{slot}**.",
            "badge": "**Lane {supplier}** supplies the address of matrix {matrix}, row {matrix_row}: byte {byte}, "
            "`A({row},{first})` to `A({row},{last})`. These go to lanes {receivers}, in reg {matrix}.",
        },
        colour="lane",
        row_gaps=(8,) if numbered else (),
        col_gaps=(9, 18) if padding else (9,),
        row_heads=tuple(starts),
        col_heads=columns if numbered else (),
    )


def _registers(load: Ldmatrix) -> Pane:
    def lane_cell(lane: int) -> Cell:
        place = load.supplier(lane)
        held = (
            _element(load, *load.element(lane, reg, half)) for reg in range(load.num) for half in range(2)
        )
        return {
            "supplies": lane if place else None,
            "address": f"the address of matrix {place[0]}, row {place[1]}"
            if place
            else f"no address that x{load.num} uses, though sm_75 still needs a valid one",
            "held": [f"A({one['row']},{one['col']})" for one in held],
        }

    def slot_cell(lane: int, reg: int, half: int) -> Cell:
        one = _element(load, *load.element(lane, reg, half))
        return {"text": f"{one['row']},{one['col']}", **one}

    return registers_pane(
        load.num,
        2,
        lane=lane_cell,
        slot=slot_cell,
        note="which element each lane receives",
        sentences={
            "lane": "**Lane {lane}** supplies {address}. It receives {held}.",
            "cell": "**Lane {lane}** receives `A({row},{col})` in **{slot}**, from the row whose address "
            "**lane {supplier}** supplies (matrix {matrix}, row {matrix_row}).",
        },
    )
