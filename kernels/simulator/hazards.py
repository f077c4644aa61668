"""Which accesses to shared memory no barrier stands between.

Every byte remembers the last access that wrote it, and for each warp the accesses of two lanes that read it. An access
is an event, and events are numbered in order; so "since the last barrier" is a comparison of two numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from kernels.simulator.block import Thread


class HazardError(RuntimeError):
    """Two threads touch the same bytes of shared memory, one of them writes, and no barrier is between."""


class Events:
    """The accesses of one block, numbered in order: who, and by which instruction.

    `barrier` is the number of the first event after the block's last barrier.
    """

    def __init__(self) -> None:
        self.thread_of = np.full(1024, -1, np.int32)
        self.accesses: list[tuple[Thread, str]] = []
        self.barrier = 0

    def add(self, threads: list[Thread], what: str) -> np.ndarray[Any, Any]:
        """Number one access for each of `threads`."""
        first = len(self.accesses)
        self.accesses.extend((thread, what) for thread in threads)
        while len(self.accesses) > len(self.thread_of):
            self.thread_of = np.concatenate([self.thread_of, np.full_like(self.thread_of, -1)])
        self.thread_of[first : len(self.accesses)] = [thread.index for thread in threads]
        return np.arange(first, len(self.accesses), dtype=np.int32)

    def ordered(self, event: int, thread: Thread) -> bool:
        """Whether `event` is surely over when `thread` acts: its own, or before a barrier that both passed."""
        other = self.accesses[event][0]
        same_warp = other.warp is thread.warp
        return event < self.barrier or other is thread or (same_warp and event < thread.warp.barrier)


class Watch:
    """The last accesses to each byte of one piece of shared memory.

    One writer is enough to remember: an earlier one is ordered before it, or was reported. Of the readers, each warp
    needs two, of different lanes: a lane that writes must be ordered after all other lanes of its warp, and one of the
    two is not itself; to another warp any reader will do, since cuda.syncwarp() orders only the lanes of its own.
    """

    def __init__(self, nbytes: int, events: Events, warps: int) -> None:
        self.events = events
        self.wrote = np.full(nbytes, -1, np.int32)
        self.read, self.also_read = (np.full((warps, nbytes), -1, np.int32) for _ in range(2))

    def reading(self, where: np.ndarray[Any, Any], threads: list[Thread], what: str, name: str) -> None:
        """Note that thread i, all of one warp, reads the bytes ``where[i]``.

        Raises `HazardError` if another thread wrote them and no barrier stands between.
        """
        self._check(self.wrote[where], threads, what, name, "reads", "wrote")
        warp = threads[0].warp
        read, also_read = self.read[warp.index], self.also_read[warp.index]
        events = np.broadcast_to(self.events.add(threads, what)[:, None], where.shape)
        before = read[where]
        first = before < max(self.events.barrier, warp.barrier)
        second = ~first & (self.events.thread_of[before] != self.events.thread_of[events])
        read[where[first]] = events[first]
        also_read[where[second]] = events[second]

    def writing(self, where: np.ndarray[Any, Any], threads: list[Thread], what: str, name: str) -> None:
        """Note that thread i, all of one warp, writes the bytes ``where[i]``.

        Raises `HazardError` if another thread wrote or read them and no barrier stands between.
        """
        self._check(self.wrote[where], threads, what, name, "writes", "wrote")
        for readers in (*self.read, *self.also_read):
            self._check(readers[where], threads, what, name, "writes", "read")
        self.wrote[where] = self.events.add(threads, what)[:, None]

    def _check(
        self, before: np.ndarray[Any, Any], threads: list[Thread], what: str, name: str, does: str, did: str
    ) -> None:
        """Compare thread i with the events ``before[i]`` of the bytes that it touches."""
        if before.max() < self.events.barrier:
            return
        for i, byte in zip(*np.nonzero(before >= self.events.barrier), strict=True):
            event = int(before[i, byte])
            if not self.events.ordered(event, threads[i]):
                other, how = self.events.accesses[event]
                raise HazardError(
                    f"{name}: {threads[i]} {does} by {what} what {other} {did} by {how}, "
                    "and no barrier stands between them: cuda.syncthreads() is missing"
                )
