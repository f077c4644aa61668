"""Instructions, A, B, C of one warp, each cell of the last three an 8 x 8 matrix; the labels tell the order."""

from __future__ import annotations

import re

from truths.truth import Labels, Truth

REG_OF_A = {(0, 0): 0, (1, 0): 1, (0, 1): 2, (1, 1): 3}  # (half in m, half in k): down first


def truth(choice: tuple[str, ...], labels: Labels) -> Truth:
    name_of = {at: re.match(r"(load [AB] \d|mma \(\d,\d\))", label)[0] for at, label in labels[0].items()}  # type: ignore[index]
    at_name = {name: at for at, name in name_of.items()}
    assert len(at_name) == len(labels[0]) == 24
    a = {i: {(2 * i + down) * 2 + right for down in (0, 1) for right in (0, 1)} for i in range(4)}
    b = {j: {down * 4 + j for down in (0, 1)} for j in range(4)}
    c = {(i, j): {(2 * i + down) * 4 + j for down in (0, 1)} for i in range(4) for j in range(4)}
    mma = {(i, j): at_name[f"mma ({i},{j})"] for i in range(4) for j in range(4)}
    load = {(x, n): at_name[f"load {x} {n}"] for x in "AB" for n in range(4)}
    for (i, j), at in mma.items():  # what is read was loaded before
        assert at > max(load["A", i], load["B", j])

    truth = Truth()
    for i in range(4):
        users = {0: {mma[i, j] for j in range(4)}, 3: set().union(*(c[i, j] for j in range(4)))}
        for down, right in REG_OF_A:
            cell, reg = (2 * i + down) * 2 + right, REG_OF_A[down, right]
            row, col = 16 * i + 8 * down, 8 * right
            name = f"r_a[{i}, {reg}]"
            phrases = f"rows {row} to {row + 7}", f"columns {col} to {col + 7}", f"A({row},{col})"
            filled = f"Instruction {load['A', i] + 1} fills it"
            lit = {"same": {0: {load["A", i]}}, "holds": {1: a[i]}, "meets": users}
            truth.say((1, cell), name, name, *phrases, filled, **lit)
        lit = {"same": {1: a[i]}}
        truth.say((0, load["A", i]), f"load A {i}", f"r_a[{i}]", "ldmatrix_x4", **lit)
    for j in range(4):
        users = {0: {mma[i, j] for i in range(4)}, 3: set().union(*(c[i, j] for i in range(4)))}
        for reg in (0, 1):
            name, filled = f"r_b[{j}, {reg}]", f"Instruction {load['B', j] + 1} fills it"
            phrases = (
                f"rows {8 * reg} to {8 * reg + 7}",
                f"columns {8 * j} to {8 * j + 7}",
                f"B({8 * reg},{8 * j})",
            )
            lit = {"same": {0: {load["B", j]}}, "holds": {2: b[j]}, "meets": users}
            truth.say((2, reg * 4 + j), name, name, *phrases, filled, **lit)
        lit = {"same": {2: b[j]}}
        truth.say((0, load["B", j]), f"load B {j}", f"r_b[{j}]", "ldmatrix_x2_trans", **lit)
    for (i, j), cells in c.items():
        for reg, cell in enumerate(sorted(cells)):
            name, row = f"r_c[{i}, {j}, {reg}]", 16 * i + 8 * reg
            phrases = f"rows {row} to {row + 7}", f"columns {8 * j} to {8 * j + 7}", f"mma ({i},{j})"
            lit = {"same": {0: {mma[i, j]}}, "holds": {3: cells}, "meets": {1: a[i], 2: b[j]}}
            truth.say((3, cell), name, name, *phrases, **lit)
        phrases = f"Instruction {mma[i, j] + 1}", f"r_a[{i}]", f"r_b[{j}]", f"r_c[{i}, {j}]"
        lit = {"same": {3: cells}, "meets": {1: a[i], 2: b[j]}}
        truth.say((0, mma[i, j]), f"mma ({i},{j})", *phrases, **lit)
    return truth
