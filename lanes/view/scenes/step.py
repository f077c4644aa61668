"""The scene of one step of one warp: eight loads and sixteen mmas, in an order that the reader chooses."""

from typing import NamedTuple

from lanes.catalog import fragment
from lanes.tiling import REFERENCE as TILING
from lanes.view.pane import Cell, Pane
from lanes.view.scene import Control, Link, Scene, Variant, linked

DOWN, ACROSS = range(TILING.mmas_m), range(TILING.mmas_n)


class Instruction(NamedTuple):
    """What an instruction is for: "A" or "B", an ldmatrix that fills fragment i or j of it, or "mma" (i, j)."""

    what: str
    i: int = -1
    j: int = -1

    @property
    def name(self) -> str:
        """How the scene calls it."""
        return f"mma ({self.i},{self.j})" if self.what == "mma" else f"load {self.what} {max(self.i, self.j)}"


Order = list[Instruction]
LOADS = [*(Instruction("A", i=i) for i in DOWN), *(Instruction("B", j=j) for j in ACROSS)]


def step_scene() -> Scene:
    """Return the scene of the reference kernel's warp 0; a cell of A, B or C is a register of each of its 32 lanes.

    >>> step_scene().variant().lit("mma (1,2)")["same"]
    ['r_c[1, 2, 0]', 'r_c[1, 2, 1]']
    """
    rows = [Instruction("mma", i, j) for i in DOWN for j in ACROSS]
    columns = [Instruction("mma", i, j) for j in ACROSS for i in DOWN]
    to_and_fro = [
        Instruction("mma", i, j) for i in DOWN for j in (ACROSS if i % 2 == 0 else reversed(ACROSS))
    ]
    orders = {
        "by rows": LOADS + rows,
        "by columns": LOADS + columns,
        "to and fro": LOADS + to_and_fro,
        "load late": _late(rows),
    }
    return Scene(
        "step",
        "One step of one warp",
        "A cell of A, B or C is a register: an 8 x 8 matrix, two elements in each of 32 lanes. The number in it is the "
        "register's. Instructions run in reading order; the steps mark what each of them reads and writes.",
        (Control("order", "order", tuple(orders)),),
        tuple(_variant(name, order) for name, order in orders.items()),
        ("by rows",),
    )


def _late(products: Order) -> Order:
    """The products in that order, each behind those of its loads that have not been yet."""
    order: Order = []
    for product in products:
        needs = [Instruction("A", i=product.i), Instruction("B", j=product.j)]
        order += [load for load in needs if load not in order] + [product]
    return order


def _variant(name: str, order: Order) -> Variant:
    links = [
        *_both("order", "A", ("fills_A", "i"), "same"),
        *_both("order", "B", ("fills_B", "j"), "same"),
        *_both("order", "A", ("reads_A", "i"), "meets"),
        *_both("order", "B", ("reads_B", "j"), "meets"),
        *_both("order", "C", ("adds", "mma"), "same"),
        *_both("A", "C", ("i", "i"), "meets"),
        *_both("B", "C", ("j", "j"), "meets"),
        *linked("A", "i", "holds"),
        *linked("B", "j", "holds"),
        *linked("C", "mma", "holds"),
    ]
    panes = (_instructions(order), _operand("A", order), _operand("B", order), _sums(order))
    steps = tuple(f"{number}. {_does(one, order)}" for number, one in enumerate(order, 1))
    return Variant((name,), panes, tuple(links), "r_a[0, 2]", steps)


def _both(one: str, other: str, on: tuple[str, str], style: str) -> list[Link]:
    return [Link(one, other, on, style), Link(other, one, on[::-1], style)]


def _does(one: Instruction, order: Order) -> str:
    if one.what == "A":
        return f"ldmatrix_x4 fills r_a[{one.i}]."
    if one.what == "B":
        return f"ldmatrix_x2_trans fills r_b[{one.j}]."
    return (
        f"mma ({one.i},{one.j}) reads r_a[{one.i}] and r_b[{one.j}], and adds to r_c[{one.i}, {one.j}]. "
        + (_shared(one, [other for other in order if other.what == "mma"]))
    )


def _shared(one: Instruction, products: Order) -> str:
    """What an mma has in common with the one before it."""
    at = products.index(one)
    if at == 0:
        return "It is the first."
    before = products[at - 1]
    if one.i == before.i:
        return f"The mma before it read r_a[{one.i}], too."
    return (
        f"The mma before it read r_b[{one.j}], too."
        if one.j == before.j
        else "It has no operand of the mma before it."
    )


