"""The scheduler: one block of threads, each a greenlet, run warp by warp in lane order.

A lane runs until it has to wait: at a warp instruction for the other 31 lanes, at a barrier for the block. When all
32 lanes of a warp wait at the same instruction it is executed once, on the 32 lanes' arguments. The order is always
the same, so a kernel that goes wrong goes wrong the same way every time. Nothing here can hang but a lane that
never stops computing.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
from greenlet import GreenletExit, getcurrent, greenlet
from numba.cuda.simulator.cudadrv.devicearray import FakeWithinKernelCUDAArray
from numba.cuda.simulator.kernelapi import Dim3

from kernels.hgemm import STATIC_SMEM_BYTES
from kernels.simulator.hazards import Events
from kernels.simulator.memory import Array, Memory
from lanes.fragments import WARP

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType

MAX_THREADS = 1024  # in a block, on every architecture that has ldmatrix


class LaneError(RuntimeError):
    """The lanes of a warp, or the threads of a block, do not all come to the place where they must meet."""


class Meeting(NamedTuple):
    """Where a thread waits: `together` makes of the list of all arguments the list of all results.

    `site` is the place in the kernel's source; lanes meet only at the same one.
    """

    name: str
    site: tuple[CodeType, int]
    together: Callable[[list[Any]], list[Any]]
    argument: Any
    scope: str  # "warp" or "block"

    def __str__(self) -> str:
        code, instruction = self.site
        lines = [line for start, stop, line in code.co_lines() if start <= instruction < stop]
        return f"{self.name} (line {lines[0] if lines else '?'} of {code.co_name})"


class Thread(greenlet):
    """One thread of the block: its numbers, where it waits, and what it gets when it goes on."""

    def __init__(self, run: Callable[[], None], block: Block, warp: Warp, index: int) -> None:
        super().__init__(run)
        self.block, self.warp, self.index, self.lane = block, warp, index, index % WARP
        x, y, _ = block.block_dim
        self.threadIdx = Dim3(index % x, index // x % y, index // (x * y))
        self.blockIdx = block.block_idx
        self.meeting: Meeting | None = None
        self.result: Any = None

    def __str__(self) -> str:
        return f"thread {self.index} (warp {self.warp.index}, lane {self.lane})"

    def wait(self, meeting: Meeting) -> Any:
        """Called from inside the kernel: stop here until the others have come, and return this thread's result."""
        self.meeting = meeting
        self.parent.switch()
        return self.result

    def advance(self) -> None:
        """Run to the next meeting, or to the end."""
        self.meeting = None
        try:
            self.switch()
        except Exception as error:
            error.add_note(f"raised in {self} of block {tuple(self.blockIdx)}")
            raise


class Warp:
    """32 consecutive threads. `barrier` is the number of the first event after its last cuda.syncwarp()."""

    def __init__(self, index: int) -> None:
        self.index = index
        self.threads: list[Thread] = []
        self.barrier = 0

    def advance(self) -> None:
        """Run the lanes until all wait at a barrier of the block or are done."""
        while ready := [t for t in self.threads if not t.dead and t.meeting is None]:
            for thread in ready:
                thread.advance()
            if any(t.meeting and t.meeting.scope == "warp" for t in self.threads):
                self._meet()
        places = {t.meeting.site: t.meeting for t in self.threads if t.meeting}
        if len(places) > 1:
            raise LaneError(f"the lanes of warp {self.index} wait at different barriers: {self._where()}")

    def _meet(self) -> None:
        """Execute the warp instruction at which all 32 lanes wait."""
        meetings = [t.meeting for t in self.threads if t.meeting]
        first = next(m for m in meetings if m.scope == "warp")
        if len(meetings) < WARP or any(m.site != first.site or m.name != first.name for m in meetings):
            raise LaneError(
                f"{first.name} needs all 32 lanes of warp {self.index} at one place: {self._where()}"
            )
        _let_go(self.threads)

    def _where(self) -> str:
        """Which lanes are where, in words."""
        lanes: dict[str, list[int]] = {}
        for lane in range(WARP):
            thread = self.threads[lane] if lane < len(self.threads) else None
            if thread is None:
                place = "not in the block"
            else:
                place = f"at {thread.meeting}" if thread.meeting else "returned"
            lanes.setdefault(place, []).append(lane)
        return "; ".join(f"lane{'s' * (len(who) > 1)} {_ranges(who)} {place}" for place, who in lanes.items())


