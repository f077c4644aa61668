"""How the scenes look: quiet pages from a file and from a server, both themes, a phone, paper, and what axe finds."""

from __future__ import annotations

import random
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from lanes.catalog import fragment
from lanes.fragments import WARP
from lanes.tiling import REFERENCE
from lanes.view import SCENES, LaneView, block_scene, fragment_scene, ldmatrix_scene
from lanes.view.colours import palette
from lanes.view.scene import Variant

pytestmark = pytest.mark.browser

LOOKS: dict[str, dict[str, Any]] = {
    "light": {},
    "dark": {"color_scheme": "dark"},
    "phone": {"width": 390, "height": 844},
    "dark phone": {"width": 390, "height": 844, "color_scheme": "dark", "has_touch": True},
}
# Who says that a page is dark, as attributes of the document or of its body.
DARK_PAGES = {
    "the book": ("documentElement", {"data-theme": "dark"}),
    "Colab": ("documentElement", {"theme": "dark"}),
    "JupyterLab": ("body", {"data-jp-theme-light": "false"}),
    "VS Code": ("body", {"class": "vscode-dark"}),
}
A = fragment("m16n8k16", "A")


@pytest.fixture(scope="module")
def gallery(write_page: Any) -> Any:
    """A page with every scene, and with a second one of each in a variant other than the first."""
    scenes = [make() for make in SCENES.values()]
    others = [LaneView(scene, variant=scene.variants[-1].choice) for scene in scenes]
    return write_page(*map(LaneView, scenes), *others)


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("origin", ["file", "web"])
def test_a_page_of_scenes_is_quiet_and_asks_nobody(
    look: str, origin: str, gallery: Any, open_page: Any, serve: Any
) -> None:
    """Whatever the page says on the console, fails at or asks of another host makes `open_page` fail."""
    address = gallery if origin == "file" else f"{serve(gallery.parent)}/{gallery.name}"
    page = open_page(address, **LOOKS[look])
    assert page.locator(".lanes-view").count() == 2 * len(SCENES)
    assert page.locator(".lanes-fallback, .lanes-broken").count() == 0


def test_scenes_far_below_are_drawn_only_when_they_come_near(write_page: Any, open_page: Any) -> None:
    gap = '<div style="height: 4000px"></div>'
    page = open_page(write_page(LaneView(ldmatrix_scene()), gap, LaneView(block_scene())), draw=False)
    page.wait_for_selector(".lanes-mount:has(.lanes-view)")
    assert page.locator(".lanes-view").count() == 1
    assert page.locator(".lanes-mount .lanes-fallback").count() == 1, "what is not drawn yet can be read"
    page.locator(".lanes-mount").last.scroll_into_view_if_needed()
    page.wait_for_function("document.querySelectorAll('.lanes-view').length === 2")


def test_without_a_script_the_tables_can_be_read(write_page: Any, chromium: Any) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(write_page(LaneView(ldmatrix_scene())).as_uri())
    assert page.locator(".lanes-fallback table").count() == 2
    assert page.locator(".lanes-fallback td", has_text="0,9").first.is_visible()
    context.close()


@pytest.mark.parametrize("look", ["phone", "dark phone"])
def test_a_phone_never_scrolls_sideways_and_every_text_is_large_enough(
    look: str, gallery: Any, open_page: Any
) -> None:
    page = open_page(gallery, **LOOKS[look])
    scrolled, width = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert scrolled <= width
    assert page.evaluate(SMALL_TEXT) == []


@pytest.mark.parametrize("look", LOOKS)
def test_every_text_can_be_read_against_what_is_behind_it(look: str, gallery: Any, open_page: Any) -> None:
    """4.5 to 1 (WCAG 2, level AA) in every scene: at rest, with each of some cells lit, and at each step."""
    page = open_page(gallery, **LOOKS[look])
    assert page.evaluate(POOR_CONTRAST) == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_matrix_has_the_colour_of_the_lane_that_holds_each_element(
    dark: bool, write_page: Any, open_page: Any
) -> None:
    scheme = "dark" if dark else "light"
    page = open_page(write_page(LaneView(fragment_scene())), color_scheme=scheme)
    colours = palette(dark=dark)
    fills = page.evaluate(FILLS)
    wanted = [colours[str(A.owner(row, col)[0])] for row in range(16) for col in range(16)]
    assert [fills[0][str(cell)] for cell in range(256)] == wanted


