"""The built pages, and a browser to open them with."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from bs4 import BeautifulSoup
from playwright.sync_api import Browser, sync_playwright

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


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A headless Chromium: the one that CHROMIUM names, or the one on the PATH."""
    found = os.environ.get("CHROMIUM")
    if not found:
        command = ["bash", "-c", "source ci/setup.sh; find_chromium"]
        found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
    if not found:
        pytest.fail("Chromium was not found: install it, or set CHROMIUM to its path.")
    flags = ["--disable-gpu", "--disable-quic", "--force-color-profile=srgb"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=found, args=flags, chromium_sandbox=os.geteuid() != 0
        )
        yield browser
        browser.close()
