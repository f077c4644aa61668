"""In the worker: ask an answer for each case."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from exercises.returned import whole_numbers
from exercises.tiles.warp_reads import CASES


def run(answer: Callable[[int, int, bool], Any]) -> list[npt.NDArray[Any]]:
    """Return two integers for each case. Raises Refusal for anything else."""
    reads = [whole_numbers(answer(*case), 2, f"warp_reads{case}", "(a_bytes, b_bytes)") for case in CASES]
    return [np.array(reads)]
