"""In the worker: ask an answer for each of the 32 lanes."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from exercises.returned import whole_numbers


def run(answer: Callable[[int], Any]) -> list[npt.NDArray[Any]]:
    """Return (32, 2) integers: row and col of each lane. Raises Refusal for anything else."""
    return [
        np.array(
            [whole_numbers(answer(lane), 2, f"supplied_row({lane})", "(row, col)") for lane in range(32)]
        )
    ]
