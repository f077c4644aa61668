"""The command line, `python -m lanes`: which lane holds an element, which elements a lane holds, and pictures of both.

    python -m lanes fragment m16n8k16 A --at 0,9
    python -m lanes fragment m16n8k16 C --dtype f32 --lane 5
    python -m lanes ldmatrix x4 --trans --lane 16 --format json
    python -m lanes view ldmatrix --variant x4,plain,padded --select "A(0,9)" --format svg --output ldmatrix.svg

JSON is a list of records; CSV and Markdown have the same fields as columns.

fragment: `lane`, `reg`, `half` (0 is the low 16 bits; always 0 for f32), `row`, `col`, `name` (PTX's), in the
order of the first three.

ldmatrix: `role`, `lane`, `matrix`, `row`, `col`, `reg`, `half`, lane by lane. Role "supplies" says which
row's address the lane supplies; "ignored", that the address of this lane is not used; "receives", which
element, as it lies in memory, the lane receives, and where. Fields that a role lacks are null in JSON, empty
in CSV, else "-".

view: a scene as a picture (svg, png), its table (md, csv), or its data (json). `--help` lists the scenes.

Exit code 2, with one line on stderr that names what is supported, for anything else.
"""

import argparse
import csv
import io
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from lanes.catalog import fragment, ldmatrix_row
from lanes.files import check_target, write_whole
from lanes.fragments import DTYPES, WARP, Fragment, within
from lanes.instructions import MMA, Ldmatrix

Records = list[dict[str, Any]]
ROLE_FIELDS = ("role", "lane", "matrix", "row", "col", "reg", "half")


def fragment_records(part: Fragment) -> Records:
    """Return one record for each element that a fragment holds, by lane, reg and half.

    >>> fragment_records(fragment("m16n8k8", "B"))[1]
    {'lane': 0, 'reg': 0, 'half': 1, 'row': 1, 'col': 0, 'name': 'b1'}
    """
    return [
        {"lane": lane, "reg": reg, "half": half, "row": row, "col": col, "name": part.names[reg][half]}
        for lane, reg, half in np.ndindex(part.coords.shape[:3])
        for row, col in [part.coords[lane, reg, half].tolist()]
    ]


def ldmatrix_records(row: Ldmatrix) -> Records:
    """Return, lane by lane, a record of what it supplies and one for each element that it receives.

    >>> [list(record.values()) for record in ldmatrix_records(ldmatrix_row(1))[:3]]
    [['supplies', 0, 0, 0, None, None, None], ['receives', 0, 0, 0, 0, 0, 0], ['receives', 0, 0, 0, 1, 0, 1]]
    """
    rows: list[tuple[Any, ...]] = []
    for lane in range(WARP):
        place = row.supplier(lane)
        rows.append(("supplies", lane, *place) if place else ("ignored", lane))
        for reg, half in np.ndindex(row.num, 2):
            rows.append(("receives", lane, *row.element(lane, reg, half), reg, half))
    return [dict(zip(ROLE_FIELDS, (*values, *[None] * 7), strict=False)) for values in rows]


def render(records: Records, form: str, caption: str) -> str:
    """Return records as "text" under a caption, "json", "csv" or "md", without a last newline.

    >>> print(render([{"lane": 0, "row": None}], "md", ""))
    | lane | row |
    | --- | --- |
    | 0 | - |
    """
    if form == "json":
        return "[\n" + ",\n".join(json.dumps(record) for record in records) + "\n]"
    fields = list(records[0])
    if form == "csv":
        sheet = io.StringIO()
        writer = csv.DictWriter(sheet, fields, lineterminator="\n")
        writer.writeheader()
        writer.writerows(records)
        return sheet.getvalue().rstrip("\n")
    cells = [["-" if value is None else str(value) for value in record.values()] for record in records]
    if form == "md":
        return "\n".join(f"| {' | '.join(line)} |" for line in [fields, ["---"] * len(fields), *cells])
    widths = [max(map(len, column)) for column in zip(fields, *cells, strict=True)]
    table = [
        [cell.rjust(width) for cell, width in zip(line, widths, strict=True)] for line in [fields, *cells]
    ]
    return "\n".join([caption, *map("  ".join, table)])


class _Parser(argparse.ArgumentParser):
    """argparse, with its complaint and the usage on one line."""

    def error(self, message: str) -> NoReturn:
        usage = " ".join(self.format_usage().split())
        self.exit(2, f"{' '.join(message.split())}; {usage}\n")


