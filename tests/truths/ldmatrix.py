"""The tile is A of m16n8k16, its matrices in register order. The labels tell where scattered rows lie."""

from __future__ import annotations

import re
from collections import defaultdict

from lanes.catalog import fragment, ldmatrix_row
from lanes.fragments import WARP
from truths.truth import Labels, Registers, Truth


def truth(choice: tuple[str, ...], labels: Labels) -> Truth:
    num, trans, rows = choice
    load, tile = ldmatrix_row(int(num[1:]), trans=trans == ".trans"), fragment("m16n8k16", "A")
    registers, truth = Registers(load.fragment), Truth()
    at_name = {
        re.match(r"A\(\d+,\d+\)|address from lane \d+", label)[0]: cell for cell, label in labels[0].items()
    }  # type: ignore[index]
    width = 19 if rows == "padded" else 18

    def element_cell(row: int, col: int) -> int:
        cell = at_name[f"A({row},{col})"]
        assert rows == "scattered" or cell == row * width + 1 + col + col // 8
        return cell

    row_of: dict[int, set[int]] = {}  # lane -> the eight cells whose address it supplies, with its badge
    badge_of = {lane: at_name[f"address from lane {lane}"] for lane in range(8 * load.num)}
    slots_of: dict[int, set[int]] = defaultdict(set)
    got: dict[int, dict[int, set[int]]] = {lane: {0: set(), 1: registers.line(lane)} for lane in range(WARP)}
    elements = []
    for lane in badge_of:
        place = load.supplier(lane)
        assert place is not None
        matrix, i = place
        top, left = tile.blocks[matrix]
        cells = [element_cell(top + i, left + j) for j in range(8)]
        # Memory: the eight lie side by side, right behind the badge.
        assert [*range(badge_of[lane], badge_of[lane] + 9)] == [badge_of[lane], *cells]
        row_of[lane] = {badge_of[lane], *cells}
        for j, cell in enumerate(cells):
            receiver, reg, half = load.receiver(matrix, i, j)
            assert load.element(receiver, reg, half) == (matrix, i, j)
            slot = registers.slot(receiver, reg, half)
            got[receiver][0].add(cell)
            slots_of[lane].add(slot)
            elements.append(
                (f"A({top + i},{left + j})", cell, slot, lane, receiver, registers.words(reg, half))
            )
    for name, cell, slot, supplier, receiver, words in elements:
        supplies = {0: row_of[supplier], 1: {registers.lane(supplier)}}
        phrases = name, f"address lane {supplier} supplies", f"lane {receiver}", words
        truth.say((0, cell), name, *phrases, same={1: {slot}}, holds=got[receiver], supplies=supplies)
        truth.say(
            (1, slot),
            f"lane {receiver}, {words}",
            *phrases,
            same={0: {cell}},
            holds=got[receiver],
            supplies=supplies,
        )
    for lane in range(WARP):
        own = {0: row_of[lane], 1: {registers.lane(lane)}} if lane in row_of else {}
        phrase = f"lane {lane} supplies" + ("" if own else " no address")
        # A lane that is pointed at supplies a row of memory; in the registers that is the lane itself.
        row = {0: row_of.get(lane, set())}
        truth.say((1, registers.lane(lane)), f"lane {lane}", phrase, holds=got[lane], supplies=row)
        if own:
            receivers = sorted({one[4] for one in elements if one[3] == lane})
            phrases = f"lane {lane} supplies", f"lanes {', '.join(map(str, receivers))}"
            lit = {"supplies": own, "meets": {1: slots_of[lane]}}
            truth.say((0, badge_of[lane]), f"address from lane {lane}", *phrases, **lit)
    return truth
