"""Sectors and copies of tiles, counted byte by byte."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lanes import REFERENCE, Access, TileCopy, Tiling, tile_copy

COPIES = [
    tile_copy(operand, width, arrangement)
    for operand in "AB"
    for width in (2, 4, 8, 16)
    for arrangement in ("striped", "blocked")
] + [TileCopy(32, 24, threads=96, width_bytes=8), TileCopy(64, 32, 64, 4, "blocked")]
each = pytest.mark.parametrize("copy", COPIES, ids=str)


def bytes_of(access):
    """Every byte that each lane takes, one by one."""
    return [[start + i for i in range(access.width_bytes)] for start in access.addresses]


@st.composite
def accesses(draw):
    width = draw(st.sampled_from((1, 2, 4, 8, 16)))
    pieces = draw(st.lists(st.integers(0, 80), min_size=1, max_size=32))
    return Access(tuple(width * piece for piece in pieces), width)


@settings(max_examples=200, deadline=None)
@given(accesses())
def test_a_request_costs_the_sectors_and_lines_of_its_bytes(access):
    """Mark every byte, then look which stretches of 32 and of 128 have a mark."""
    memory = np.zeros(2048, bool)
    for byte in itertools.chain(*bytes_of(access)):
        memory[byte] = True
    assert access.sectors == tuple(np.flatnonzero(memory.reshape(-1, 32).any(axis=1)))
    assert access.lines == tuple(np.flatnonzero(memory.reshape(-1, 128).any(axis=1)))
    assert access.used_bytes == memory.sum()
    assert access.moved_bytes == sum(32 for part in memory.reshape(-1, 32) if part.any())
    assert access.efficiency == memory.sum() / access.moved_bytes <= 1


def test_the_patterns_that_the_guide_draws():
    """32 words side by side are 4 sectors; shifted by one word, 5; every second word doubles them."""
    words = range(0, 128, 4)
    assert len(Access(tuple(words), 4).sectors) == 4
    assert len(Access(tuple(word + 4 for word in words), 4).sectors) == 5
    assert len(Access(tuple(2 * word for word in words), 4).sectors) == 8
    assert Access(tuple(2 * word for word in words), 4).efficiency == 0.5
    assert len(Access((0,) * 32, 4).sectors) == 1


@each
def test_a_copy_takes_every_element_once_and_knows_by_whom(copy):
    taken = np.zeros((copy.rows, copy.cols), int)
    for thread, load in itertools.product(range(copy.threads), range(copy.loads)):
        row, col = copy.piece(thread, load)
        for right in range(copy.width_bytes // 2):
            taken[row, col + right] += 1
            assert copy.copier(row, col + right) == (thread, load)
    assert (taken == 1).all()
    assert copy.requests == copy.threads // 32 * copy.loads
    assert copy.requests * 32 * copy.width_bytes == 2 * copy.rows * copy.cols


@each
def test_the_arrangement_says_whose_pieces_are_neighbours(copy):
    """Count pieces along the rows: from thread to thread, or from load to load, it is the next one."""

    def number(thread, load):
        row, col = copy.piece(thread, load)
        return (row * copy.cols + col) // (copy.width_bytes // 2)

    for thread, load in itertools.product(range(copy.threads - 1), range(copy.loads)):
        if copy.arrangement == "striped":
            assert number(thread + 1, load) == number(thread, load) + 1
        elif load:
            assert number(thread, load) == number(thread, load - 1) + 1


@each
@pytest.mark.parametrize(("more_bytes", "start_byte"), [(0, 0), (1024 - 32, 0), (48, 96)])
def test_a_warps_request_is_where_its_lanes_elements_are(copy, more_bytes, start_byte):
    row_bytes = 2 * copy.cols + more_bytes
    requests = iter(copy.accesses(row_bytes, start_byte))
    for load, warp in itertools.product(range(copy.loads), range(copy.threads // 32)):
        access = next(requests)
        assert access == copy.access(warp, load, row_bytes, start_byte)
        assert access.width_bytes == copy.width_bytes
        for lane, start in enumerate(access.addresses):
            row, col = copy.piece(32 * warp + lane, load)
            assert start == start_byte + row_bytes * row + 2 * col
    assert next(requests, None) is None


def test_copies_of_16_bytes_are_those_of_the_tiling():
    for tiling in (
        REFERENCE,
        Tiling("m16n8k8", 1, 2, 4, 8),
        Tiling(warps_m=1, warps_n=1, mmas_m=4, mmas_n=4),
    ):
        for operand, copy, count in zip("AB", (tiling.copy_a, tiling.copy_b), tiling.copies, strict=True):
            found = tile_copy(operand, tiling=tiling)
            assert found.loads == count
            for thread, load in itertools.product(range(tiling.threads), range(count)):
                assert found.piece(thread, load) == copy(thread, load)


@pytest.mark.parametrize("operand", "AB")
def test_wider_loads_are_fewer_requests_and_striped_ones_move_no_more(operand):
    """The tile is 4096 bytes, 128 sectors. Blocked pieces of 2 bytes ask for every sector eight times."""
    for width in (2, 4, 8, 16):
        striped, blocked = (tile_copy(operand, width, arrangement) for arrangement in ("striped", "blocked"))
        assert striped.requests == blocked.requests == 4096 // (32 * width)
        for copy, times in ((striped, 1), (blocked, 16 // width)):
            touched = [sector for access in copy.accesses(1024) for sector in access.sectors]
            assert len(touched) == 128 * times
            assert len(set(touched)) == 128


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Access((0,), 3), r"width_bytes is 3; wanted one of \(1, 2, 4, 8, 16\)\."),
        (lambda: Access((), 4), "a warp has 1 to 32 active lanes; 0 addresses are given"),
        (lambda: Access((0,) * 33, 4), "a warp has 1 to 32 active lanes; 33 addresses are given"),
        (lambda: Access((0, 24), 16), "lane 1's address is 24; wanted a multiple of 16"),
        (lambda: Access((-16,), 16), "lane 0's address is -16; wanted a multiple of 16"),
        (lambda: tile_copy("C"), "operand is 'C'; wanted A or B"),
        (lambda: tile_copy("A", 1), r"width_bytes is 1; wanted one of \(2, 4, 8, 16\)"),
        (lambda: tile_copy("A", 16, "random"), "arrangement is 'random'; wanted striped or blocked"),
        (lambda: TileCopy(128, 16, 200), "threads is 200; wanted a multiple of 32"),
        (lambda: TileCopy(128, 12, 32), "a tile of 128x12 has no whole rows of pieces of 16 bytes"),
        (lambda: TileCopy(8, 16, 32), "is 16 pieces of 16 bytes; wanted a multiple of the 32 threads"),
        (lambda: tile_copy("B").access(0, 0, 128), "row_bytes is 128; a row of the tile is 256"),
        (lambda: tile_copy("A").access(0, 0, 40), "lane 2's address is 40; wanted a multiple of 16"),
    ],
)
def test_what_cannot_be_is_refused(make, sentence):
    with pytest.raises(ValueError, match=sentence):
        make()


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda copy: copy.piece(256, 0), "thread is 256; wanted 0-255"),
        (lambda copy: copy.piece(0, 1), "load is 1; wanted 0-0"),
        (lambda copy: copy.copier(128, 0), "row is 128; wanted 0-127"),
        (lambda copy: copy.copier(0, 16), "col is 16; wanted 0-15"),
        (lambda copy: copy.access(8, 0, 1024), "warp is 8; wanted 0-7"),
    ],
)
def test_what_is_not_in_the_tile_is_refused(ask, sentence):
    with pytest.raises(IndexError, match=sentence):
        ask(tile_copy("A"))
