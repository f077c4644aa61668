"""An answer that passes."""


def place_thread(thread):
    """Two warps down, four across; a warp owns 64 by 32; a lane begins at its place in the first mma."""
    warp, lane = thread // 32, thread % 32
    warp_m, warp_n = warp % 2, warp // 2
    row = warp_m * 64 + lane // 4
    col = warp_n * 32 + lane % 4 * 2
    return warp, lane, warp_m, warp_n, row, col
