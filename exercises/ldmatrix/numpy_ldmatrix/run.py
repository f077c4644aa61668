"""In the worker: give an answer each case, on memory that cannot be written to."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from exercises.returned import array

Array = npt.NDArray[Any]


def run(answer: Callable[[Array, bool], Any], *cases: tuple[Array, bool]) -> list[Array]:
    """Return (32, num, 2) for each case, of the dtype of its rows. Raises Refusal for anything else."""
    registers = []
    for rows, trans in cases:
        num = len(rows) // 8
        # Bytes cannot be made writeable, as an array's own memory could.
        memory = np.frombuffer(rows.tobytes(), rows.dtype).reshape(rows.shape)
        call = f"numpy_ldmatrix(rows of x{num}, {trans})"
        registers.append(array(answer(memory, trans), (32, num, 2), rows.dtype, call))
    return registers
