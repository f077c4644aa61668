"""The built pages: the book itself, and a small book with one of everything, built for the tests."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import yaml
from bs4 import BeautifulSoup
from playwright.sync_api import Browser, Page

Listen = Callable[..., list[str]]
Serve = Callable[[Path], str]

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "_build" / "html"
LOOKS = {"light": (1280, "light"), "dark": (1280, "dark"), "phone": (390, "light")}


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


def build(source: Path, output: Path, **environment: str) -> Path:
    """Build a book as ci/book.sh does, and return the folder of its pages. The test fails if the build warns."""
    command = [
        Path(sys.executable).parent / "jupyter-book",
        "build",
        source,
        "--all",
        "-W",
        "-n",
        "--keep-going",
    ]
    calm = {"JUPYTER_PREFER_ENV_PATH": "1", "PYDEVD_DISABLE_FILE_VALIDATION": "1"}
    done = subprocess.run(
        [*command, "--path-output", output],
        cwd=source,
        env=os.environ | calm | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr + done.stdout[-2000:]
    return output / "_build" / "html"


@pytest.fixture(scope="session")
def book_builder() -> Callable[..., Path]:
    return build


@pytest.fixture(scope="session")
def small_source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source of three short pages under this book's settings."""
    source = tmp_path_factory.mktemp("small")
    shutil.copytree(ROOT / "tests" / "book" / "small", source, dirs_exist_ok=True)
    shutil.copy(ROOT / "_config.yml", source)
    for name in ("_ext", "_assets"):
        (source / "book" / name).symlink_to(ROOT / "book" / name)
    return source


@pytest.fixture(scope="session")
def small(small_source: Path) -> Path:
    """The three pages, built: what the pages can do, whatever the chapters hold."""
    return build(small_source, small_source)


@pytest.fixture(scope="session")
def settle() -> Callable[[Page], None]:
    """A function that waits until a page looks as it will stay: formulas set, fonts loaded, colours faded in."""

    def wait(page: Page) -> None:
        page.wait_for_function(
            "[...document.querySelectorAll('article .math')].every((one) => one.querySelector('mjx-container'))"
        )
        page.evaluate("async () => { await document.fonts.ready; }")
        page.evaluate(
            "document.getAnimations().forEach((one) => one instanceof CSSTransition && one.finish())"
        )

    return wait


@pytest.fixture(params=LOOKS)
def page(request: pytest.FixtureRequest, chromium: Browser, listen: Listen) -> Iterator[Page]:
    """An empty page of one look, for pages that are files. The test also fails if the page complains."""
    width, scheme = LOOKS[request.param]
    context = chromium.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme)
    page = context.new_page()
    complaints = listen(page)
    yield page
    context.close()
    assert complaints == []


@pytest.fixture
def web_page(chromium: Browser, listen: Listen, serve: Serve, small: Path) -> Iterator[Page]:
    """An empty page of a desk's width, whose addresses are those of the small book on a web server."""
    address = serve(small)
    context = chromium.new_context(viewport={"width": 1280, "height": 844}, base_url=address)
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=address)
    page = context.new_page()
    page.set_default_timeout(5000)
    complaints = listen(page, address)
    yield page
    context.close()
    assert complaints == []
