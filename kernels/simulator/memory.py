"""Memory as a simulated kernel sees it: arrays with a name, pointers that know their bounds.

Fresh memory is filled with bytes of 0xFF, a NaN in every floating-point format, so that what nobody wrote shows.
"""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kernels.simulator.block import Thread
    from kernels.simulator.hazards import Watch

POISON = 0xFF


class Memory:
    """Bytes, and the watch over them if they are shared: `bytes` is uint8, one-dimensional."""

    def __init__(self, raw: np.ndarray[Any, Any], watch: Watch | None = None) -> None:
        self.bytes = raw
        self.watch = watch

    @classmethod
    def fresh(cls, nbytes: int, watch: Watch | None = None) -> Memory:
        """`nbytes` poisoned bytes."""
        return cls(np.full(nbytes, POISON, np.uint8), watch)


class Array:
    """A C-contiguous array of a kernel: a name, and a place in some memory that starts at byte `start`.

    `align` is the alignment in bytes that the declaration promises for `start`.
    """

    def __init__(
        self,
        memory: Memory,
        start: int,
        shape: tuple[int, ...],
        dtype: Any,
        name: str,
        align: int,
        thread: Any,
    ) -> None:
        self.memory, self.start, self.shape, self.name, self.align = memory, start, shape, name, align
        self.dtype = np.dtype(dtype)
        self.thread = thread  # a callable: the thread that is running
        self.ndim, self.size = len(shape), math.prod(shape)
        self.stop = start + self.size * self.dtype.itemsize
        self.values = memory.bytes[start : self.stop].view(self.dtype)
        steps = [math.prod(shape[axis + 1 :]) for axis in range(self.ndim)]
        self._axes = tuple(zip(shape, steps, strict=True))

    def unwatched(self) -> Array:
        """The same array, with no watch over it."""
        memory = Memory(self.memory.bytes)
        return Array(memory, self.start, self.shape, self.dtype, self.name, self.align, self.thread)

    def __str__(self) -> str:
        return f"{self.name} ({self.dtype}, {' x '.join(map(str, self.shape))})"

    def __len__(self) -> int:
        return self.shape[0]

    def element(self, index: Any, *, wrap: bool) -> int:
        """The number of an element in row-major order; `wrap` counts negative indices from the end."""
        index = index if index.__class__ is tuple else (index,)
        if len(index) != self.ndim:
            raise IndexError(f"{self} is indexed with {len(index)} indices: {list(map(int, index))}")
        flat = 0
        for i, (length, step) in zip(index, self._axes, strict=True):
            if 0 <= i < length:
                flat += i * step
            elif wrap and -length <= i < 0:
                flat += (i + length) * step
            else:
                raise IndexError(
                    f"{self} has no element {list(map(int, index))}; {self.thread()} asked for it"
                )
        return flat

    def __getitem__(self, index: Any) -> Any:
        flat = self.element(index, wrap=True)
        if self.memory.watch is not None:
            self._watch(self.memory.watch.reading, flat)
        return self.values[flat]

    def __setitem__(self, index: Any, value: Any) -> None:
        flat = self.element(index, wrap=True)
        if self.memory.watch is not None:
            self._watch(self.memory.watch.writing, flat)
        self.values[flat] = value

    def _watch(self, note: Any, flat: int) -> None:
        size = self.dtype.itemsize
        where = np.arange(self.start + flat * size, self.start + (flat + 1) * size)
        note(where[None], [self.thread()], "indexing", self.name)


class Pointer:
    """An address, as `at` gives it to a device function: byte `offset` of the array's memory, held by `thread`."""

    __slots__ = ("array", "offset", "thread")

    def __init__(self, array: Array, offset: int, thread: Thread) -> None:
        self.array, self.offset, self.thread = array, offset, thread

    def load(self, nbytes: int, what: str, *, align: int = 1) -> np.ndarray[Any, Any]:
        """The `nbytes` bytes from here on, a new uint8 array."""
        return load([self], nbytes, what, align=align)[0]

    def store(self, raw: np.ndarray[Any, Any], what: str, *, align: int = 1) -> None:
        """Write the bytes `raw` (uint8) from here on."""
        store([self], raw[None], what, align=align)


def load(
    pointers: Sequence[Pointer], nbytes: int, what: str, *, align: int = 1, together: bool = False
) -> np.ndarray[Any, Any]:
    """What each of the pointers sees: (pointers, nbytes) uint8, read at once by the instruction `what`.

    `together` says that the lanes read for each other: what one points at, others receive.

    Raises IndexError past an array's end or off the alignment (in bytes), and `HazardError` where a barrier is
    missing.
    """
    if not _one_memory(pointers):
        return np.concatenate([load([p], nbytes, what, align=align, together=together) for p in pointers])
    memory, where = _where(pointers, nbytes, what, align)
    if memory.watch is not None:
        threads = [p.thread for p in pointers]
        memory.watch.reading(where, threads, what, pointers[0].array.name)
        if together:  # noting one more lane is enough: whoever wrote, another lane reads
            others = [thread.warp.threads[thread.lane - 1] for thread in threads]
            memory.watch.reading(where, others, what, pointers[0].array.name)
    return memory.bytes[where]


def store(pointers: Sequence[Pointer], raw: np.ndarray[Any, Any], what: str, *, align: int = 1) -> None:
    """Write row i of `raw`, (pointers, nbytes) uint8, where pointer i points; otherwise as `load`."""
    if not _one_memory(pointers):
        for pointer, row in zip(pointers, raw, strict=True):
            store([pointer], row[None], what, align=align)
        return
    memory, where = _where(pointers, raw.shape[1], what, align)
    if memory.watch is not None:
        memory.watch.writing(where, [p.thread for p in pointers], what, pointers[0].array.name)
    memory.bytes[where] = raw


def _one_memory(pointers: Sequence[Pointer]) -> bool:
    memory = pointers[0].array.memory
    return all(p.array.memory is memory for p in pointers)


_bytes = functools.cache(np.arange)  # 0, 1, ... nbytes - 1


def _where(
    pointers: Sequence[Pointer], nbytes: int, what: str, align: int
) -> tuple[Memory, np.ndarray[Any, Any]]:
    """The memory that all pointers point into, and the numbers of their bytes there: (pointers, nbytes)."""
    for pointer in pointers:
        array, offset = pointer.array, pointer.offset
        if not array.start <= offset <= array.stop - nbytes:
            at = f"byte {offset - array.start} of {array.stop - array.start}"
            raise IndexError(f"{what} of {nbytes} bytes by {pointer.thread}, at {at}, is outside {array}")
        if align > 1 and (offset % align or array.align % align):
            raise IndexError(_misaligned(pointer, what, align))
    return pointers[0].array.memory, np.array([[pointer.offset] for pointer in pointers]) + _bytes(nbytes)


def _misaligned(pointer: Pointer, what: str, align: int) -> str:
    array = pointer.array
    flat = (pointer.offset - array.start) // array.dtype.itemsize
    index = [int(i) for i in np.unravel_index(flat, array.shape)]
    why = (
        f"{array.name}{index} is not on one"
        if pointer.offset % align
        else f"{array.name} is declared on a multiple of {array.align} only: give it alignment={align}"
    )
    return f"{what} by {pointer.thread} wants addresses on multiples of {align} bytes, and {why}"
