"""The same source makes the same pages, byte for byte."""

from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def contents(site: Path) -> dict[str, bytes]:
    return {
        file.relative_to(site).as_posix(): file.read_bytes()
        for file in sorted(site.rglob("*"))
        if file.is_file() and file.name != ".built"
    }


@pytest.mark.slow
def test_two_builds_of_the_book_are_the_same(
    site: Path, book_builder: Callable[..., Path], tmp_path: Path
) -> None:
    """The book as it was built, perhaps over an older one, and as it is built from nothing with other hashes."""
    again = contents(book_builder(ROOT, tmp_path, PYTHONHASHSEED="4711"))
    built = contents(site)
    assert sorted(built) == sorted(again)
    assert [name for name in built if built[name] != again[name]] == []
