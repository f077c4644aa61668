"""In the worker: make plain numbers of what an answer returned, or say in a sentence what it is not.

Whatever an answer returns may run code of its own when it is looked at. So it is looked at here, in the process that
can be killed, and only lists of integers go back.
"""

import itertools
import operator
from typing import Any

import numpy as np
import numpy.typing as npt

LARGEST = 2**31


class Refusal(Exception):
    """An answer did something that can be judged at once: the mistake's name, and a sentence."""

    def __init__(self, mistake: str, sentence: str) -> None:
        super().__init__(sentence)
        self.mistake = mistake


def whole_numbers(value: Any, count: int, call: str, what: str) -> list[int]:
    """Return the `count` integers in a tuple, list or array. `call` and `what` are for the sentence.

    Raises Refusal, "wrong-type" or "wrong-shape".

    >>> whole_numbers((np.uint32(3), 8), 2, "supplied_row(3)", "(row, col)")
    [3, 8]
    """
    try:
        found = list(itertools.islice(iter(value), count + 1))
    except TypeError:
        raise Refusal("wrong-type", f"{call} returned {_kind(value)}; wanted {what}.") from None
    if len(found) != count:
        number = len(found) if len(found) <= count else f"more than {count}"
        raise Refusal("wrong-shape", f"{call} returned {number} numbers; wanted {what}.")
    numbers = []
    for one in found:
        try:
            numbers.append(operator.index(one))
        except TypeError:
            raise Refusal(
                "wrong-type", f"{call} returned {_kind(one)} in it; wanted whole numbers, {what}."
            ) from None
        if abs(numbers[-1]) > LARGEST:
            raise Refusal("wrong-type", f"{call} returned a number beyond 32 bits; wanted {what}.")
    return numbers


def array(value: Any, shape: tuple[int, ...], dtype: npt.DTypeLike, call: str) -> npt.NDArray[Any]:
    """Return a plain NumPy array of that shape and dtype.

    Raises Refusal, "wrong-type", "wrong-shape" or "wrong-dtype".

    >>> array([[1, 2]], (1, 2), np.uint16, "half()")
    Traceback (most recent call last):
    exercises.returned.Refusal: half() returned a list; wanted an array of shape (1, 2).
    """
    if not isinstance(value, np.ndarray):
        raise Refusal("wrong-type", f"{call} returned {_kind(value)}; wanted an array of shape {shape}.")
    plain = np.asarray(value)
    if plain.shape != shape:
        raise Refusal("wrong-shape", f"{call} returned an array of shape {plain.shape}; wanted {shape}.")
    if plain.dtype != dtype:
        raise Refusal(
            "wrong-dtype", f"{call} returned {plain.dtype}; wanted {np.dtype(dtype)}, as it was given."
        )
    return plain


def _kind(value: Any) -> str:
    return "None" if value is None else f"a {type(value).__name__}"
