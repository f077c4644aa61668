"""The fragments of tf32, which fill a register each: a shape of the same name, and other places.

Here are only the places, to be compared with those of 16-bit elements. An operand is again an ordered list of
matrices whose rows are 16 bytes. Of 16-bit elements that is 8 by 8, of 32-bit elements 8 by 4.
"""

import numpy as np
import numpy.typing as npt

from lanes.fragments import WARP

# Corners of the 8x4 matrices of A, and of the 4x8 ones of B, of m16n8k8, in register order.
A_BLOCKS = ((0, 0), (8, 0), (0, 4), (8, 4))
B_BLOCKS = ((0, 0), (4, 0))


def tf32_coords(operand: str) -> npt.NDArray[np.intp]:
    """Return (row, col) of what each lane holds of "A" or "B" of mma.m16n8k8 with tf32: (32, registers, 2).

    A is 16 by 8 in four registers, B is 8 by 8 in two; a register holds one element. C lies as it does with f16
    operands and an f32 accumulator.

    Raises ValueError for another operand.

    Source: PTX ISA, "Matrix Fragments for mma.m16n8k8", for .tf32.

    >>> tf32_coords("A")[1].tolist()
    [[0, 1], [8, 1], [0, 5], [8, 5]]
    """
    if operand not in ("A", "B"):
        raise ValueError(f"operand is {operand!r}; wanted A or B.")
    place = np.stack(np.divmod(np.arange(WARP), 4), axis=-1)  # of a lane's element in an 8x4 matrix
    if operand == "A":
        return place[:, np.newaxis] + np.array(A_BLOCKS, np.intp)
    return place[:, np.newaxis, ::-1] + np.array(B_BLOCKS, np.intp)
