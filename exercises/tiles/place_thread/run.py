"""In the worker: ask an answer for each of the 256 threads."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from exercises.returned import whole_numbers

WANTED = "(warp, lane, warp_m, warp_n, row, col)"


def run(answer: Callable[[int], Any]) -> list[npt.NDArray[Any]]:
    """Return (256, 6) integers. Raises Refusal for anything else."""
    places = [whole_numbers(answer(thread), 6, f"place_thread({thread})", WANTED) for thread in range(256)]
    return [np.array(places)]
