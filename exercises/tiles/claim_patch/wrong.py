"""Answers that must fail, each by the name of its mistake."""


def along_n_first(owners, thread):
    """Warps numbered as one reads: four in a row, then the next row."""
    warp, lane = thread // 32, thread % 32
    row, col = warp // 4 * 64 + lane // 4, warp % 4 * 32 + lane % 4 * 2
    for mma in range(16):
        for k in range(4):
            owners[row + mma // 4 * 16 + k // 2 * 8, col + mma % 4 * 8 + k % 2] = thread


def two_across(owners, thread):
    """warp_m and warp_n exchanged: four warps down, two across."""
    warp, lane = thread // 32, thread % 32
    row, col = warp // 2 * 64 + lane // 4, warp % 2 * 32 + lane % 4 * 2
    for mma in range(16):
        for k in range(4):
            owners[row + mma // 4 * 16 + k // 2 * 8, col + mma % 4 * 8 + k % 2] = thread


def upper_rows_only(owners, thread):
    """Two elements in each mma: those eight rows below are forgotten."""
    warp, lane = thread // 32, thread % 32
    row, col = warp % 2 * 64 + lane // 4, warp // 2 * 32 + lane % 4 * 2
    for mma in range(16):
        for right in range(2):
            owners[row + mma // 4 * 16, col + mma % 4 * 8 + right] = thread


def the_first_mma_only(owners, thread):
    """One mma a warp, at the corner of its part."""
    warp, lane = thread // 32, thread % 32
    row, col = warp % 2 * 64 + lane // 4, warp // 2 * 32 + lane % 4 * 2
    for k in range(4):
        owners[row + k // 2 * 8, col + k % 2] = thread


def four_in_a_row(owners, thread):
    """Four neighbours in one row of the mma, two lanes a row."""
    warp, lane = thread // 32, thread % 32
    row, col = warp % 2 * 64 + lane // 2, warp // 2 * 32 + lane % 2 * 4
    for mma in range(16):
        for right in range(4):
            owners[row + mma // 4 * 16, col + mma % 4 * 8 + right] = thread


def nothing_claimed(owners, thread):
    """A number that is worked out and never written."""
    return
