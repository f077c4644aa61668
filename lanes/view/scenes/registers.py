"""The pane that every scene of registers shares: 32 lanes down, their registers and halves across."""

from collections.abc import Callable

import numpy as np

from lanes.fragments import WARP
from lanes.view.pane import Cell, Pane
from lanes.view.scene import Slider

HALVES = ("low", "high")


def slot_words(elements: int, reg: int, half: int) -> str:
    """Return how a sentence calls a place in a lane's registers, of 1 or 2 elements a register.

    >>> slot_words(2, 2, 1), slot_words(1, 3, 0)
    ('reg 2, high half', 'reg 3')
    """
    return f"reg {reg}, {HALVES[half]} half" if elements == 2 else f"reg {reg}"


def registers_pane(
    registers: int,
    elements: int,
    *,
    lane: Callable[[int], Cell],
    slot: Callable[[int, int, int], Cell],
    note: str,
    sentences: dict[str, str],
) -> Pane:
    """Return pane "registers": 32 rows, a cell for the lane and one for each element that it holds.

    lane(lane) and slot(lane, reg, half) give the cells; kind, lane, reg and half are added to what they give.
    sentences are the templates of kinds "lane" and "cell".
    """
    cells: list[Cell] = []
    for number in range(WARP):
        cells.append({"kind": "lane", "text": str(number), "lane": number, **lane(number)})
        for reg, half in np.ndindex(registers, elements):
            place: Cell = {"kind": "cell", "lane": number, "reg": reg, "half": half}
            cells.append(place | {"slot": slot_words(elements, reg, half)} | slot(number, reg, half))
    heads = [
        f"{reg} {('lo', 'hi')[half]}" if elements == 2 else f"{reg}"
        for reg, half in np.ndindex(registers, elements)
    ]
    return Pane(
        "registers",
        "registers",
        rows=WARP,
        cols=1 + registers * elements,
        cells=cells,
        names={"lane": "lane {lane}", "cell": "lane {lane}, {slot}"},
        sentences=sentences,
        note=note,
        row_gaps=tuple(range(4, WARP, 4)),
        col_gaps=tuple(range(1, 1 + registers * elements, elements)),
        col_heads=("lane", *heads),
    )


def lane_slider(pane: Pane) -> Slider:
    """Return the slider over the lanes of that pane.

    >>> from lanes.view.scenes.ldmatrix import ldmatrix_scene
    >>> lane_slider(ldmatrix_scene().variant().pane("registers")).cells[:3]
    (0, 9, 18)
    """
    return Slider("lane", "lane", pane.name, tuple(range(0, pane.rows * pane.cols, pane.cols)))
