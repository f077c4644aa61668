"""What ldmatrix leaves in the registers, element by element."""

import numpy as np

from exercises import EXERCISES

MISTAKES = {"wrong-type", "wrong-shape", "wrong-dtype"}


def right():
    found = []
    for rows, trans in EXERCISES["numpy-ldmatrix"].inputs:
        num = len(rows) // 8
        held = np.zeros((32, num, 2), np.int64)
        for lane, reg, half in np.ndindex(held.shape):
            row, col = lane // 4, 2 * (lane % 4) + half
            held[lane, reg, half] = rows[8 * reg + col, row] if trans else rows[8 * reg + row, col]
        found.append(held)
    return found
