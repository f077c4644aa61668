"""Answers that must fail, each by the name of its mistake."""


def sixteen_in_n(warps_m, warps_n, mmas_m, mmas_n):
    """8 in M and 16 in N."""
    BM, BN = warps_m * mmas_m * 8, warps_n * mmas_n * 16
    return BM, BN, 16, warps_m * warps_n * 32, 32 * (BM + BN), mmas_m * mmas_n * 4


def warps_counted(warps_m, warps_n, mmas_m, mmas_n):
    """Warps in place of threads."""
    BM, BN, BK, threads, smem_bytes, acc_registers = _right(warps_m, warps_n, mmas_m, mmas_n)
    return BM, BN, BK, threads // 32, smem_bytes, acc_registers


def two_bytes_forgotten(warps_m, warps_n, mmas_m, mmas_n):
    """Elements in place of bytes."""
    BM, BN, BK, threads, smem_bytes, acc_registers = _right(warps_m, warps_n, mmas_m, mmas_n)
    return BM, BN, BK, threads, smem_bytes // 2, acc_registers


def three_tiles(warps_m, warps_n, mmas_m, mmas_n):
    """A tile of C beside those of A and B."""
    BM, BN, BK, threads, smem_bytes, acc_registers = _right(warps_m, warps_n, mmas_m, mmas_n)
    return BM, BN, BK, threads, smem_bytes + 2 * BM * BN, acc_registers


def one_mma(warps_m, warps_n, mmas_m, mmas_n):
    """The sums of one mma, as if a warp did no more."""
    return *_right(warps_m, warps_n, mmas_m, mmas_n)[:5], 4


def two_sums_in_a_register(warps_m, warps_n, mmas_m, mmas_n):
    """As many registers as sums in f16 would take."""
    return *_right(warps_m, warps_n, mmas_m, mmas_n)[:5], mmas_m * mmas_n * 2


def the_reference_always(warps_m, warps_n, mmas_m, mmas_n):
    """The numbers of the reference kernel, whatever is asked."""
    return 128, 128, 16, 256, 8192, 64


def _right(warps_m, warps_n, mmas_m, mmas_n):
    BM, BN = warps_m * mmas_m * 16, warps_n * mmas_n * 8
    return BM, BN, 16, warps_m * warps_n * 32, 32 * (BM + BN), mmas_m * mmas_n * 4
