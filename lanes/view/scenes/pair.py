"""The scene of two m16n8k8 in place of one m16n8k16: which registers each takes, and which k that is."""

from lanes.catalog import fragment
from lanes.view.pane import NOTHING, Cell, Pane
from lanes.view.scene import Control, Link, Scene, Variant, linked
from lanes.view.scenes.registers import slot_words

ONE, TWO = "one m16n8k16", "two m16n8k8"
CALLS = {ONE: ("the m16n8k16",), TWO: ("the first m16n8k8", "the second m16n8k8")}
WHOLE = {letter: fragment("m16n8k16", letter) for letter in "ABC"}


def pair_scene() -> Scene:
    """Return the scene: one m16n8k16, and the two m16n8k8 that make the same product.

    >>> pair_scene().variant("two m16n8k8").lit("A(0,9)")["same"]
    ['reg 2 of A']
    """
    control = Control("by", "instructions", (ONE, TWO), {"sm_75": TWO, "sm_80": ONE, "sm_90": ONE})
    return Scene(
        "pair",
        "One m16n8k16, or two m16n8k8",
        "A head of the operands is a register of the lane, and the cell below it is what the instruction that takes it "
        "calls it. The number in a cell of a matrix is the lane that holds the element.",
        (control,),
        tuple(_variant(option) for option in control.options),
        (ONE,),
    )


def _variant(option: str) -> Variant:
    shape = option.split()[-1]
    links = [
        *linked(["A", "B", "C"], "lane", "holds"),
        *(Link(one, "operands", "register", "same") for one in "AB"),
        *(Link("operands", one, "register", "holds") for one in "AB"),
        *(link for one in "ABC" for link in _both(one, "operands", "calls", "call")),
        *_both("operands", "operands", "calls", "call"),
        *_both("A", "C", "row", "row"),
        *_both("B", "C", "col", "col"),
        *_both("A", "B", "col", "row"),
    ]
    count = len(CALLS[option])
    panes = (*(_matrix(letter, shape, CALLS[option]) for letter in "AB"), _operands(shape, CALLS[option]))
    steps = [_step(shape, call) for call in range(count)] if count > 1 else []
    return Variant((option,), (*panes, _sums(shape, count)), tuple(links), "A(0,9)", tuple(steps))


def _both(one: str, other: str, on_one: str, on_other: str) -> list[Link]:
    return [Link(one, other, (on_one, on_other), "meets"), Link(other, one, (on_other, on_one), "meets")]


def _depth(shape: str) -> int:
    """How many k one instruction takes."""
    return fragment(shape, "A").shape[1]


def _taken(letter: str, shape: str, row: int, col: int) -> tuple[int, int]:
    """Which instruction takes an element, and which register of that instruction's operand it is in."""
    part = fragment(shape, letter)
    call, k = divmod(col if letter == "A" else row, _depth(shape))
    lane, reg, half = part.owner(row, k) if letter == "A" else part.owner(k, col)
    # What the lanes hold is the same for both: only the number of the register is another.
    assert WHOLE[letter].owner(row, col) == (lane, call * part.registers + reg, half)
    return call, reg


def _step(shape: str, call: int) -> str:
    depth, regs = _depth(shape), {}
    for letter in "AB":
        count = fragment(shape, letter).registers
        regs[letter] = " and ".join(str(call * count + reg) for reg in range(count))
    first = call * depth
    return (
        f"{CALLS[TWO][call].capitalize()} takes registers {regs['A']} of A and register {regs['B']} of B: "
        f"k from {first} to {first + depth - 1}. "
        + ("It adds to what C held." if call == 0 else "It adds to what the first has left in C.")
    )


