"""An answer that passes."""


def warp_reads(mmas_m, mmas_n, strides):
    """A fragment of A is 16 by 16 halves, one of B 16 by 8."""
    a_loads, b_loads = (mmas_m * mmas_n, mmas_m * mmas_n) if strides else (mmas_m, mmas_n)
    return a_loads * 16 * 16 * 2, b_loads * 16 * 8 * 2