class Block:
    """Takes the place of numba's BlockManager: the same constructor, the same `run`."""

    def __init__(self, kernel: Callable[..., None], grid_dim: Any, block_dim: Any, debug: bool) -> None:
        self.kernel, self.block_dim = kernel, tuple(block_dim)
        count = int(np.prod(self.block_dim))
        if count > MAX_THREADS:
            raise ValueError(f"a block of {count} threads was launched; a GPU takes at most {MAX_THREADS}")
        self.warps = [Warp(index) for index in range(-(-count // WARP))]
        self.shared_bytes = 0
        self.events = Events()
        self.arrays: dict[Any, Memory] = {}  # what cuda.shared.array and cuda.local.array have made, by place

    def run(self, grid_point: tuple[int, ...], *arguments: Any) -> None:
        """Run the block at `grid_point` to its end.

        Raises LaneError when lanes or threads that must meet do not, and whatever a thread raises, with a note that
        says which thread of which block.
        """
        self.block_idx = Dim3(*grid_point)
        names = list(inspect.signature(self.kernel).parameters)
        seen = [_argument(value, name) for value, name in zip(arguments, names, strict=True)]
        for index in range(int(np.prod(self.block_dim))):
            warp = self.warps[index // WARP]
            warp.threads.append(Thread(lambda: self.kernel(*seen), self, warp, index))
        try:
            self._schedule()
        finally:
            for warp in self.warps:
                for thread in warp.threads:
                    if thread and not thread.dead:  # started, and left at a meeting by an error elsewhere
                        thread.throw(GreenletExit)

    def declare_shared(self, nbytes: int) -> None:
        """Count a static shared array. Raises ValueError past what a GPU lets a block declare."""
        self.shared_bytes += nbytes
        if self.shared_bytes > STATIC_SMEM_BYTES:
            raise ValueError(
                f"the block declares {self.shared_bytes:,} bytes of shared memory; a GPU takes {STATIC_SMEM_BYTES:,}"
            )

    def _schedule(self) -> None:
        while True:
            for warp in self.warps:
                warp.advance()
            waiting = [t for warp in self.warps for t in warp.threads if t.meeting]
            if not waiting:
                return
            if len({t.meeting.name for t in waiting if t.meeting}) > 1:
                places = {str(t.meeting): t for t in waiting}
                listed = "; ".join(f"{thread} waits at {place}" for place, thread in places.items())
                raise LaneError(f"the warps of the block wait at different barriers: {listed}")
            # Threads that have returned are forgiven by a barrier of the block, as they are by the hardware.
            _let_go(waiting)
            self.events.barrier = len(self.events.accesses)


def _let_go(threads: list[Thread]) -> None:
    """Do what the threads, all of them waiting, have met for; give each its result, and let it go on."""
    meetings = [thread.meeting for thread in threads if thread.meeting]
    results = meetings[0].together([meeting.argument for meeting in meetings])
    for thread, result in zip(threads, results, strict=True):
        thread.result, thread.meeting = result, None


current = cast("Callable[[], Thread]", getcurrent)  # the simulated thread that is running


def _argument(value: Any, name: str) -> Any:
    """A kernel's argument as its threads see it: arrays get a name and bounds, integers are Python's."""
    if isinstance(value, FakeWithinKernelCUDAArray):
        raw = value._item._ary
        if not raw.flags.c_contiguous:
            raise ValueError(f"{name} is not C-contiguous; the simulator takes C-contiguous arrays")
        memory = Memory(raw.reshape(-1).view(np.uint8))
        return Array(memory, 0, raw.shape, raw.dtype, name, 256, current)
    return int(value) if isinstance(value, np.integer) else value


def _ranges(numbers: list[int]) -> str:
    """[0, 1, 2, 5] as "0-2, 5"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs)
