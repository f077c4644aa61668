"""An answer that passes."""


def numpy_ldmatrix(rows, trans):
    """Cut every matrix into 32 pairs of neighbours, one pair a lane."""
    num = len(rows) // 8
    matrices = rows.reshape(num, 8, 8)
    if trans:
        matrices = matrices.transpose(0, 2, 1)
    return matrices.reshape(num, 32, 2).transpose(1, 0, 2).copy()
