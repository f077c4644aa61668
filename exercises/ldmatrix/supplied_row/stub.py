"""Your answer: fill in what is missing."""


def supplied_row(lane):
    """Return (row, col): where the row begins that the lane supplies."""
    row, col = 0, 0  # FILL IN (about 2 lines)
    return row, col
