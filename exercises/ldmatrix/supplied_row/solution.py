"""An answer that passes."""


def supplied_row(lane):
    """Lanes 0-15 supply the rows of the left half, from the top down, and lanes 16-31 those of the right half."""
    row = lane % 16
    col = lane // 16 * 8
    return row, col
