"""bf16 mma: exact on small integers, and on sm_75, which has none, by lanes that exchange registers."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import lanes
from kernels import ptx
from kernels.adapter import cuda, f32, uint32
from kernels.ptx import at
from kernels.raw import Image, numba_array

ROOT = Path(__file__).parents[2]
SHAPES = ("m16n8k16", "m16n8k8")


def make(shape, dtype="bf16"):
    """One warp: registers of A, B and C from memory, C += A @ B, C's registers back."""
    multiply = getattr(ptx, f"mma_{shape}_f32_{dtype}")
    a_regs, b_regs = {"m16n8k16": (4, 2), "m16n8k8": (2, 1)}[shape]

    def kernel(a, b, c):
        r_a = cuda.local.array(a_regs, uint32)
        r_b = cuda.local.array(b_regs, uint32)
        r_c = cuda.local.array(4, f32)
        lane = cuda.threadIdx.x
        for reg in range(a_regs):
            r_a[reg] = a[lane, reg]
        for reg in range(b_regs):
            r_b[reg] = b[lane, reg]
        for reg in range(4):
            r_c[reg] = c[lane, reg]
        multiply(at(r_c, (0,)), at(r_a, (0,)), at(r_b, (0,)))
        for reg in range(4):
            c[lane, reg] = r_c[reg]

    return kernel


def matrices(shape, seed=0):
    """A, B, C of integers that bf16 holds, all different from their neighbours', and A @ B + C in integers."""
    rng = np.random.default_rng(seed)
    k = int(shape.split("k")[1])
    a, b, c = (
        rng.integers(-256, 257, (16, k)),
        rng.integers(-16, 17, (k, 8)),
        rng.integers(-(2**20), 2**20, (16, 8)),
    )
    return a, b, c, a @ b + c


