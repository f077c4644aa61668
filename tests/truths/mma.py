"""A, B, C and the lanes."""

from __future__ import annotations

from lanes.catalog import fragment
from lanes.fragments import WARP
from truths.truth import Labels, Registers, Truth


def truth(choice: tuple[str, ...], labels: Labels) -> Truth:
    shape, acc = choice
    parts = [fragment(shape, letter, dtype=acc if letter == "C" else "f16") for letter in "ABC"]
    (m, n), k = parts[2].shape, parts[0].shape[1]
    truth = Truth()
    owner = [{(r, c): p.owner(r, c) for r in range(p.shape[0]) for c in range(p.shape[1])} for p in parts]
    holds: dict[int, dict[int, set[int]]] = {lane: {3: {lane}} for lane in range(WARP)}
    for pane, part in enumerate(parts):
        for (row, col), (lane, _, _) in owner[pane].items():
            holds[lane].setdefault(pane, set()).add(row * part.shape[1] + col)
    a_row = {i: {i * k + j for j in range(k)} for i in range(m)}
    b_col = {j: {i * n + j for i in range(k)} for j in range(n)}
    meets = [
        lambda row, col: {2: {row * n + j for j in range(n)}, 1: {col * n + j for j in range(n)}},
        lambda row, col: {2: {i * n + col for i in range(m)}, 0: {i * k + row for i in range(m)}},
        lambda row, col: {
            0: a_row[row],
            1: b_col[col],
            3: {owner[0][row, j][0] for j in range(k)} | {owner[1][j, col][0] for j in range(k)},
        },
    ]
    for pane, part in enumerate(parts):
        for (row, col), (lane, reg, half) in owner[pane].items():
            words = f"lane {lane}", Registers(part).words(reg, half)
            name = f"{'ABC'[pane]}({row},{col})"
            at = pane, row * part.shape[1] + col
            truth.say(at, name, name, *words, holds=holds[lane], meets=meets[pane](row, col))
    for lane in range(WARP):
        truth.say((3, lane), f"lane {lane}", f"lane {lane}", holds=holds[lane])
    return truth
