"""Panes warps, C, lanes. Warps are numbered down M first; each owns 64 x 32 of the 128 x 128."""

from __future__ import annotations

from collections import defaultdict

from lanes.catalog import fragment
from lanes.fragments import WARP
from lanes.tiling import REFERENCE
from truths.truth import Labels, Registers, Truth


def truth(choice: tuple[str, ...], labels: Labels) -> Truth:
    part, truth, (m, n) = fragment("m16n8k16", "C"), Truth(), REFERENCE.warp_tile
    of_thread: dict[tuple[int, int], set[int]] = defaultdict(set)
    where = {}
    for row in range(128):
        for col in range(128):
            warp = row // m + 2 * (col // n)
            lane, reg, half = part.owner(row % 16, col % 8)
            where[row, col] = warp, lane, reg, half
            of_thread[warp, lane].add(row * 128 + col)
    corner = {0: 0, 1: 4, 2: 1, 3: 5, 4: 2, 5: 6, 6: 3, 7: 7}  # warp -> its cell in a grid of 2 x 4
    for (row, col), (warp, lane, reg, half) in where.items():
        name, words = f"C({row},{col})", Registers(part).words(reg, half)
        lit = {"holds": {1: of_thread[warp, lane], 2: {lane}}, "meets": {0: {corner[warp]}}}
        truth.say(
            (1, row * 128 + col),
            name,
            name,
            f"warp {warp}",
            f"lane {lane}",
            words,
            f"thread {32 * warp + lane}",
            **lit,
        )
    for warp, cell in corner.items():
        owned = {1: set().union(*(cells for (w, _), cells in of_thread.items() if w == warp))}
        truth.say(
            (0, cell), f"warp {warp}", f"warp {warp}", f"threads {32 * warp} to {32 * warp + 31}", meets=owned
        )
    for lane in range(WARP):
        owned = {1: set().union(*(cells for (_, one), cells in of_thread.items() if one == lane))}
        truth.say((2, lane), f"lane {lane}", f"lane {lane}", holds=owned)
    return truth
