"""`at`: what the simulator takes as an index, the compiler takes, and what one refuses, the other refuses."""

import subprocess
import sys

import numpy as np
import pytest

from kernels import backend
from kernels.adapter import cuda, uint32
from kernels.ptx import at, ldmatrix_x1

# Compiled in a process of its own: an index that fits its array, a plain number, and two that do not fit.
COMPILE = """
import re
from kernels import backend
backend.fix("compile")
from kernels import toolchain
from kernels.adapter import cuda, types, uint16, uint32
from kernels.ptx import at, ldmatrix_x1

def kernel(register, tile):
    def body(out):
        r, t = cuda.local.array(1, uint32), cuda.shared.array((8, 8), uint16, alignment=16)
        ldmatrix_x1(at(r, register), at(t, tile))
        out[0] = r[0]
    return body

for register, tile in ((0, (0, 0)), ((0,), (0, 0)), (0, 0), ((0, 0), (0, 0))):
    try:
        toolchain.ltoir(kernel(register, tile), types.void(uint32[::1]), "sm_80")
        print("compiled")
    except Exception as refusal:
        print(re.search(r"an array of .* indices", str(refusal))[0])
"""


def test_the_compiler_takes_a_plain_number_for_one_dimension_and_refuses_another_count():
    done = subprocess.run([sys.executable, "-c", COMPILE], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "compiled",
        "compiled",
        "an array of 2 dimensions is indexed with 1 indices",
        "an array of 1 dimensions is indexed with 2 indices",
    ]


def run(register, tile):
    def kernel(a, out):
        r = cuda.local.array(1, uint32)
        t = cuda.shared.array((8, 8), np.uint16, alignment=16)
        lane = cuda.threadIdx.x
        if lane < 8:
            for col in range(8):
                t[lane, col] = a[lane, col]
        cuda.syncthreads()
        ldmatrix_x1(at(r, register), at(t, tile))
        out[lane] = r[0]

    out = cuda.to_device(np.zeros(32, np.uint32))
    cuda.jit(kernel)[1, 32](cuda.to_device(np.arange(64, dtype=np.uint16).reshape(8, 8)), out)
    return out.copy_to_host()


@pytest.mark.simulator
def test_the_simulator_takes_and_refuses_the_same():
    assert backend.simulated()
    assert (run(0, (0, 0)) == run((0,), (0, 0))).all()
    for register, tile in ((0, 0), ((0, 0), (0, 0))):
        with pytest.raises(IndexError, match=r"is indexed with \d indices"):
            run(register, tile)
