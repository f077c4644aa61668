"""Answers that must fail, each by the name of its mistake."""


def what_the_lane_receives(lane):
    """The first element of the lane's own fragment."""
    return lane // 4, lane % 4 * 2


def matrices_across_first(lane):
    """Matrix 1 to the right of matrix 0, as one reads. A's go down the column first."""
    return lane % 8 + lane // 16 * 8, lane // 8 % 2 * 8


def col_before_row(lane):
    """The right numbers in the wrong order."""
    return lane // 16 * 8, lane % 16


def a_pile_of_32_rows(lane):
    """The four matrices in one pile, as in PTX's picture of ldmatrix. The tile is 2 by 2 of them."""
    return lane, 0


def the_same_for_all(lane):
    """One address, as if ldmatrix read the rest of the tile from there by itself."""
    return 0, 0
