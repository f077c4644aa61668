"""The command line, `python -m exercises`: which exercises there are, and whether their checks hold.

    python -m exercises list --json
    python -m exercises verify
    python -m exercises verify supplied-row

JSON is a list of objects with `name`, `chapter`, `title` and `wrong`, which maps each wrong answer to its mistake.

verify prints a line for each exercise and one in sum. Exit code 0: all is well; 1: an exercise does not hold; 2: bad
input, or a check that could not run, with one line on stderr.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from typing import NoReturn

from exercises import EXERCISES, CheckError, get
from exercises.verify import faults


class _Parser(argparse.ArgumentParser):
    """argparse, with its complaint and the usage on one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{' '.join(message.split())}; {' '.join(self.format_usage().split())}\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser("python -m exercises", description="The exercises of the book.", allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", required=True, parser_class=_Parser)
    listing = commands.add_parser("list", help="name the exercises", allow_abbrev=False)
    listing.add_argument("--json", action="store_true")
    proof = commands.add_parser("verify", help="prove that their checks hold", allow_abbrev=False)
    proof.add_argument("names", nargs="*", metavar="NAME")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    >>> main(["list"])
    place-thread    chapter 1  From a thread's number to its patch of C
    tile-resources  chapter 1  What a tiling takes
    warp-reads      chapter 1  What a warp reads in a step
    claim-patch     chapter 1  Claim a patch of C
    supplied-row    chapter 3  Which row a lane supplies
    numpy-ldmatrix  chapter 3  ldmatrix in NumPy
    load-padded     chapter 3  Load from a padded tile
    0
    """
    try:
        wish = _parser().parse_args(argv)
    except SystemExit as stop:  # 0 after --help
        return int(stop.code or 0)
    try:
        code = _list(as_json=wish.json) if wish.command == "list" else _verify(wish.names)
        sys.stdout.flush()
        return code
    except (ValueError, CheckError) as refusal:
        print(f"python -m exercises: {' '.join(str(refusal).split())}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("python -m exercises: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # Whoever reads has enough. Python would complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print(f"python -m exercises: {error}", file=sys.stderr)
        return 2


def _list(*, as_json: bool) -> int:
    if as_json:
        rows = [
            {
                "name": one.name,
                "chapter": one.chapter,
                "title": one.title,
                "wrong": dict(one.wrong),
            }
            for one in EXERCISES.values()
        ]
        print(json.dumps(rows, indent=2))
    else:
        width = max(map(len, EXERCISES))
        for one in EXERCISES.values():
            print(f"{one.name:{width}}  chapter {one.chapter}  {one.title}")
    return 0


def _verify(names: Sequence[str]) -> int:
    wanted = [get(name) for name in dict.fromkeys(names or EXERCISES)]
    broken = 0
    for exercise in wanted:
        start = time.perf_counter()
        found = faults(exercise)
        broken += bool(found)
        verdict = "; ".join(found) or (
            f"the solution passes, the stub fails, {len(exercise.wrong)} wrong answers fail by name"
        )
        mark = "FAILED " if found else ""
        print(f"{exercise.name}: {mark}{verdict} ({time.perf_counter() - start:.1f} s)", flush=True)
    print(f"{len(wanted) - broken} of {len(wanted)} exercises hold")
    return 1 if broken else 0
