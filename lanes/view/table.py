"""The text form of a scene: a table with a line for each cell, as CSV or Markdown.

The widget's own buttons write the same tables, byte for byte.
"""

import csv
import io
import re
from collections.abc import Sequence

from lanes.view.pane import KINDS
from lanes.view.scene import Variant
from lanes.view.text import Value

RISKY = ("=", "+", "-", "@")  # a spreadsheet takes a field that begins so for a formula
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?", re.IGNORECASE)


def table(variant: Variant) -> list[list[str]]:
    """Return the head and a line for each cell that can be selected: pane, name, kind, and every column.

    A value that a cell lacks is empty; the members of a list are joined by a space.

    >>> from lanes.view.scenes import mma_scene
    >>> table(mma_scene().variant())[1][:6]
    ['A', 'A(0,0)', 'cell', 'A', '0', '0']
    """
    columns = list(dict.fromkeys(column for pane in variant.panes for column in pane.columns))
    lines = [["pane", "name", "kind", *columns]]
    for pane in variant.panes:
        for cell, name in zip(pane.cells, pane.cell_names, strict=True):
            if cell["kind"] in KINDS:
                values = (_field(cell.get(column)) for column in columns)
                lines.append([pane.name, name, str(cell["kind"]), *values])
    return lines


def as_csv(lines: Sequence[Sequence[str]]) -> str:
    r"""Return a table as CSV (RFC 4180 with plain newlines). A text that looks like a formula gets an apostrophe.

    >>> as_csv([["a", "b"], ["=1+1", "-3"]])
    "a,b\n'=1+1,-3\n"
    """
    return "".join(map(_csv_line, lines))


def as_markdown(lines: Sequence[Sequence[str]]) -> str:
    r"""Return a table as Markdown.

    >>> as_markdown([["a", "b"], ["1|2", ""]])
    '| a | b |\n| --- | --- |\n| 1\\|2 |  |\n'
    """
    head, *rest = [[_one_line(field).replace("|", "\\|") for field in line] for line in lines]
    return "".join(f"| {' | '.join(line)} |\n" for line in [head, ["---"] * len(head), *rest])


def _csv_line(line: Sequence[str]) -> str:
    # The writer quotes what its own line end holds: with this one, both kinds of line break inside a field.
    sheet = io.StringIO(newline="")
    csv.writer(sheet, lineterminator="\r\n").writerow(map(_harmless, line))
    return sheet.getvalue().removesuffix("\r\n") + "\n"


def _field(value: Value) -> str:
    if value is None:
        return ""
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _harmless(field: str) -> str:
    return f"'{field}" if field.startswith(RISKY) and not NUMBER.fullmatch(field) else field


def _one_line(field: str) -> str:
    return field.replace("\r\n", " ").replace("\r", " ").replace("\n", " ")
