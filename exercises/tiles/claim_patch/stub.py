"""Your answer: fill in what is missing."""


def claim_patch(owners, thread):
    """Write the thread's number to each of its 64 elements."""
    warp, lane = thread // 32, thread % 32
    row, col = lane // 4, lane % 4 * 2  # FILL IN (about 8 lines)
    owners[row, col] = warp * 32 + lane
