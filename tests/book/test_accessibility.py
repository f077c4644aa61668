"""Every page under axe-core, in each look: no rule broken, none left out."""

from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.base import AXE_FILE_PATH
from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
LOOKS = {"light": (1280, "light"), "dark": (1280, "dark"), "phone": (390, "dark")}


def broken_rules(chromium: Browser, address: str, look: str) -> list[str]:
    width, scheme = LOOKS[look]
    context = chromium.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme)
    page = context.new_page()
    page.goto(address, wait_until="load")
    page.evaluate("async () => { await window.MathJax?.startup?.promise; await document.fonts.ready; }")
    # Colours fade in when the theme chooses its mode.
    page.evaluate("() => document.getAnimations().forEach(a => a instanceof CSSTransition && a.finish())")
    page.evaluate(Path(AXE_FILE_PATH).read_text())
    found = page.evaluate("axe.run({ resultTypes: ['violations'] })")["violations"]
    context.close()
    return [f"{rule['id']}: {rule['help']}: {node['html'][:200]}" for rule in found for node in rule["nodes"]]


@pytest.mark.parametrize("look", LOOKS)
def test_a_chapter_breaks_no_rule(
    chromium: Browser, serve: Callable[[Path], str], site: Path, chapter: str, look: str
) -> None:
    assert broken_rules(chromium, f"{serve(site)}/{chapter}.html", look) == []


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("name", ["book/first", "book/second", "search", "genindex"])
def test_every_kind_of_page_breaks_no_rule(
    chromium: Browser, serve: Callable[[Path], str], small: Path, name: str, look: str
) -> None:
    assert broken_rules(chromium, f"{serve(small)}/{name}.html", look) == []
