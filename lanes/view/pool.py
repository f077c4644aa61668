"""Columns as a scene stores them: each once, and packed where that is shorter."""

import json
from dataclasses import dataclass, field
from typing import Any

from lanes.view.text import Value


@dataclass
class Pool:
    """The columns of a scene: `add` returns a column's number, the same one for an equal column.

    >>> pool = Pool()
    >>> pool.add(["cell"] * 9), pool.add([3, 4]), pool.add(["cell"] * 9), pool.columns
    (0, 1, 0, [{'of': ['cell'], 'at': 0}, [3, 4]])
    """

    _numbers: dict[str, int] = field(default_factory=dict)

    def add(self, column: list[Value]) -> int:
        return self._numbers.setdefault(json.dumps(_packed(column)), len(self._numbers))

    @property
    def columns(self) -> list[Any]:
        """Every column in the order of its number: a list, or {"of": its distinct values, "at": where each is used}."""
        return [json.loads(column) for column in self._numbers]


def _packed(column: list[Value]) -> Any:
    places: dict[str, int] = {}
    at = [places.setdefault(json.dumps(value), len(places)) for value in column]
    packed = {"of": [json.loads(value) for value in places], "at": 0 if len(places) == 1 else at}
    return packed if len(json.dumps(packed)) < len(json.dumps(column)) else column
