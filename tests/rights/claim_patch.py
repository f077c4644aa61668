"""The thread that owns each element of a block of C, from where the element is; -1 beyond the block."""

import numpy as np

MISTAKES = {"outside-the-block", "warps-along-n", "half-of-each-mma", "one-mma", "four-neighbours"}


def right():
    row, col = np.indices((256, 256))
    warp, lane = row // 64 + 2 * (col // 32), 4 * (row % 8) + col % 8 // 2
    return [np.where((row < 128) & (col < 128), 32 * warp + lane, -1)]
