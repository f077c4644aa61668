"""An answer that passes."""

from kernels.ptx import at, ldmatrix_x4

ROW = 24  # elements from one row of the tile to the next


def load_padded(registers, tile, lane):
    """Padding counts in the stride alone."""
    row = lane % 16
    col = lane // 16 * 8
    ldmatrix_x4(at(registers, (0,)), at(tile, (row * ROW + col,)))
