"""How much a page loads, and how soon its first widget answers."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

Load = Callable[[str], dict[str, int]]
Serve = Callable[[Path], str]
KILOBYTES, REQUESTS, SECONDS = 600, 15, 1.0


@pytest.fixture
def load(chromium: Browser, settle: Callable[[Page], None]) -> Load:
    """A function of an address: the bytes of each request of that page, with an empty cache, as they were sent."""
    return lambda address: sizes_of(chromium, settle, address)


def sizes_of(chromium: Browser, settle: Callable[[Page], None], address: str) -> dict[str, int]:
    context = chromium.new_context(viewport={"width": 1280, "height": 844})
    page = context.new_page()
    protocol = context.new_cdp_session(page)
    protocol.send("Network.enable")
    asked: dict[str, str] = {}
    sizes: dict[str, int] = {}

    def ask(event: dict) -> None:
        asked[event["requestId"]] = event["request"]["url"]

    def finish(event: dict) -> None:
        sizes[asked[event["requestId"]]] = event["encodedDataLength"]

    protocol.on("Network.requestWillBeSent", ask)
    protocol.on("Network.loadingFinished", finish)
    page.goto(address, wait_until="load")
    settle(page)
    context.close()
    return {name: size for name, size in sizes.items() if not name.startswith(("data:", "blob:"))}


def test_a_page_is_light(load: Load, serve: Serve, site: Path, chapter: str) -> None:
    sizes = load(f"{serve(site)}/{chapter}.html")
    assert sum(sizes.values()) <= 1000 * KILOBYTES, sizes
    assert len(sizes) <= REQUESTS, sizes


def test_a_page_loads_only_what_it_shows(load: Load, serve: Serve, small: Path) -> None:
    """A page without a widget and without formulas loads neither's script."""

    def names(page: str) -> set[str]:
        found = load(f"{serve(small)}/book/{page}.html")
        return {address.rpartition("/")[2].partition("?")[0] for address in found}

    common = {"page.css", "page.js"}
    # The third is the second's child, and has a formula.
    assert names("second") == {"second.html", *common}
    assert names("third") > {"third.html", "formulas.js", *common}
    assert {"lane-view.js", "lane-view.css", "formulas.js"} < names("first") - common


def test_the_scene_is_in_the_page_once(small: Path) -> None:
    """The state of ipywidgets would hold it again, under ids that change with every build."""
    text = (small / "book" / "first.html").read_text()
    assert text.count("data-scene=") == 1
    script = (small / "_static" / "page.js").read_text()
    for trace in ("vnd.jupyter", "model_id", "_view_module"):
        assert trace not in text + script, trace


# Hovers a cell as soon as there is one, until the sentence of its widget changes; keeps the time of that.
HOVER = """
const hover = () => {
  const view = document.querySelector(".lanes-view");
  const cell = view?.querySelectorAll("[role=gridcell][aria-selected=false]")[20];
  const said = view?.querySelector(".lanes-said").textContent;
  if (said && window.before && said !== window.before) {
    window.answered = performance.now();
    return;
  }
  if (said) window.before ??= said;
  if (cell) {
    const { x, y } = cell.getBoundingClientRect();
    const where = { clientX: x + 5, clientY: y + 5, pointerType: "mouse", bubbles: true };
    cell.dispatchEvent(new PointerEvent("pointermove", where));
  }
  requestAnimationFrame(hover);
};
requestAnimationFrame(hover);
"""


@pytest.mark.timing
def test_the_first_hover_works_soon(chromium: Browser, serve: Serve, small: Path) -> None:
    """From the start of the navigation. The best of three: a busy machine may be slow once."""
    seconds = []
    for _ in range(3):
        context = chromium.new_context(viewport={"width": 1280, "height": 844})
        page = context.new_page()
        page.add_init_script(HOVER)
        page.goto(f"{serve(small)}/book/first.html")
        seconds.append(page.wait_for_function("window.answered").json_value() / 1000)
        context.close()
    assert min(seconds) <= SECONDS, seconds
