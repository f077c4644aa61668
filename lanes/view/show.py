"""What a cell of a notebook shows beside a scene: a table of records, a listing with marked lines."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any


@dataclass(frozen=True)
class Table:
    """A table of records that have the same fields.

    Raises ValueError, when made, for records with different fields.

    >>> Table([{"lane": 0, "holds": "A(0,0)"}])
    lane | holds
    --- | ---
    0 | A(0,0)
    """

    records: Sequence[Mapping[str, Any]]

    def __post_init__(self) -> None:
        """Check that one head fits all."""
        if len({tuple(record) for record in self.records}) > 1:
            raise ValueError("the records of a table must have the same fields.")

    def __repr__(self) -> str:
        fields = list(self.records[0]) if self.records else []
        lines = [fields, ["---"] * len(fields), *(record.values() for record in self.records)]
        return "\n".join(" | ".join(map(str, line)) for line in lines)

    def _repr_markdown_(self) -> str:
        return repr(self)


@dataclass(frozen=True)
class Listing:
    """Lines of code, those that hold a marked word set off; one listing, or one for each architecture.

    lines: the lines, or {"sm_80": lines, ...}, of which the page shows those of the architecture it is switched to.
    marks: word to the class of its colour in the page's stylesheet, "hmma" or "ldsm".

    >>> Listing(["HMMA a < b"], {"HMMA": "hmma"})._repr_html_()
    '<pre class="lanes-listing" tabindex="0"><mark class="hmma">HMMA a &lt; b</mark></pre>'
    """

    lines: Sequence[str] | Mapping[str, Sequence[str]]
    marks: Mapping[str, str]

    def _repr_html_(self) -> str:
        if not isinstance(self.lines, Mapping):
            return self._html(self.lines)
        return "".join(
            f'<div class="lanes-arch" data-arch="{escape(arch)}">{self._html(lines)}</div>'
            for arch, lines in self.lines.items()
        )

    def _html(self, lines: Sequence[str]) -> str:
        body = "\n".join(map(self._line, lines))
        return f'<pre class="lanes-listing" tabindex="0">{body}</pre>'

    def _line(self, line: str) -> str:
        for word, colour in self.marks.items():
            if word in line:
                return f'<mark class="{escape(colour)}">{escape(line)}</mark>'
        return escape(line)