def registers(shape, a, b, c):
    """The matrices as a warp holds them, by PTX's formulas: (32, n) uint32, uint32, float32."""
    k = a.shape[1]
    a, b = a.astype(ml_dtypes.bfloat16), b.astype(ml_dtypes.bfloat16)
    r_a = np.zeros((32, k // 4, 2), ml_dtypes.bfloat16)
    r_b = np.zeros((32, k // 8, 2), ml_dtypes.bfloat16)
    r_c = np.zeros((32, 4), np.float32)
    for lane in range(32):
        group, member = lane // 4, lane % 4  # PTX's groupID and threadID_in_group
        for i in range(k // 2):
            row = group + 8 * (i % 4 >= 2)
            r_a[lane, i // 2, i % 2] = a[row, member * 2 + i % 2 + 8 * (i >= 4)]
        for i in range(k // 4):
            r_b[lane, i // 2, i % 2] = b[member * 2 + i % 2 + 8 * (i >= 2), group]
        for i in range(4):
            r_c[lane, i] = c[group + 8 * (i >= 2), member * 2 + i % 2]
    return r_a.view(np.uint32)[..., 0], r_b.view(np.uint32)[..., 0], r_c


def held(c):
    """C (16, 8) in registers, (32, 4)."""
    return registers("", np.zeros((16, 8)), np.zeros((8, 8)), c)[2]


@pytest.mark.parametrize("shape", SHAPES)
def test_small_integers_are_exact(shape):
    a, b, c, product = matrices(shape)
    r_a, r_b, r_c = map(cuda.to_device, registers(shape, a, b, c))
    cuda.jit(make(shape))[1, 32](r_a, r_b, r_c)
    assert r_c.copy_to_host().tolist() == held(product).tolist()


@pytest.mark.simulator
@pytest.mark.parametrize("shape", SHAPES)
def test_bits_of_f16_are_other_numbers(shape):
    """The type is in the instruction's name alone: the registers carry bits."""
    a, b, c, product = matrices(shape)
    r_a, r_b, r_c = map(cuda.to_device, registers(shape, a, b, c))
    cuda.jit(make(shape, "f16"))[1, 32](r_a, r_b, r_c)
    assert (r_c.copy_to_host() != held(product)).any()


@pytest.mark.parametrize("shape", SHAPES)
def test_the_layout_is_that_of_f16(shape):
    for operand in "AB":
        bf16, f16 = (lanes.fragment(shape, operand, dtype=dtype).coords for dtype in ("bf16", "f16"))
        np.testing.assert_array_equal(bf16, f16)


COMPILE = """
import json, sys
sys.path.insert(0, "tests/kernels")
from kernels import backend
backend.fix("compile")
import test_bf16
from kernels import toolchain
from kernels.adapter import types

matrix = lambda dtype: types.Array(dtype, 2, "C")
signature = types.void(matrix(types.uint32), matrix(types.uint32), matrix(types.float32))
codes = {shape: toolchain.ltoir(test_bf16.make(shape), signature, "sm_75") for shape in test_bf16.SHAPES}
print(json.dumps({shape: toolchain.link(code, "sm_75", ptx=True)[0].decode() for shape, code in codes.items()}))
"""


@pytest.fixture(scope="module")
def turing():
    """For each shape, the PTX of its kernel for sm_75."""
    clean = {k: v for k, v in os.environ.items() if k not in ("LANES_BACKEND", "NUMBA_ENABLE_CUDASIM")}
    done = subprocess.run(
        [sys.executable, "-c", COMPILE], env=clean, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def executed(listing, a, b, c):
    """The registers of C after the straight-line PTX in `listing`, 32 lanes side by side. Source: PTX ISA.

    Addresses are not computed: the kernel loads A's registers, then B's, then C's, and stores C's.
    """
    loads = iter([*a.T, *b.T, *c.T.view(np.uint32)])
    stored, named = {}, {}

    def value(word):
        if word == "%laneid":
            return np.arange(32, dtype=np.uint32)
        if word in named:
            return named[word]
        bits = int(word[2:], 16) if word.startswith("0f") else int(word)
        return np.full(32, bits & 0xFFFFFFFF, np.uint32)

    for line in listing.splitlines():
        found = re.fullmatch(r"\s*([a-z][\w.]*)\s+(.*);", line)
        if not found or ".b64" in line or "%rd" in found[2].split(",")[0].lstrip("["):
            if found and found[1].startswith("st."):
                place, source = re.fullmatch(r"\[%rd\d+(?:\+(\d+))?\], (\S+)", found[2]).groups()
                stored[int(place or 0) // 4] = value(source).view(np.float32)
            continue
        op, (to, *rest) = found[1], found[2].split(", ")
        if op.startswith("ld.global"):
            named[to] = next(loads)
        elif op in ("mov.u32", "mov.b32", "mov.f32") and rest[0] not in ("%tid.x", "%ctaid.x"):
            named[to] = value(rest[0])
        elif op in ("and.b32", "or.b32", "shl.b32"):
            apply = {"and": np.bitwise_and, "or": np.bitwise_or, "shl": np.left_shift}[op[:-4]]
            named[to] = apply(value(rest[0]), value(rest[1]))
        elif op == "shfl.sync.idx.b32":
            register, lane, clamp, mask = map(value, rest)
            assert (clamp == 31).all(), "the whole warp is one segment"
            assert (mask == 0xFFFFFFFF).all(), "every lane takes part"
            named[to.split("|")[0]] = register[lane % 32]
        elif op == "fma.rn.f32":
            x, y, z = (value(word).view(np.float32).astype(np.float64) for word in rest)
            named[to] = (x * y + z).astype(np.float32).view(np.uint32)  # exact here: small integers
        else:
            assert op in ("ld.param.u64", "setp.lt.s32", "mov.u32", ".reg", "cvt.s64.s32"), line
    assert next(loads, None) is None, "a register was not read"
    return np.stack([stored[reg] for reg in range(4)], axis=1)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", [0, 1])
def test_without_the_instruction_lanes_exchange_registers(turing, shape, seed):
    assert "mma." not in turing[shape]
    a, b, c, product = matrices(shape, seed)
    assert executed(turing[shape], *registers(shape, a, b, c)).tolist() == held(product).tolist()


@pytest.mark.gpu
@pytest.mark.parametrize("shape", SHAPES)
def test_the_driver_translates_it_and_it_is_exact(turing, shape):
    """What a T4 runs, on whatever GPU is here."""
    a, b, c, product = matrices(shape)
    r_a, r_b, r_c = map(cuda.to_device, registers(shape, a, b, c))
    listing = turing[shape].rstrip("\0")
    image = Image(listing.encode(), listing.split(".visible .entry ")[1].split("(")[0])
    image.launch((1, 1), 32, [*numba_array(r_a), *numba_array(r_b), *numba_array(r_c)])
    assert r_c.copy_to_host().tolist() == held(product).tolist()
