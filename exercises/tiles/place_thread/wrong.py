"""Answers that must fail, each by the name of its mistake."""


def along_n_first(thread):
    """Warps numbered as one reads: four in a row, then the next row."""
    return _place(thread, thread // 32 // 4, thread // 32 % 4)


def two_across(thread):
    """The right numbers for the wrong sides: four warps down, two across."""
    return _place(thread, thread // 32 // 2, thread // 32 % 2)


def a_warp_is_one_mma(thread):
    """The next warp one mma further, as if it owned no more than that."""
    warp, lane = thread // 32, thread % 32
    return warp, lane, warp % 2, warp // 2, warp % 2 * 16 + lane // 4, warp // 2 * 8 + lane % 4 * 2


def lanes_forgotten(thread):
    """Where the warp's part begins, for all of its lanes."""
    warp, lane = thread // 32, thread % 32
    return warp, lane, warp % 2, warp // 2, warp % 2 * 64, warp // 2 * 32


def col_before_row(thread):
    """The right numbers in the wrong order."""
    warp, lane, warp_m, warp_n, row, col = _place(thread, thread // 32 % 2, thread // 64)
    return warp, lane, warp_m, warp_n, col, row


def the_same_for_all(thread):
    """The place of thread 0."""
    return 0, 0, 0, 0, 0, 0


def _place(thread, warp_m, warp_n):
    lane = thread % 32
    return thread // 32, lane, warp_m, warp_n, warp_m * 64 + lane // 4, warp_n * 32 + lane % 4 * 2
