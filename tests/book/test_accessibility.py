"""Every page under axe-core, in each look: no rule broken, none left out."""

from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.base import AXE_FILE_PATH
from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
RUN = "axe.run({ resultTypes: ['violations'] }).then((result) => result.violations)"
Settle = Callable[[Page], None]
LOOKS = {"light": (1280, "light"), "dark": (1280, "dark"), "phone": (390, "dark")}


def broken_rules(chromium: Browser, settle: Settle, address: str, look: str) -> list[str]:
    """What axe finds when the page is opened, and when every widget on it is drawn."""
    width, scheme = LOOKS[look]
    context = chromium.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme)
    page = context.new_page()
    page.goto(address, wait_until="load")
    settle(page)
    page.evaluate(Path(AXE_FILE_PATH).read_text())
    found = page.evaluate(RUN)
    mounts = page.locator(".lanes-mount")
    for n in range(mounts.count()):
        mounts.nth(n).scroll_into_view_if_needed()
        mounts.nth(n).locator(".lanes-view").wait_for()
    if mounts.count():
        settle(page)
        found += page.evaluate(RUN)
    context.close()
    return [f"{rule['id']}: {rule['help']}: {node['html'][:200]}" for rule in found for node in rule["nodes"]]


@pytest.mark.parametrize("look", LOOKS)
def test_a_chapter_breaks_no_rule(
    chromium: Browser, settle: Settle, serve: Callable[[Path], str], site: Path, chapter: str, look: str
) -> None:
    assert broken_rules(chromium, settle, f"{serve(site)}/{chapter}.html", look) == []


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("name", ["book/first", "book/second", "search", "genindex"])
def test_every_kind_of_page_breaks_no_rule(
    chromium: Browser, settle: Settle, serve: Callable[[Path], str], small: Path, name: str, look: str
) -> None:
    assert broken_rules(chromium, settle, f"{serve(small)}/{name}.html", look) == []
