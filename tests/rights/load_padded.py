"""The registers of a fragment of A, two elements in each."""

import numpy as np

from exercises import EXERCISES

MISTAKES = {"forgot-padding", "one-address"}


def right():
    (tile,) = EXERCISES["load-padded"].inputs
    held = np.zeros((32, 4), np.int64)
    for lane, reg in np.ndindex(32, 4):
        row, col = lane // 4 + 8 * (reg % 2), 2 * (lane % 4) + 8 * (reg // 2)
        held[lane, reg] = int(tile[row, col]) + 65536 * int(tile[row, col + 1])
    return [held]
