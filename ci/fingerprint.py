"""Print one hash of the named files and folders. The scripts compare it to know whether to skip work."""

import argparse
import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path

GENERATED = {"__pycache__", ".ipynb_checkpoints"}


def files(names: list[str]) -> Iterator[Path]:
    """The files under the names, in one order on every machine. A name that does not exist has no files."""
    for name in sorted(names):
        path = Path(name)
        if path.is_dir():
            found = (file for file in path.rglob("*") if file.is_file() and not GENERATED & set(file.parts))
            yield from sorted(file for file in found if file.suffix != ".pyc")
        elif path.is_file():
            yield path


def fingerprint(names: list[str]) -> str:
    total = hashlib.sha256()
    for file in files(names):
        content = hashlib.sha256(file.read_bytes()).hexdigest()
        total.update(f"{file.as_posix()} {content}\n".encode())
    return total.hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="+")
    parser.add_argument("--python", action="store_true", help="also tell Pythons apart")
    arguments = parser.parse_args()
    prefix = f"{sys.version_info[0]}.{sys.version_info[1]} " if arguments.python else ""
    print(prefix + fingerprint(arguments.names))


if __name__ == "__main__":
    main()
