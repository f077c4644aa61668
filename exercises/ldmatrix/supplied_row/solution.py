"""An answer that passes."""


def supplied_row(lane):
    """Lanes 0-15 supply the rows on the left, lanes 16-31 those on the right."""
    row = lane % 16
    col = lane // 16 * 8
    return row, col