def _parser() -> argparse.ArgumentParser:
    shapes = ",".join(dict.fromkeys(row.shape for row in MMA))
    parser = _Parser("python -m lanes", description="Which lane holds which element.", allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", required=True)

    # The model checks these names and numbers, so that its sentences are the only ones; see `_answer`.
    of_mma = commands.add_parser(
        "fragment", help="how an mma's operand lies in the lanes", allow_abbrev=False
    )
    of_mma.add_argument("shape", metavar=f"{{{shapes}}}")
    of_mma.add_argument("operand", metavar="{A,B,C}")
    of_mma.add_argument(
        "--dtype", default="f16", metavar=f"{{{','.join(DTYPES)}}}", help="the operand's own type"
    )
    one = of_mma.add_mutually_exclusive_group()
    one.add_argument("--lane", type=int, metavar="0-31", help="only what this lane holds")
    one.add_argument("--at", metavar="ROW,COL", help="only who holds this element")

    of_load = commands.add_parser("ldmatrix", help="who supplies and who receives", allow_abbrev=False)
    of_load.add_argument("num", metavar="{x1,x2,x4}")
    of_load.add_argument("--trans", action="store_true", help="transpose each matrix on the way")
    of_load.add_argument("--lane", type=int, metavar="0-31", help="only this lane")

    for command in (of_mma, of_load):
        command.add_argument("--format", choices=("text", "json", "csv", "md"), default="text")

    of_scene = commands.add_parser("view", help="a scene as a picture, a table or data", allow_abbrev=False)
    of_scene.add_argument("scene", metavar="SCENE", help="fragment, mma, ldmatrix or block")
    of_scene.add_argument("--variant", default="", help="its options joined by ',', such as x4,plain,dense")
    of_scene.add_argument("--select", default="", metavar="NAME", help='the cell to select, such as "A(0,9)"')
    of_scene.add_argument("--format", default="svg", metavar="{svg,png,md,csv,json}")
    of_scene.add_argument("--dark", action="store_true", help="colours for a dark page")
    of_scene.add_argument("--output", type=Path, metavar="FILE", help="write here; a png needs it")
    return parser


def _answer(wish: argparse.Namespace) -> tuple[Records, str]:
    """Return the records that were asked for and their caption. Raises ValueError or IndexError."""
    lane = None if wish.lane is None else within("--lane", wish.lane, WARP)
    if wish.command == "ldmatrix":
        if wish.num not in ("x1", "x2", "x4"):
            raise ValueError(f"num is {wish.num!r}; wanted x1, x2 or x4.")
        row = ldmatrix_row(int(wish.num[1:]), trans=wish.trans)
        records, caption = ldmatrix_records(row), row.mnemonic
    else:
        if wish.dtype not in DTYPES:
            raise ValueError(f"--dtype is {wish.dtype!r}; wanted one of {', '.join(DTYPES)}.")
        part = fragment(wish.shape, wish.operand, dtype=wish.dtype)
        records = fragment_records(part)
        caption = f"{wish.operand} of {wish.shape}: {part.shape[0]}x{part.shape[1]}, {part.dtype}"
        if wish.at is not None:
            owner = part.owner(*_pair(wish.at))
            records = [
                record for record in records if (record["lane"], record["reg"], record["half"]) == owner
            ]
    return [record for record in records if lane is None or record["lane"] == lane], caption


def _view(wish: argparse.Namespace) -> str:
    """Return what to print of a scene. Raises ValueError, OSError, or ModuleNotFoundError without matplotlib."""
    if wish.output:
        try:
            check_target(wish.output)
        except ValueError as refusal:
            raise ValueError(f"--output {refusal}") from None
    if wish.format == "png" and not wish.output:
        raise ValueError("--format png wants --output FILE.")
    try:
        from lanes.view.command import rendered  # the other commands need NumPy alone
    except ModuleNotFoundError as missing:
        package = str(missing.name).partition(".")[0]
        raise ModuleNotFoundError(f"view needs the package {package}, which is not installed.") from None
    content = rendered(wish.scene, wish.variant, wish.select, wish.format, dark=wish.dark)
    if not wish.output:
        return content.decode().rstrip("\n")
    write_whole(wish.output, content)
    return f"wrote {wish.output}"


def _pair(text: str) -> tuple[int, int]:
    try:
        row, col = map(int, text.split(","))
    except ValueError:
        raise ValueError(f"--at is {text!r}; wanted ROW,COL, such as 0,9.") from None
    return row, col


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    >>> main(["fragment", "m16n8k16", "A", "--at", "0,9", "--format", "csv"])
    lane,reg,half,row,col,name
    0,2,1,0,9,a5
    0
    """
    try:
        wish = _parser().parse_args(argv)
    except SystemExit as stop:  # 0 after --help
        return int(stop.code or 0)
    try:
        if wish.command == "view":
            text = _view(wish)
        else:
            records, caption = _answer(wish)
            text = render(records, wish.format, caption)
    except (ValueError, IndexError, ModuleNotFoundError, OSError) as refusal:
        print(refusal, file=sys.stderr)
        return 2
    try:
        print(text, flush=True)
    except KeyboardInterrupt:
        print("python -m lanes: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # Whoever reads has enough. Python would complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print(f"python -m lanes: {error}", file=sys.stderr)
        return 2
    return 0
