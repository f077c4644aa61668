"""Your answer: fill in what is missing."""


def warp_reads(mmas_m, mmas_n, strides):
    """Return (a_bytes, b_bytes)."""
    a_bytes, b_bytes = 0, 0  # FILL IN (about 4 lines)
    return a_bytes, b_bytes
