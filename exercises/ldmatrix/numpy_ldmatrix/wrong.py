"""Answers that must fail, each by the name of its mistake."""

import numpy as np


def every_lane_keeps_its_row(rows, trans):
    """Lane i supplies row i, so it seems to receive it."""
    return rows.reshape(32, -1, 2).copy()


def matrices_across_first(rows, trans):
    """Register 1 from matrix 2, as if the matrices of A went across before they go down."""
    registers = _right(rows, trans)
    return registers[:, [0, 2, 1, 3]] if registers.shape[1] == 4 else registers


def high_half_first(rows, trans):
    """Half 0 is the low one, and holds the first of two neighbours."""
    return _right(rows, trans)[:, :, ::-1]


def trans_forgotten(rows, trans):
    """The same with and without .trans."""
    return _right(rows, False)


def trans_always(rows, trans):
    """The same without and with .trans."""
    return _right(rows, True)


def the_input_itself(rows, trans):
    """The rows, as they lie in memory."""
    return rows


def _right(rows, trans):
    matrices = np.split(rows, len(rows) // 8)
    return np.stack([(matrix.T if trans else matrix).reshape(32, 2) for matrix in matrices], axis=1)
