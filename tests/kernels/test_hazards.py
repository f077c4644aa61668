"""Hazards in shared memory: two threads touch a byte, one of them writes, and no barrier stands between."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kernels.adapter import SIMULATED, cuda, f16, types, uint32
from kernels.ptx import at, copy16, ldmatrix_x4

if SIMULATED:
    from kernels.simulator.hazards import Events, HazardError, Watch

pytestmark = pytest.mark.simulator


def launch(function, *arguments, threads=32):
    cuda.jit(function)[1, threads](*arguments)


def neighbours(order, shift):
    """A kernel in which each thread writes its element and reads the one `shift` further, with `order` in between."""

    def kernel(out):
        row = cuda.shared.array(64, types.int32)
        thread = cuda.threadIdx.x
        row[thread] = thread
        if order == "block":
            cuda.syncthreads()
        if order == "warp":
            cuda.syncwarp()
        out[thread] = row[(thread + shift) % 64]

    return kernel


@pytest.mark.parametrize(("order", "shift"), [("none", 0), ("block", 1), ("block", 32), ("warp", 0)])
def test_ordered_accesses_are_no_hazard(order, shift):
    out = np.zeros(64, int)
    launch(neighbours(order, shift), out, threads=64)
    assert out.tolist() == [(thread + shift) % 64 for thread in range(64)]


@pytest.mark.parametrize(
    ("order", "shift", "named"),
    [
        ("none", 63, "thread 1 .*reads by indexing what thread 0 .*wrote"),
        ("none", 1, "thread 1 .*writes by indexing what thread 0 .*read"),
        ("warp", 32, "thread 32 .*writes by indexing what thread 0 .*read"),
    ],
)
def test_an_access_that_no_barrier_orders_is_a_hazard(order, shift, named):
    with pytest.raises(HazardError, match=f"^row: {named}"):
        launch(neighbours(order, shift), np.zeros(64, int), threads=64)


def test_syncwarp_orders_the_lanes_of_a_warp():
    def kernel(out):
        row = cuda.shared.array(32, types.int32)
        lane = cuda.threadIdx.x
        row[lane] = lane
        cuda.syncwarp()
        out[lane] = row[31 - lane]

    out = np.zeros(32, int)
    launch(kernel, out)
    assert out.tolist() == list(range(31, -1, -1))


ACCESSES = st.one_of(
    st.tuples(st.sampled_from(["read", "write"]), st.sampled_from([0, 1, 2, 32, 33, 64])),
    st.tuples(st.just("syncwarp"), st.sampled_from([0, 32, 64])),
    st.tuples(st.just("syncthreads"), st.just(0)),
)


def first_hazard(accesses):
    """By the definition: the first access that conflicts with an earlier one, and is not ordered after it."""
    for now, (does, thread) in enumerate(accesses):
        for then, (did, other) in enumerate(accesses[:now]):
            between = accesses[then:now]
            ordered = ("syncthreads", 0) in between or (
                thread // 32 == other // 32 and ("syncwarp", thread // 32 * 32) in between
            )
            if (
                other != thread
                and not ordered
                and (does, did) in [("read", "write"), ("write", "read"), ("write", "write")]
            ):
                return now
    return None


@given(st.lists(ACCESSES, max_size=12))
# A reader from before a syncwarp must not keep a place that a later one needs; nor may a reader take both places.
@example([("read", 0), ("syncwarp", 0), ("read", 1), ("read", 2), ("write", 2)])
@example([("read", 0), ("read", 1), ("read", 0), ("write", 0)])
@settings(max_examples=400, deadline=None)
def test_the_watch_reports_what_the_definition_says(accesses):
    events = Events()
    watch, warps = Watch(1, events, 3), [SimpleNamespace(index=i, barrier=0) for i in range(3)]
    threads = [SimpleNamespace(index=i, warp=warps[i // 32]) for i in range(96)]
    where, found = np.zeros((1, 1), int), None
    for now, (does, thread) in enumerate(accesses):
        try:
            if does == "read":
                watch.reading(where, [threads[thread]], does, "row")
            elif does == "write":
                watch.writing(where, [threads[thread]], does, "row")
            elif does == "syncwarp":
                warps[thread // 32].barrier = len(events.accesses)
            else:
                events.barrier = len(events.accesses)
        except HazardError:
            found = now
            break
    assert found == first_hazard(accesses)


@pytest.mark.parametrize("lane_of", [lambda lane: lane, lambda lane: lane ^ 1])
@pytest.mark.parametrize("order", ["none", "warp"])
def test_ldmatrix_reads_for_other_lanes(lane_of, order):
    """Even a lane that points at the row that it wrote reads it for others."""

    def kernel(a):
        tile = cuda.shared.array((32, 8), f16, alignment=16)
        registers = cuda.local.array(4, uint32)
        lane = cuda.threadIdx.x
        copy16(at(tile, (lane_of(lane), 0)), at(a, (lane, 0)))
        if order == "warp":
            cuda.syncwarp()
        ldmatrix_x4(at(registers, (0,)), at(tile, (lane, 0)))

    a = np.zeros((32, 8), np.float16)
    if order == "warp":
        launch(kernel, a)
        return
    with pytest.raises(
        HazardError, match=r"^tile: thread \d+ .*reads by ldmatrix_x4 what thread \d+ .*wrote by copy16"
    ):
        launch(kernel, a)


def test_a_write_over_what_ldmatrix_just_read_is_a_hazard():
    def kernel(a):
        tile = cuda.shared.array((32, 8), f16, alignment=16)
        registers = cuda.local.array(4, uint32)
        lane = cuda.threadIdx.x
        ldmatrix_x4(at(registers, (0,)), at(tile, (lane, 0)))
        copy16(at(tile, (lane, 0)), at(a, (lane, 0)))

    with pytest.raises(HazardError, match=r"writes by copy16 what thread \d+ .*read by ldmatrix_x4"):
        launch(kernel, np.zeros((32, 8), np.float16))


def test_syncwarp_does_not_order_another_warp():
    def kernel(out):
        row = cuda.shared.array(32, types.int32)
        warp, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
        if warp == 0:
            row[lane] = lane
        cuda.syncwarp()
        if warp == 1:
            out[lane] = row[lane]

    with pytest.raises(HazardError, match=r"^row: thread 32 .*reads by indexing what thread 0 .*wrote"):
        launch(kernel, np.zeros(32, int), threads=64)


def test_two_threads_writing_one_place_is_a_hazard():
    def kernel():
        row = cuda.shared.array(1, types.int32)
        row[0] = cuda.threadIdx.x

    with pytest.raises(HazardError, match=r"row: thread 1 .*writes by indexing what thread 0 .*wrote"):
        launch(kernel)


def test_atomic_operations_order_themselves():
    def kernel(out):
        count = cuda.shared.array(1, types.int32)
        if cuda.threadIdx.x == 0:
            count[0] = 0
        cuda.syncthreads()
        cuda.atomic.add(count, 0, 2)
        cuda.syncthreads()
        out[cuda.threadIdx.x] = count[0]

    out = np.zeros(64, int)
    launch(kernel, out, threads=64)
    assert (out == 128).all()