def _matrix(letter: str, shape: str, calls: tuple[str, ...]) -> Pane:
    part = WHOLE[letter]
    rows, cols = part.shape
    cells: list[Cell] = []
    for row in range(rows):
        for col in range(cols):
            lane, reg, half = part.owner(row, col)
            call, own = _taken(letter, shape, row, col)
            cells.append(
                {
                    "kind": "cell",
                    "text": str(lane),
                    "row": row,
                    "col": col,
                    "lane": lane,
                    "slot": slot_words(2, reg, half),
                    "register": f"{letter}{reg}",
                    "calls": call,
                    "by": calls[call],
                    "own": f"%R{letter.lower()}{own}",
                    "step": call + 1,
                }
            )
    return _pane(
        letter,
        rows,
        cols,
        cells,
        f"`{letter}({{row}},{{col}})` is held by **lane {{lane}}** in **{{slot}}**. "
        "That register goes to **{by}**, as its `{own}`.",
    )


def _sums(shape: str, count: int) -> Pane:
    part, depth = WHOLE["C"], _depth(shape)
    rows, cols = part.shape
    said = [f"k {call * depth} to {(call + 1) * depth - 1} in {CALLS[TWO][call]}" for call in range(2)]
    cells: list[Cell] = [
        {
            "kind": "cell",
            "text": str(part.owner(row, col)[0]),
            "row": row,
            "col": col,
            "lane": part.owner(row, col)[0],
            "calls": list(range(count)),
            "products": depth * count,
            "how": "all in one instruction" if count == 1 else f"{said[0]}, then {said[1]}",
        }
        for row in range(rows)
        for col in range(cols)
    ]
    sentence = "`C({row},{col})`, in **lane {lane}**, gets {products} products, {how}."
    return _pane("C", rows, cols, cells, sentence)


def _pane(letter: str, rows: int, cols: int, cells: list[Cell], sentence: str) -> Pane:
    return Pane(
        letter,
        letter,
        rows=rows,
        cols=cols,
        cells=cells,
        note=f"{rows} x {cols}, f16",
        names={"cell": f"{letter}({{row}},{{col}})"},
        sentences={"cell": sentence},
        colour="lane",
        row_gaps=tuple(range(8, rows, 8)),
        col_gaps=tuple(range(8, cols, 8)),
        row_heads=tuple(map(str, range(rows))),
        col_heads=tuple(map(str, range(cols))),
    )


def _operands(shape: str, calls: tuple[str, ...]) -> Pane:
    """An instruction a line: first itself, then the registers of A and of B that it takes."""
    heads = [(letter, reg) for letter in "AB" for reg in range(WHOLE[letter].registers)]
    cells: list[Cell] = []
    for call, name in enumerate(calls):
        depth = _depth(shape)
        cells.append(
            {
                "kind": "cell",
                "text": "mma" if len(calls) == 1 else ("1st", "2nd")[call],
                "name": name,
                "said": f"multiplies columns {call * depth} to {call * depth + depth - 1} of A with those rows of B, "
                "and adds to every element of C.",
                "call": call,
                "step": call + 1,
            }
        )
        for letter, reg in heads:
            own = reg - call * fragment(shape, letter).registers
            taken = 0 <= own < fragment(shape, letter).registers
            cells.append(_register(letter, reg, own, call, name) if taken else NOTHING)
    return Pane(
        "operands",
        "operands",
        rows=len(calls),
        cols=1 + len(heads),
        cells=cells,
        names={"cell": "{name}"},
        sentences={"cell": "**{name}** {said}"},
        col_gaps=(1, 1 + WHOLE["A"].registers),
        col_heads=("", *(f"{letter}{reg}" for letter, reg in heads)),
    )


def _register(letter: str, reg: int, own: int, call: int, taker: str) -> Cell:
    part = WHOLE[letter]
    top, left = part.blocks[reg]
    return {
        "kind": "cell",
        "text": f"R{letter.lower()}{own}",
        "name": f"reg {reg} of {letter}",
        "said": f"holds rows {top} to {top + 7}, columns {left} to {left + 7}, two elements in each lane. "
        f"It goes to {taker}, as its %R{letter.lower()}{own}.",
        "register": f"{letter}{reg}",
        "calls": call,
        "step": call + 1,
    }
