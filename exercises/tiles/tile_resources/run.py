"""In the worker: ask an answer for each tiling."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from exercises.returned import whole_numbers
from exercises.tiles.tile_resources import CASES, FIELDS


def run(answer: Callable[..., Any]) -> list[npt.NDArray[Any]]:
    """Return six integers for each case. Raises Refusal for anything else."""
    wanted = f"({', '.join(FIELDS)})"
    numbers = [whole_numbers(answer(*case), len(FIELDS), f"tile_resources{case}", wanted) for case in CASES]
    return [np.array(numbers)]
