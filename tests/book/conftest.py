"""The built pages."""

from pathlib import Path

import pytest
import yaml
from bs4 import BeautifulSoup

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "_build" / "html"


def chapters() -> list[str]:
    """The pages of the table of contents, as paths without a suffix."""
    contents = yaml.safe_load((ROOT / "_toc.yml").read_text())
    names = [contents["root"]]
    waiting = [contents]
    while waiting:
        entry = waiting.pop(0)
        for key in ("parts", "chapters", "sections"):
            waiting += entry.get(key, [])
            names += [child["file"] for child in entry.get(key, []) if "file" in child]
    return names


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that takes `chapter` runs once for each chapter."""
    if "chapter" in metafunc.fixturenames:
        metafunc.parametrize("chapter", chapters())


@pytest.fixture(scope="session")
def site() -> Path:
    """The built pages; the test fails if they are not there, it never skips."""
    if not (SITE / ".built").exists():
        pytest.fail("The book is not built: run ./ci/book.sh")
    return SITE


@pytest.fixture(scope="session")
def soups(site: Path) -> dict[Path, BeautifulSoup]:
    """Every built page, parsed."""
    pages = sorted(page for page in site.rglob("*.html") if "_static" not in page.parts)
    return {page: BeautifulSoup(page.read_text(), "html.parser") for page in pages}
