"""Your answer: fill in what is missing."""


def place_thread(thread):
    """Return (warp, lane, warp_m, warp_n, row, col)."""
    warp, lane = thread // 32, thread % 32
    warp_m, warp_n = 0, 0  # FILL IN (about 4 lines)
    row, col = 0, 0
    return warp, lane, warp_m, warp_n, row, col
