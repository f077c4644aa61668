"""What a warp asks of global memory: the sectors that its addresses touch, and how a block's threads copy a tile.

Global memory is moved in sectors of 32 bytes, whole, however few of the bytes were asked for. A request is one load or
store instruction of one warp. It costs as many sectors as its addresses touch; lanes in one sector share it.

Source: CUDA C++ Best Practices Guide, "Coalesced Access to Global Memory"; CUDA C++ Programming Guide, "Device Memory
Accesses". Striped and blocked are the arrangements of CUB's block-wide loads.
"""

from dataclasses import dataclass

from lanes.fragments import WARP, within
from lanes.tiling import ELEMENT_BYTES, REFERENCE, Tiling

SECTOR_BYTES = 32
LINE_BYTES = 128  # four sectors, one tag of the L1 cache
WIDTHS = (1, 2, 4, 8, 16)  # bytes that one lane may load or store in one instruction
ARRANGEMENTS = ("striped", "blocked")


@dataclass(frozen=True)
class Access:
    """One request: the byte at which each active lane begins, in lane order, and how many bytes each takes.

    Raises ValueError, when made, for a width that no instruction has, more than 32 lanes or none, a negative address,
    and one that is not on a multiple of the width.

    >>> Access(range(0, 512, 16), 16).sectors == tuple(range(16))
    True
    >>> Access(range(0, 512, 16), 2).efficiency
    0.125
    """

    addresses: tuple[int, ...]
    width_bytes: int

    def __post_init__(self) -> None:
        """Check the width, the number of lanes and each address."""
        object.__setattr__(self, "addresses", tuple(map(int, self.addresses)))
        if self.width_bytes not in WIDTHS:
            raise ValueError(f"width_bytes is {self.width_bytes!r}; wanted one of {WIDTHS}.")
        if not 1 <= len(self.addresses) <= WARP:
            raise ValueError(
                f"a warp has 1 to {WARP} active lanes; {len(self.addresses)} addresses are given."
            )
        for lane, address in enumerate(self.addresses):
            if address < 0 or address % self.width_bytes:
                raise ValueError(
                    f"lane {lane}'s address is {address}; wanted a multiple of {self.width_bytes}."
                )

    @property
    def sectors(self) -> tuple[int, ...]:
        """The sectors touched, by number: sector s is bytes 32s to 32s + 31. A load never crosses into the next one."""
        return tuple(sorted({address // SECTOR_BYTES for address in self.addresses}))

    @property
    def lines(self) -> tuple[int, ...]:
        """The lines of 128 bytes touched, by number."""
        return tuple(sorted({address // LINE_BYTES for address in self.addresses}))

    @property
    def moved_bytes(self) -> int:
        """Bytes moved: all of every sector touched."""
        return SECTOR_BYTES * len(self.sectors)

    @property
    def used_bytes(self) -> int:
        """Bytes that some lane asked for, each counted once. Aligned loads of one width are the same or apart."""
        return self.width_bytes * len(set(self.addresses))

    @property
    def efficiency(self) -> float:
        """Bytes used over bytes moved, at most 1."""
        return self.used_bytes / self.moved_bytes


@dataclass(frozen=True)
class TileCopy:
    """How the threads of a block copy a tile of 16-bit elements, cut row by row into pieces of width_bytes.

    arrangement: "striped": in each load, neighbouring threads take neighbouring pieces. "blocked": each thread takes
    neighbouring pieces, one after the other. Where one load is enough, the two are the same.

    Raises ValueError, when made, unless the width is 2, 4, 8 or 16, the threads are whole warps, a row is whole pieces
    and the tile is whole loads of all threads.

    >>> copy = TileCopy(128, 16, threads=256)
    >>> copy.loads, copy.requests, copy.piece(thread=1, load=0)
    (1, 8, (0, 8))
    """

    rows: int
    cols: int
    threads: int
    width_bytes: int = 16
    arrangement: str = "striped"

    def __post_init__(self) -> None:
        """Check that whole pieces and whole loads make the tile."""
        if self.width_bytes not in WIDTHS or self.width_bytes < ELEMENT_BYTES:
            raise ValueError(f"width_bytes is {self.width_bytes!r}; wanted one of {WIDTHS[1:]}.")
        if self.arrangement not in ARRANGEMENTS:
            raise ValueError(f"arrangement is {self.arrangement!r}; wanted {' or '.join(ARRANGEMENTS)}.")
        if self.threads < WARP or self.threads % WARP:
            raise ValueError(f"threads is {self.threads}; wanted a multiple of {WARP}.")
        if self.rows < 1 or self.cols < 1 or self.cols % self.width:
            raise ValueError(
                f"a tile of {self.rows}x{self.cols} has no whole rows of pieces of {self.width_bytes} bytes."
            )
        if self.rows * self.cols % (self.threads * self.width):
            raise ValueError(
                f"a tile of {self.rows}x{self.cols} is {self.rows * self.cols // self.width} pieces of "
                f"{self.width_bytes} bytes; wanted a multiple of the {self.threads} threads."
            )

    @property
    def width(self) -> int:
        """Elements in a piece."""
        return self.width_bytes // ELEMENT_BYTES

    @property
    def warps(self) -> int:
        """Warps in the block."""
        return self.threads // WARP

    @property
    def loads(self) -> int:
        """Loads that each thread makes for the tile."""
        return self.rows * self.cols // (self.threads * self.width)

    @property
    def requests(self) -> int:
        """Requests, which is load instructions of a warp, that all warps together make for the tile."""
        return self.warps * self.loads

    def piece(self, thread: int, load: int) -> tuple[int, int]:
        """Return (row, col) in the tile of the first element that a thread takes in its load number `load`.

        Raises IndexError for another thread or load.

        >>> TileCopy(16, 128, threads=256, width_bytes=2).piece(thread=130, load=1)
        (3, 2)
        """
        thread, load = within("thread", thread, self.threads), within("load", load, self.loads)
        striped = self.arrangement == "striped"
        number = load * self.threads + thread if striped else thread * self.loads + load
        row, piece = divmod(number, self.cols // self.width)
        return row, self.width * piece

    def copier(self, row: int, col: int) -> tuple[int, int]:
        """Return (thread, load): who copies an element of the tile, and when. Raises IndexError outside of it.

        >>> TileCopy(128, 16, threads=256).copier(0, 9)
        (1, 0)
        """
        row, col = within("row", row, self.rows), within("col", col, self.cols)
        number = (row * self.cols + col) // self.width
        if self.arrangement == "striped":
            load, thread = divmod(number, self.threads)
        else:
            thread, load = divmod(number, self.loads)
        return thread, load

    def access(self, warp: int, load: int, row_bytes: int, start_byte: int = 0) -> Access:
        """Return what a warp asks for in one of its loads.

        row_bytes: from one row of the matrix, in which the tile lies, to the next. start_byte: of the tile's corner.

        Raises IndexError for another warp or load; ValueError if rows overlap or a piece is not aligned.

        >>> len(TileCopy(128, 16, threads=256).access(0, 0, row_bytes=1024).sectors)
        16
        """
        if row_bytes < ELEMENT_BYTES * self.cols:
            raise ValueError(f"row_bytes is {row_bytes}; a row of the tile is {ELEMENT_BYTES * self.cols}.")
        first = WARP * within("warp", warp, self.warps)
        pieces = (self.piece(first + lane, load) for lane in range(WARP))
        addresses = (start_byte + row * row_bytes + ELEMENT_BYTES * col for row, col in pieces)
        return Access(tuple(addresses), self.width_bytes)

    def accesses(self, row_bytes: int, start_byte: int = 0) -> list[Access]:
        """Return all requests for the tile, load by load and in each warp by warp.

        >>> copy = TileCopy(128, 16, threads=256, width_bytes=2, arrangement="blocked")
        >>> sum(len(access.sectors) for access in copy.accesses(row_bytes=1024))
        1024
        """
        return [
            self.access(warp, load, row_bytes, start_byte)
            for load in range(self.loads)
            for warp in range(self.warps)
        ]


def tile_copy(
    operand: str, width_bytes: int = 16, arrangement: str = "striped", tiling: Tiling = REFERENCE
) -> TileCopy:
    """Return how the block of a tiling copies its tile of A or of B.

    Raises ValueError for another operand, and as `TileCopy` does.

    >>> tile_copy("A").piece(17, 0) == REFERENCE.copy_a(17), tile_copy("B").piece(17, 0)
    (True, (1, 8))
    """
    if operand not in ("A", "B"):
        raise ValueError(f"operand is {operand!r}; wanted A or B.")
    m, n, k = tiling.block
    rows, cols = (m, k) if operand == "A" else (k, n)
    return TileCopy(rows, cols, tiling.threads, width_bytes, arrangement)
