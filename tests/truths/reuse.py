"""Panes warps and tiles. In tiles, B's fragments stand in the first line and A's first in each other line.

The choice tells the tiling, "2x4 of 4x4": warps of mmas; how a warp's mmas lie; and whether fragments are kept.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict

from truths.truth import Labels, Truth

A_BYTES, B_BYTES = 16 * 16 * 2, 16 * 8 * 2  # of a fragment of m16n8k16


def truth(choice: tuple[str, ...], labels: Labels) -> Truth:
    tiling, walk, fragments = choice
    warps_m, warps_n, mmas_m, mmas_n = map(int, re.findall(r"\d+", tiling))
    down, across = warps_m * mmas_m, warps_n * mmas_n
    warps = warps_m * warps_n
    truth, mmas = Truth(), [(i, j) for i in range(down) for j in range(across)]

    def warp_of(i: int, j: int) -> int:
        return i // mmas_m + warps_m * (j // mmas_n) if walk == "blocked" else (i * across + j) % warps

    def at(i: int, j: int) -> int:
        """The cell of mma (i, j); i is -1 for B's fragments, j is -1 for A's."""
        return (i + 1) * (across + 1) + j + 1

    owned, grid = defaultdict(set), {w: w % warps_m * warps_n + w // warps_m for w in range(warps)}
    a_loads: Counter[tuple[int, int]] = Counter()  # (warp, row of mmas) -> how often
    b_loads: Counter[tuple[int, int]] = Counter()
    for i, j in mmas:
        warp = warp_of(i, j)
        owned[warp].add(at(i, j))
        a_loads[warp, i] += 1
        b_loads[warp, j] += 1
    if fragments == "kept":
        a_loads, b_loads = Counter(dict.fromkeys(a_loads, 1)), Counter(dict.fromkeys(b_loads, 1))
    for i, j in mmas:
        warp, rows, cols = warp_of(i, j), f"rows {16 * i} to {16 * i + 15}", f"columns {8 * j} to {8 * j + 7}"
        lit = {"holds": {0: {grid[warp]}, 1: owned[warp]}, "meets": {1: {at(i, -1), at(-1, j)}}}
        phrases = f"warp {warp}", f"{rows} of A", f"{cols} of B"
        truth.say((1, at(i, j)), f"C {rows}, {cols}", *phrases, **lit)
    for letter, loads, count, size, bytes_each in (
        ("A", a_loads, down, 16, A_BYTES),
        ("B", b_loads, across, 8, B_BYTES),
    ):
        for one in range(count):
            readers = sorted(warp for warp, which in loads if which == one)
            times = sum(number for (_, which), number in loads.items() if which == one)
            cell, met = (
                (at(one, -1), {at(one, j) for j in range(across)})
                if letter == "A"
                else (at(-1, one), {at(i, one) for i in range(down)})
            )
            side = "rows" if letter == "A" else "columns"
            name = f"{letter} {side} {size * one} to {size * one + size - 1}"
            phrases = (
                name,
                f"{bytes_each} bytes",
                "once" if times == 1 else f"{times} times",
                f"warp{'s' * (len(readers) > 1)} {', '.join(map(str, readers))}",
            )
            truth.say((1, cell), name, *phrases, meets={0: {grid[warp] for warp in readers}, 1: met})
    for warp in range(warps):
        a = sum(number for (one, _), number in a_loads.items() if one == warp)
        b = sum(number for (one, _), number in b_loads.items() if one == warp)
        read = {at(i, -1) for one, i in a_loads if one == warp} | {
            at(-1, j) for one, j in b_loads if one == warp
        }
        phrases = (
            f"warp {warp}",
            f"threads {32 * warp} to {32 * warp + 31}",
            f"{mmas_m * mmas_n} mmas",
            f"{a} fragments of A and {b} of B",
            f"{A_BYTES * a} + {B_BYTES * b} = {A_BYTES * a + B_BYTES * b} bytes",
        )
        truth.say((0, grid[warp]), f"warp {warp}", *phrases, holds={1: owned[warp]}, meets={1: read})
    return truth
