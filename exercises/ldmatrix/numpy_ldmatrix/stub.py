"""Your answer: fill in what is missing."""

import numpy as np


def numpy_ldmatrix(rows, trans):
    """rows: (8*num, 8). Return (32, num, 2), of the same dtype."""
    num = len(rows) // 8
    # FILL IN (about 4 lines)
    return np.zeros((32, num, 2), rows.dtype)
