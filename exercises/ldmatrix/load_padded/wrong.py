"""Answers that must fail, each by the name of its mistake."""

from kernels.ptx import at, ldmatrix_x4, ldmatrix_x4_trans

COLS = 16
ROW = 24


def padding_forgotten(registers, tile, lane):
    """Rows one after the other, as in a tile without padding."""
    ldmatrix_x4(at(registers, (0,)), at(tile, (lane % 16 * COLS + lane // 16 * 8,)))


def matrices_across_first(registers, tile, lane):
    """Matrix 1 to the right of matrix 0. A's go down the column first."""
    row, col = lane % 8 + lane // 16 * 8, lane // 8 % 2 * 8
    ldmatrix_x4(at(registers, (0,)), at(tile, (row * ROW + col,)))


def transposed(registers, tile, lane):
    """.trans is for B stored K-by-N; A stored M-by-K needs none."""
    ldmatrix_x4_trans(at(registers, (0,)), at(tile, (lane % 16 * ROW + lane // 16 * 8,)))


def a_matrix_too_far(registers, tile, lane):
    """The padding put before a row in place of after it."""
    ldmatrix_x4(at(registers, (0,)), at(tile, (lane % 16 * ROW + lane // 16 * 8 + 8,)))


def the_same_for_all(registers, tile, lane):
    """One address, as if ldmatrix read the rest of the tile from there by itself."""
    ldmatrix_x4(at(registers, (0,)), at(tile, (0,)))


def nothing_loaded(registers, tile, lane):
    """The row's address, and no instruction that reads from it."""
    at(tile, (lane % 16 * ROW + lane // 16 * 8,))
