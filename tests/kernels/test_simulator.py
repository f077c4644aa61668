"""The simulator: what it says when a kernel does what it must not, and that it says so at once."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.adapter import SIMULATED, cuda, f16, types, uint32
from kernels.ptx import ahead, at, copy16, ldmatrix_x1, ldmatrix_x4

if SIMULATED:
    from kernels.simulator.block import LaneError

pytestmark = pytest.mark.simulator


def launch(function, *arguments, threads=32, blocks=1, dynamic_bytes=0):
    cuda.jit(function)[blocks, threads, 0, dynamic_bytes](*arguments)


def test_an_address_outside_an_array_names_array_index_and_thread():
    def kernel():
        tile = cuda.shared.array((32, 8), f16, alignment=16)
        at(tile, (cuda.threadIdx.x + 1, 0))

    with pytest.raises(
        IndexError, match=r"tile \(float16, 32 x 8\) has no element \[32, 0\].*thread 31 \(warp 0, lane 31\)"
    ):
        launch(kernel)


def test_an_address_does_not_count_from_the_end_but_an_index_does():
    def addressed(a):
        at(a, (-1, 0))

    def indexed(a):
        a[-1, 0] = 7

    a = np.zeros((4, 4), np.int32)
    launch(indexed, a, threads=1)
    assert a[3, 0] == 7
    with pytest.raises(IndexError, match=r"a \(int32, 4 x 4\) has no element \[-1, 0\]"):
        launch(addressed, a, threads=1)


def test_an_argument_is_known_by_its_name():
    def kernel(left, right):
        right[2, 0] = left[0, 0]

    with pytest.raises(IndexError, match=r"right \(float32, 2 x 2\) has no element \[2, 0\]"):
        launch(kernel, np.zeros((2, 2), np.float32), np.zeros((2, 2), np.float32), threads=1)


@pytest.mark.parametrize("col", [1, 4])
def test_a_copy_must_be_aligned(col):
    def kernel(a):
        tile = cuda.shared.array((8, 16), f16, alignment=16)
        copy16(at(tile, (0, col)), at(a, (0, 0)))

    with pytest.raises(
        IndexError, match=rf"copy16 by thread 0 .* multiples of 16 bytes, and tile\[0, {col}\] is not on one"
    ):
        launch(kernel, np.zeros((8, 16), np.float16), threads=1)


def test_an_array_must_promise_the_alignment_that_is_used():
    def kernel(a):
        tile = cuda.shared.array((8, 16), f16)
        copy16(at(tile, (0, 0)), at(a, (0, 0)))

    with pytest.raises(IndexError, match=r"tile is declared on a multiple of 2 only: give it alignment=16"):
        launch(kernel, np.zeros((8, 16), np.float16), threads=1)


def copying(nbytes):
    def kernel(a):
        tile = cuda.shared.array((8, 16), f16, alignment=16)
        copy16(at(tile, (0, 0)), ahead(at(a, (4, 0)), nbytes))

    return kernel


def test_a_moved_address_may_reach_the_last_bytes_of_its_array():
    launch(copying(112), np.zeros((8, 16), np.float16), threads=1)


@pytest.mark.parametrize("nbytes", [-144, 128])
def test_a_moved_address_must_not_be_read_outside_its_array(nbytes):
    with pytest.raises(
        IndexError, match=r"copy16 of 16 bytes by thread 0 .* is outside a \(float16, 8 x 16\)"
    ):
        launch(copying(nbytes), np.zeros((8, 16), np.float16), threads=1)


def test_fresh_memory_is_poisoned_in_every_block():
    def kernel(out):
        shared = cuda.shared.array((4,), f16)
        registers = cuda.local.array((2,), uint32)
        dynamic = cuda.shared.array(0, types.float32)
        block = cuda.blockIdx.x
        out[block, 0], out[block, 1], out[block, 2] = shared[0], registers[1], dynamic[1]
        shared[0], registers[1], dynamic[1] = 1, 2, 3

    out = np.zeros((2, 3))
    launch(kernel, out, threads=1, blocks=2, dynamic_bytes=8)
    np.testing.assert_array_equal(out, [[np.nan, 0xFFFFFFFF, np.nan]] * 2)


def test_dynamic_arrays_are_one_memory_and_static_ones_on_a_line_are_not():
    def kernel(out):
        words, halves = cuda.shared.array(0, types.uint32), cuda.shared.array(0, types.uint16)
        one, two = cuda.shared.array(1, types.int32), cuda.shared.array(1, types.int32)
        words[1] = 0x00020001
        one[0], two[0] = 5, 6
        out[0], out[1], out[2], out[3], out[4] = halves[2], halves[3], one[0], two[0], halves.size

    out = np.zeros(5, int)
    launch(kernel, out, threads=1, dynamic_bytes=16)
    assert out.tolist() == [1, 2, 5, 6, 8]


def test_a_thread_has_its_own_local_array():
    def kernel(out):
        mine = cuda.local.array(1, types.int32)
        mine[0] = cuda.threadIdx.x
        cuda.syncthreads()
        out[cuda.threadIdx.x] = mine[0]

    out = np.zeros(64, int)
    launch(kernel, out, threads=64)
    assert out.tolist() == list(range(64))


def test_ldmatrix_wants_shared_memory():
    def kernel(a):
        registers = cuda.local.array(4, uint32)
        ldmatrix_x4(at(registers, (0,)), at(a, (cuda.threadIdx.x, 0)))

    with pytest.raises(
        IndexError, match=r"ldmatrix_x4 .*reads shared memory, and a \(float16, 32 x 8\) is not in it"
    ):
        launch(kernel, np.zeros((32, 8), np.float16))


def test_a_block_has_a_gpu_s_limits():
    def kernel():
        cuda.shared.array((24 * 1024 + 1,), f16)

    with pytest.raises(ValueError, match=r"a block of 1025 threads was launched; a GPU takes at most 1024"):
        launch(kernel, threads=1025)
    with pytest.raises(ValueError, match=r"declares 49,154 bytes of shared memory; a GPU takes 49,152"):
        launch(kernel, threads=1)


def test_warps_at_barriers_of_two_kinds_are_named():
    def kernel():
        if cuda.threadIdx.x < 32:
            cuda.syncthreads()
        else:
            cuda.syncthreads_or(1)

    with pytest.raises(
        LaneError,
        match=r"different barriers: thread \d+ .*waits at cuda.syncthreads\(\) .*syncthreads_or\(\)",
    ):
        launch(kernel, threads=64)


def test_a_lane_that_returned_is_named():
    def kernel():
        tile = cuda.shared.array((32, 8), f16, alignment=16)
        registers = cuda.local.array(4, uint32)
        if cuda.threadIdx.x % 32 == 5:
            return
        ldmatrix_x4(at(registers, (0,)), at(tile, (cuda.threadIdx.x % 32, 0)))

    with pytest.raises(
        LaneError,
        match=r"ldmatrix_x4 needs all 32 lanes of warp 0 at one place: "
        r"lanes 0-4, 6-31 at ldmatrix_x4 \(line \d+ of kernel\); lane 5 returned",
    ):
        launch(kernel, threads=64)


def test_lanes_at_two_instructions_are_named():
    def kernel():
        tile = cuda.shared.array((32, 8), f16, alignment=16)
        registers = cuda.local.array(4, uint32)
        lane = cuda.threadIdx.x
        if lane < 16:
            ldmatrix_x4(at(registers, (0,)), at(tile, (lane, 0)))
        else:
            ldmatrix_x1(at(registers, (0,)), at(tile, (lane, 0)))

    with pytest.raises(LaneError, match=r"lanes 0-15 at ldmatrix_x4 .*; lanes 16-31 at ldmatrix_x1"):
        launch(kernel)


def test_one_lane_at_a_barrier_and_the_rest_at_an_instruction_are_named():
    def kernel():
        tile = cuda.shared.array((32, 8), f16, alignment=16)
        registers = cuda.local.array(4, uint32)
        if cuda.threadIdx.x == 0:
            cuda.syncthreads()
        ldmatrix_x4(at(registers, (0,)), at(tile, (cuda.threadIdx.x, 0)))

    with pytest.raises(
        LaneError,
        match=r"lane 0 at cuda.syncthreads\(\) \(line \d+ of kernel\); lanes 1-31 at ldmatrix_x4",
    ):
        launch(kernel)


def test_a_warp_of_16_threads_has_not_the_lanes():
    def kernel():
        tile = cuda.shared.array((32, 8), f16, alignment=16)
        registers = cuda.local.array(4, uint32)
        ldmatrix_x4(at(registers, (0,)), at(tile, (cuda.threadIdx.x, 0)))

    with pytest.raises(LaneError, match="lanes 16-31 not in the block"):
        launch(kernel, threads=16)


def test_lanes_of_a_warp_at_two_barriers_are_named():
    def kernel():
        if cuda.threadIdx.x < 8:
            cuda.syncthreads()
        else:
            cuda.syncthreads()

    with pytest.raises(
        LaneError, match=r"the lanes of warp 0 wait at different barriers: lanes 0-7 at .*; lanes 8-31 at"
    ):
        launch(kernel)


def test_a_barrier_forgives_threads_that_have_returned():
    def kernel(out):
        if cuda.threadIdx.x >= 40:
            return
        cuda.syncthreads()
        out[cuda.threadIdx.x] = 1

    out = np.zeros(64, int)
    launch(kernel, out, threads=64)
    assert out.sum() == 40


def test_barriers_that_vote():
    def kernel(out):
        thread = cuda.threadIdx.x
        out[thread, 0] = cuda.syncthreads_count(thread % 3 == 0)
        out[thread, 1] = cuda.syncthreads_and(thread < 64)
        out[thread, 2] = cuda.syncthreads_or(thread == 64)

    out = np.zeros((64, 3), int)
    launch(kernel, out, threads=64)
    assert (out == [22, 1, 0]).all()


def test_threads_run_warp_by_warp_in_lane_order():
    order = []

    def kernel():
        order.append(("start", cuda.threadIdx.x))
        cuda.syncwarp()
        order.append(("warp", cuda.threadIdx.x))
        cuda.syncthreads()
        order.append(("block", cuda.threadIdx.x))

    launch(kernel, threads=64)
    warps = range(32), range(32, 64)
    expected = [(place, thread) for warp in warps for place in ("start", "warp") for thread in warp]
    assert order == expected + [("block", thread) for thread in range(64)]


def test_lanes_follow_x_then_y_then_z():
    seen = {}

    def kernel():
        seen[cuda.threadIdx.x, cuda.threadIdx.y, cuda.threadIdx.z] = cuda.laneid

    launch(kernel, threads=(8, 2, 4))
    assert seen == {
        (x, y, z): (x + 8 * y + 16 * z) % 32 for x in range(8) for y in range(2) for z in range(4)
    }


def test_an_exception_says_which_thread_and_the_next_launch_is_clean():
    def broken(out):
        cuda.syncthreads()
        out[0] = 1 // (cuda.threadIdx.x - 37)

    def fine(out):
        out[0] = 1

    out = np.zeros(1, int)
    with pytest.raises(ZeroDivisionError) as caught:
        launch(broken, out, threads=64)
    assert caught.value.__notes__ == ["raised in thread 37 (warp 1, lane 5) of block (0, 0, 0)"]
    launch(fine, out)
    assert out[0] == 1


def test_an_exception_ends_the_other_threads():
    ended = []

    def kernel():
        try:
            cuda.syncthreads()
            if cuda.threadIdx.x == 3:
                raise KeyError("three")
            cuda.syncthreads()
        finally:
            ended.append(cuda.threadIdx.x)

    with pytest.raises(KeyError):
        launch(kernel, threads=64)
    assert sorted(ended) == list(range(64))


@cuda.jit(device=True)
def doubled(value):
    return 2 * value + cuda.threadIdx.x


def test_device_functions_see_the_thread():
    def kernel(out):
        out[cuda.threadIdx.x] = doubled(10)

    out = np.zeros(32, int)
    launch(kernel, out)
    assert out.tolist() == [20 + thread for thread in range(32)]
