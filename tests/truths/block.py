"""Panes warps, C, lanes. Warps are numbered down M first; each owns a rectangle of mmas of C.

The choice tells the tiling: "2x4 of 4x4" is 2 x 4 warps of 4 x 4 mmas.
"""

from __future__ import annotations

import re
from collections import defaultdict

from lanes.catalog import fragment
from lanes.fragments import WARP
from truths.truth import Labels, Registers, Truth


def truth(choice: tuple[str, ...], labels: Labels) -> Truth:
    warps_m, warps_n, mmas_m, mmas_n = map(int, re.findall(r"\d+", choice[0]))
    part, truth, (m, n) = fragment("m16n8k16", "C"), Truth(), (16 * mmas_m, 8 * mmas_n)
    rows, cols = m * warps_m, n * warps_n
    of_thread: dict[tuple[int, int], set[int]] = defaultdict(set)
    where = {}
    for row in range(rows):
        for col in range(cols):
            warp = row // m + warps_m * (col // n)
            lane, reg, half = part.owner(row % 16, col % 8)
            where[row, col] = warp, lane, reg, half
            of_thread[warp, lane].add(row * cols + col)
    # A warp's cell in the grid of warps.
    corner = {warp: warp % warps_m * warps_n + warp // warps_m for warp in range(warps_m * warps_n)}
    for (row, col), (warp, lane, reg, half) in where.items():
        name, words = f"C({row},{col})", Registers(part).words(reg, half)
        lit = {"holds": {1: of_thread[warp, lane], 2: {lane}}, "meets": {0: {corner[warp]}}}
        truth.say(
            (1, row * cols + col),
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
        top, left = warp % warps_m * m, warp // warps_m * n
        phrases = (
            f"warp {warp}",
            f"threads {32 * warp} to {32 * warp + 31}",
            f"warp_m {warp % warps_m}",
            f"warp_n {warp // warps_m}",
            f"rows {top} to {top + m - 1}",
            f"columns {left} to {left + n - 1}",
        )
        truth.say((0, cell), f"warp {warp}", *phrases, meets=owned)
    for lane in range(WARP):
        owned = {1: set().union(*(cells for (_, one), cells in of_thread.items() if one == lane))}
        truth.say((2, lane), f"lane {lane}", f"lane {lane}", holds=owned)
    return truth