@pytest.mark.parametrize("lane", [0, 13, 31])
def test_registers_are_quiet_but_for_the_lane_that_is_asked_about(
    lane: int, write_page: Any, open_page: Any
) -> None:
    """A lane's own cell always has its colour; its registers have it while they hold what is lit."""
    colours = palette()
    row, col = A.coords[lane, 0, 0].tolist()
    page = open_page(write_page(LaneView(fragment_scene(), selection=f"A({row},{col})")))
    fills = page.evaluate(FILLS)[1]
    slots = A.registers * A.elements
    wanted = []
    for one in range(WARP):
        wanted += [colours[str(one)], *[colours[str(one)] if one == lane else colours["quiet"]] * slots]
    assert [fills[str(cell)] for cell in range(len(wanted))] == wanted


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_canvas_has_the_colour_of_the_lane_at_each_element(
    dark: bool, write_page: Any, open_page: Any
) -> None:
    page = open_page(write_page(LaneView(block_scene())), color_scheme="dark" if dark else "light")
    colours, part = palette(dark=dark), fragment(REFERENCE.mma, "C")
    cells = random.Random(3).sample(range(128 * 128), 200)
    painted = page.evaluate(PIXELS, cells)
    assert painted == [colours[str(part.owner(cell // 128 % 16, cell % 8)[0])] for cell in cells]


@pytest.mark.parametrize("who", DARK_PAGES)
def test_a_page_that_says_it_is_dark_is_dark_at_once(who: str, write_page: Any, open_page: Any) -> None:
    """Also after the scenes are drawn, as when a reader turns the theme's switch; also on a canvas."""
    page = open_page(write_page(LaneView(fragment_scene()), LaneView(block_scene())))
    node, attributes = DARK_PAGES[who]
    for name, value in attributes.items():
        page.evaluate(f"document.{node}.setAttribute('{name}', '{value}')")
    page.wait_for_timeout(100)
    colours, part = palette(dark=True), fragment(REFERENCE.mma, "C")
    lane, _, _ = A.owner(0, 9)
    assert page.evaluate(FILLS)[0]["9"] == colours[str(lane)]
    assert page.evaluate(PIXELS.replace("view(0)", "view(1)"), [5]) == [colours[str(part.owner(0, 5)[0])]]


def test_a_page_that_says_it_is_light_is_light_on_a_dark_system(write_page: Any, open_page: Any) -> None:
    path = write_page(LaneView(fragment_scene()), attributes=' data-theme="light"')
    page = open_page(path, color_scheme="dark")
    lane, _, _ = A.owner(0, 9)
    assert page.evaluate(FILLS)[0]["9"] == palette()[str(lane)]


def test_paper_is_light_has_no_buttons_and_holds_the_whole_figure(gallery: Any, open_page: Any) -> None:
    page = open_page(gallery, color_scheme="dark", width=700)
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    lane, _, _ = A.owner(0, 9)
    assert page.evaluate(FILLS)[0]["9"] == palette()[str(lane)]
    assert page.locator(".lanes-view button:visible, .lanes-view input:visible").count() == 0
    assert page.evaluate(POOR_CONTRAST) == []
    wide = page.evaluate(
        "[...document.querySelectorAll('.lanes-view [role=grid]')].map((g) => g.getBoundingClientRect().right)"
    )
    assert max(wide) <= 700


@pytest.mark.parametrize("look", ["light", "dark phone"])
def test_axe_finds_nothing(look: str, write_page: Any, open_page: Any) -> None:
    """In every scene, each in its variant with the fewest cells: axe takes long over thousands of them."""
    smallest = [min(scene.variants, key=cells_of) for scene in (make() for make in SCENES.values())]
    views = [
        LaneView(make(), variant=one.choice) for make, one in zip(SCENES.values(), smallest, strict=True)
    ]
    page = open_page(write_page(*views), **LOOKS[look])
    found = Axe().run(page, options={"preload": False, "resultTypes": ["violations"]}).response["violations"]
    assert [(one["id"], one["nodes"][0]["html"][:120]) for one in found] == []


def cells_of(variant: Variant) -> int:
    return sum(len(pane.cells) for pane in variant.panes)


# The fill of each cell of the panes that are SVG, as a colour such as "#ffe8e8".
FILLS = """() => {
  const hex = (rgb) => "#" + rgb.match(/\\d+/g).map((v) => Number(v).toString(16).padStart(2, "0")).join("");
  return read.panes(read.view(0)).map((pane) => Object.fromEntries([...pane.querySelectorAll("svg [data-cell]")]
    .map((cell) => [cell.dataset.cell, hex(getComputedStyle(cell.querySelector("rect")).fill)])));
}"""
# The pixels of the lower canvas of pane 1 at the middles of some cells, a little off, where no grid line is.
PIXELS = """(cells) => {
  const pane = read.panes(read.view(0))[1];
  const middles = read.middles(pane);
  const canvas = pane.querySelector("canvas");
  const scale = canvas.width / canvas.getBoundingClientRect().width;
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return cells.map((cell) => {
    const { x, y } = middles.get(cell);
    const at = 4 * (Math.floor(y * scale) * canvas.width + Math.floor(x * scale));
    return "#" + [...data.slice(at, at + 3)].map((v) => v.toString(16).padStart(2, "0")).join("");
  });
}"""
# Every text of the scenes that is shown, with the size it has on the screen.
SMALL_TEXT = """() => {
  const small = [];
  for (const node of document.querySelectorAll(".lanes-view *")) {
    const own = [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
    if (!own || !node.checkVisibility({ visibilityProperty: true })) continue;
    const grid = node.ownerSVGElement;
    const scale = grid ? grid.getBoundingClientRect().width / grid.viewBox.baseVal.width : 1;
    const size = parseFloat(getComputedStyle(node).fontSize) * scale;
    if (size < 10.99) small.push(`${size.toFixed(1)} ${node.getAttribute("class")}: ${node.textContent.slice(0, 30)}`);
  }
  return [...new Set(small)];
}"""
# Text against the nearest ground that is painted: of a cell its own fill, else the backgrounds around it.
POOR_CONTRAST = """() => {
  const light = (rgb) => rgb.match(/[\\d.]+/g).slice(0, 3)
    .map((v) => v / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const clear = (colour) => colour === "none" || colour === "transparent" || /, 0\\)$/.test(colour);
  const ground = (node) => {
    const frame = node.tagName === "text" && node.parentNode.querySelector(":scope > rect");
    if (frame && !clear(getComputedStyle(frame).fill)) return getComputedStyle(frame).fill;
    for (let at = node; at; at = at.parentElement) {
      if (!clear(getComputedStyle(at).backgroundColor)) return getComputedStyle(at).backgroundColor;
    }
    return "rgb(255, 255, 255)";
  };
  const poor = new Map();
  const judge = (root, when) => {
    for (const node of root.querySelectorAll("*")) {
      const own = [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
      if (!own || !node.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      const style = getComputedStyle(node);
      const colours = [node.ownerSVGElement ? style.fill : style.color, ground(node)];
      const [a, b] = colours.map(light).sort((x, y) => y - x);
      const ratio = (a + 0.05) / (b + 0.05);
      const what = `${when}: ${ratio.toFixed(2)} ${node.textContent.slice(0, 30)}`;
      if (ratio < 4.5) poor.set(`${colours} ${node.getAttribute("class")}`, what);
    }
  };
  for (const root of document.querySelectorAll(".lanes-view")) {
    judge(root, "at rest");
    read.panes(root).forEach((pane, at) => {
      const cells = [...pane.querySelectorAll("svg [data-cell]")].map((cell) => Number(cell.dataset.cell));
      for (const cell of cells.filter((_, index) => index % 37 === 0)) {
        read.send(root, at, cell, "pointermove");
        judge(root, `cell ${cell} of pane ${at}`);
      }
      read.leave(root, at);
    });
    const next = [...root.querySelectorAll(".lanes-steps button")].find((one) => one.textContent === "next");
    for (let step = 1; next && step <= 5; step += 1) {
      next.click();
      judge(root, `step ${step}`);
    }
  }
  return [...poor];
}"""
