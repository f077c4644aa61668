"""The backend of the kernel tests: a GPU if there is one or if LANES_BACKEND says so, else the simulator."""

from __future__ import annotations

import linecache
from pathlib import Path

import numpy as np
import pytest

from kernels import backend
from kernels.adapter import cuda
from kernels.hgemm import reference

POISON = np.float16(np.nan)


def pytest_collection_modifyitems(items):
    """Tests of the simulator itself are not collected on a GPU, nor those of a GPU in the simulator."""
    other = "gpu" if backend.simulated() else "simulator"
    items[:] = [item for item in items if not item.get_closest_marker(other)]


@pytest.fixture
def run():
    """``run(make, acc, pad, a, b)``: C from a kernel made by `make`, into memory that was NaN before."""

    def run(make, acc, pad, a, b):
        c = cuda.to_device(np.full((a.shape[0], b.shape[1]), POISON))
        kernel = cuda.jit(launch_bounds=reference.LAUNCH_BOUNDS)(make(acc, pad))
        grid = (b.shape[1] // reference.BN, a.shape[0] // reference.BM)
        kernel[grid, reference.TILING.threads](cuda.to_device(a), cuda.to_device(b), c, np.int32(a.shape[1]))
        return c.copy_to_host()

    return run


@pytest.fixture
def mutated():
    """``mutated(old, new)``: `make` of the reference kernel with that one change in its source."""

    def mutated(old, new):
        source = Path(reference.__file__).read_text()
        assert source.count(old) == 1, f"{old!r} stands {source.count(old)} times in the kernel"
        source = source.replace(old, new)
        name = f"<reference with {new!r}>"
        linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
        namespace = {"__name__": "kernels.hgemm.mutated"}
        exec(compile(source, name, "exec"), namespace)
        return namespace["make"]

    return mutated
