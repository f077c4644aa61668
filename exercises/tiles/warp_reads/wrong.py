"""Answers that must fail, each by the name of its mistake."""


def strides_ignored(mmas_m, mmas_n, strides):
    """As if it made no difference where the mmas lie."""
    return mmas_m * 512, mmas_n * 256


def nothing_kept(mmas_m, mmas_n, strides):
    """Both fragments for each mma, always."""
    return mmas_m * mmas_n * 512, mmas_m * mmas_n * 256


def two_bytes_forgotten(mmas_m, mmas_n, strides):
    """Elements in place of bytes."""
    a_bytes, b_bytes = _right(mmas_m, mmas_n, strides)
    return a_bytes // 2, b_bytes // 2


def b_before_a(mmas_m, mmas_n, strides):
    """The right numbers in the wrong order."""
    return _right(mmas_m, mmas_n, strides)[::-1]


def a_fragment_for_each_column(mmas_m, mmas_n, strides):
    """A's fragments counted along N and B's along M."""
    return _right(mmas_m, mmas_n, strides) if strides else (mmas_n * 512, mmas_m * 256)


def the_reference_always(mmas_m, mmas_n, strides):
    """The bytes of the reference kernel, whatever is asked."""
    return 2048, 1024


def _right(mmas_m, mmas_n, strides):
    mmas = mmas_m * mmas_n
    return (mmas * 512, mmas * 256) if strides else (mmas_m * 512, mmas_n * 256)