def _instructions(order: Order) -> Pane:
    cells: list[Cell] = []
    for number, one in enumerate(order, 1):
        cell: Cell = {
            "kind": "cell",
            "text": f"{one.i},{one.j}" if one.what == "mma" else f"{one.what} {max(one.i, one.j)}",
            "name": one.name,
            "number": number,
            "does": _does(one, order),
            "step": number,
        }
        if one.what == "mma":
            cells.append(cell | {"reads_A": one.i, "reads_B": one.j, "adds": f"{one.i},{one.j}"})
        else:
            cells.append(cell | {f"fills_{one.what}": max(one.i, one.j)})
    return Pane(
        "order",
        "instructions",
        rows=len(order) // len(ACROSS),
        cols=len(ACROSS),
        cells=cells,
        note=str(len(order)),
        names={"cell": "{name}"},
        sentences={"cell": "**Instruction {number}.** {does}"},
        row_gaps=(len(LOADS) // len(ACROSS),) if order[: len(LOADS)] == LOADS else (),
    )


def _operand(letter: str, order: Order) -> Pane:
    """The warp's A, 64 x 16, or its B, 16 x 32: a cell is an 8 x 8 matrix."""
    part, which = fragment(TILING.mma, letter), "i" if letter == "A" else "j"
    cells: dict[tuple[int, int], Cell] = {}
    for number in DOWN if letter == "A" else ACROSS:
        down, right = TILING.c_origin(0, number, 0) if letter == "A" else TILING.c_origin(0, 0, number)
        users = [at for at, one in enumerate(order, 1) if one.what == "mma" and getattr(one, which) == number]
        filled = order.index(Instruction(letter, **{which: number})) + 1
        for reg, (top, left) in enumerate(part.blocks):
            row, col = down + top, right + left
            pair = [f"{letter}({down + r},{right + c})" for r, c in part.coords[0, reg].tolist()]
            cells[row, col] = {
                "kind": "cell",
                "text": str(reg),
                which: number,
                "reg": reg,
                "rows": f"{row} to {row + 7}",
                "cols": f"{col} to {col + 7}",
                "pair": " and ".join(pair),
                "filled": filled,
                "users": users,
                "step": [filled, *users],
            }
    return _grid(
        letter,
        cells,
        f"r_{letter.lower()}[{{{which}}}, {{reg}}]",
        f"holds rows {{rows}} and columns {{cols}} of {letter}: in lane 0, {{pair}}. "
        "Instruction {filled} fills it, and instructions {users} read it.",
    )


def _sums(order: Order) -> Pane:
    part = fragment(TILING.mma, "C")
    cells: dict[tuple[int, int], Cell] = {}
    for number, one in enumerate(order, 1):
        if one.what != "mma":
            continue
        down, right = TILING.c_origin(0, one.i, one.j)
        for reg, (top, left) in enumerate(part.blocks):
            row, col = down + top, right + left
            cells[row, col] = {
                "kind": "cell",
                "text": str(reg),
                "i": one.i,
                "j": one.j,
                "mma": f"{one.i},{one.j}",
                "reg": reg,
                "rows": f"{row} to {row + 7}",
                "cols": f"{col} to {col + 7}",
                "number": number,
                "step": number,
            }
    return _grid(
        "C",
        cells,
        "r_c[{i}, {j}, {reg}]",
        "holds rows {rows} and columns {cols} of C. Instruction {number}, mma ({mma}), reads r_a[{i}] and r_b[{j}], "
        "and adds to it.",
    )


def _grid(letter: str, cells: dict[tuple[int, int], Cell], name: str, said: str) -> Pane:
    """A pane of 8 x 8 matrices by the row and the column that they begin with, wider gaps between the fragments."""
    heads = [sorted({place[axis] for place in cells}) for axis in (0, 1)]
    across, down = fragment(TILING.mma, letter).shape[::-1]
    return Pane(
        letter,
        letter,
        rows=len(heads[0]),
        cols=len(heads[1]),
        cells=[cells[row, col] for row in heads[0] for col in heads[1]],
        note=f"{heads[0][-1] + 8} x {heads[1][-1] + 8}",
        names={"cell": name},
        sentences={"cell": f"`{name}` {said}"},
        row_gaps=tuple(at for at, row in enumerate(heads[0]) if at and row % down == 0),
        col_gaps=tuple(at for at, col in enumerate(heads[1]) if at and col % across == 0),
        row_heads=tuple(map(str, heads[0])),
        col_heads=tuple(map(str, heads[1])),
    )
