"""The same source makes the same pages, byte for byte."""

import shutil
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


@pytest.mark.slow
def test_a_build_over_an_older_one_is_as_from_nothing(
    book_builder: Callable[..., Path], small_source: Path, small: Path, tmp_path: Path
) -> None:
    """A page loses a word: the search must not know it any more."""
    source = tmp_path / "source"
    shutil.copytree(small_source, source, symlinks=True, ignore=shutil.ignore_patterns("_build"))
    third = source / "book" / "third.md"
    whole = third.read_text()
    third.write_text(f"{whole}\nThe word quagga goes.\n")
    older = book_builder(source, tmp_path / "pages")
    assert "quagga" in (older / "searchindex.js").read_text()
    third.write_text(whole)
    assert contents(book_builder(source, tmp_path / "pages", PYTHONHASHSEED="4711")) == contents(small)
