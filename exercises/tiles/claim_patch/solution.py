"""An answer that passes."""


def claim_patch(owners, thread):
    """A warp's corner, then its mmas, then the four elements of a lane in each."""
    warp, lane = thread // 32, thread % 32
    row = warp % 2 * 64 + lane // 4
    col = warp // 2 * 32 + lane % 4 * 2
    for i in range(4):
        for j in range(4):
            for below in range(2):
                for right in range(2):
                    owners[row + i * 16 + below * 8, col + j * 8 + right] = thread
