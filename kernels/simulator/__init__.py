"""Numba's CUDA simulator with a scheduler under it that knows warps.

`memory` is what a kernel reads and writes, `hazards` watches who did so since the last barrier, `block` runs the
threads, `module` is the `cuda` that a simulated kernel sees, and `install` puts them under `numba.cuda`.
"""
