"""What the tests of the widget share: pages made of scenes, an ear for them, what lights up there, and Firefox."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, cast

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parents[2]
LOOPBACK = re.compile(r"(file|data|blob|about):|https?://(127\.0\.0\.1|localhost)[:/]")
PAGE = """<!doctype html>
<html lang="en"{attributes}><head><meta charset="utf-8"><title>Scenes</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
<style>body {{ margin: 0; background: var(--lanes-ground); color: var(--lanes-ink) }} main {{ padding: 8px }}</style>
<link rel="stylesheet" href="lane_view.css"></head>
<body><main><h1>Scenes</h1>{body}</main><script src="lane_view.js"></script></body></html>
"""


@pytest.fixture(scope="session")
def write_page(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """A function of views: the path of a page that shows them, as the book does, with no Python behind it."""
    from lanes.view.bundle import page_script, stylesheet

    folder = tmp_path_factory.mktemp("pages")
    (folder / "lane_view.js").write_text(page_script(), encoding="utf-8")
    (folder / "lane_view.css").write_text(stylesheet(), encoding="utf-8")
    numbers = itertools.count(1)

    def write(*views: Any, attributes: str = "") -> Path:
        body = "\n".join(one if isinstance(one, str) else static(one) for one in views)
        page = folder / f"page{next(numbers)}.html"
        page.write_text(PAGE.format(body=body, attributes=attributes), encoding="utf-8")
        return page

    return write


def static(view: Any) -> str:
    """What a view leaves on a page."""
    data, _ = view._repr_mimebundle_()
    return str(data["text/html"])


@pytest.fixture
def open_page(chromium: Browser) -> Iterator[Callable[..., Page]]:
    """A function of an address: the page, quiet to its end. Other hosts cannot be reached; asking them is a failure.

    width, height: of the window. Other options are those of a browser context. draw: draw every scene at once, also
    those that are out of sight.
    """
    with contextlib.ExitStack() as stack:
        heard: list[str] = []

        def open_(
            page: Path | str, *, width: int = 1100, height: int = 900, draw: bool = True, **options: Any
        ) -> Page:
            context = chromium.new_context(viewport={"width": width, "height": height}, **options)
            stack.callback(context.close)
            opened = context.new_page()
            context.route(lambda address: not LOOPBACK.match(address), lambda route: route.abort())
            opened.on("console", lambda message: heard.append(f"{message.type}: {message.text}"))
            opened.on("pageerror", lambda error: heard.append(f"error: {error}"))
            opened.on("requestfailed", lambda request: heard.append(f"failed: {request.url}"))
            opened.on(
                "request", lambda asked: LOOPBACK.match(asked.url) or heard.append(f"asked: {asked.url}")
            )
            opened.on("response", lambda got: got.status < 400 or heard.append(f"{got.status}: {got.url}"))
            opened.goto(page.as_uri() if isinstance(page, Path) else page)
            opened.evaluate(READ)
            if draw:
                opened.evaluate(
                    "document.querySelectorAll('.lanes-mount').forEach((one) => lanesView.mount(one))"
                )
            return opened

        yield open_
    assert heard == []


@pytest.fixture(params=["chromium", "firefox"])
def hands(request: pytest.FixtureRequest, open_page: Callable[..., Page]) -> Iterator[Callable[..., Any]]:
    """A function of a page's path: a browser that shows it, Chromium or Firefox, with a mouse, a finger and keys.

    Firefox is heard as well: the test fails if its page complains.
    """
    if request.param == "chromium":
        yield lambda path, **options: Chromium(open_page(path, has_touch=True, **options))
        return
    firefox = request.getfixturevalue("firefox")

    def show(path: Path, **options: Any) -> Firefox:
        firefox.open(path, **options)
        return cast("Firefox", firefox)

    yield show
    firefox.evaluate("() => 0")  # what was said arrives before the answer
    assert firefox.heard == []


class Chromium:
    """A page of Chromium with the same hands as `Firefox`."""

    def __init__(self, page: Page) -> None:
        self.evaluate, self._page = page.evaluate, page

    def point(self, x: float, y: float, *, press: bool = False, kind: str = "mouse") -> None:
        if kind == "touch":
            self._page.touchscreen.tap(x, y)
            return
        self._page.mouse.move(x, y)
        if press:
            self._page.mouse.down()
            self._page.mouse.up()

    def press(self, keys: str) -> None:
        self._page.keyboard.press(keys)


@pytest.fixture(scope="session")
def firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    """A headless Firefox: the one that FIREFOX names, or the one on the PATH."""
    found = os.environ.get("FIREFOX")
    if not found:
        command = ["bash", "-c", "source ci/setup.sh; find_firefox"]
        found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
    if not found:
        pytest.fail("Firefox was not found: install it, or set FIREFOX to its path.")
    with contextlib.closing(Firefox(found, tmp_path_factory.mktemp("profile"))) as browser:
        yield browser


class Firefox:
    """Firefox, driven by what it speaks itself: WebDriver BiDi (W3C) over a web socket. One tab.

    heard: what its page says, fails at, or asks of another host.
    """

    KEYS: ClassVar = {"ArrowUp": "\ue013", "ArrowDown": "\ue015", "ArrowLeft": "\ue012", "ArrowRight": "\ue014"} | {
        "Home": "\ue011", "End": "\ue010", "PageDown": "\ue00f", "Tab": "\ue004", "Control": "\ue009",
    }  # fmt: skip
    # No first-run pages, and nothing asked of any host.
    PREFERENCES: ClassVar = {
        "app.normandy.enabled": False,
        "browser.shell.checkDefaultBrowser": False,
        "datareporting.policy.dataSubmissionEnabled": False,
        "network.captive-portal-service.enabled": False,
        "network.connectivity-service.enabled": False,
        "services.settings.server": "data:,",
    }

    def __init__(self, path: str, profile: Path) -> None:
        """Start it and open a session."""
        from websocket import create_connection

        lines = [f"user_pref({json.dumps(name)}, {json.dumps(to)});" for name, to in self.PREFERENCES.items()]
        (profile / "user.js").write_text("\n".join(lines))
        command = [path, "--headless", "--remote-debugging-port=0", "--profile", str(profile), "about:blank"]
        self._process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        assert self._process.stderr is not None
        said = (re.search(r"BiDi listening on (ws://\S+)", line) for line in self._process.stderr)
        address = next(filter(None, said), None)
        if address is None:
            raise RuntimeError(f"{path} ended before it could be spoken to.")
        self._socket = create_connection(f"{address[1]}/session", suppress_origin=True, timeout=60)
        self._numbers = itertools.count(1)
        self.heard: list[str] = []
        self._send("session.new", capabilities={})
        # A tab of its own: nothing in the first one ever has the focus.
        self._tab = self._send("browsingContext.create", type="tab")["context"]
        self._send(
            "session.subscribe", events=["log.entryAdded", "network.beforeRequestSent", "network.fetchError"]
        )

    def open(self, page: Path, width: int = 1100, height: int = 900) -> None:
        """Show a page with every scene drawn."""
        self.heard.clear()
        size = {"width": width, "height": height}
        self._send("browsingContext.setViewport", context=self._tab, viewport=size)
        self._send("browsingContext.navigate", context=self._tab, url=page.as_uri(), wait="complete")
        self.evaluate(READ)
        self.evaluate(
            "() => document.querySelectorAll('.lanes-mount').forEach((one) => lanesView.mount(one))"
        )

    def evaluate(self, function: str, argument: Any = None) -> Any:
        """Return what a JavaScript function gives for an argument, both plain data."""
        call = f"async (text) => JSON.stringify(await ({function})(JSON.parse(text))) ?? 'null'"
        answer = self._send(
            "script.callFunction",
            functionDeclaration=call,
            arguments=[{"type": "string", "value": json.dumps(argument)}],
            awaitPromise=True,
            target={"context": self._tab},
        )
        if answer["type"] != "success":
            raise RuntimeError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])

    def point(self, x: float, y: float, *, press: bool = False, kind: str = "mouse") -> None:
        """Move a mouse (or a finger, kind "touch") to a point of the window, and press there."""
        actions: list[dict[str, Any]] = [{"type": "pointerMove", "x": round(x), "y": round(y)}]
        if press:
            actions += [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self._act({"type": "pointer", "id": kind, "parameters": {"pointerType": kind}, "actions": actions})

    def press(self, keys: str) -> None:
        """Press a key, or several at once, as in "Control+End"."""
        values = [self.KEYS.get(key, key) for key in keys.split("+")]
        down = [{"type": "keyDown", "value": value} for value in values]
        up = [{"type": "keyUp", "value": value} for value in reversed(values)]
        self._act({"type": "key", "id": "keys", "actions": down + up})

    def close(self) -> None:
        """End the session and the process."""
        self._send("browser.close")
        self._socket.close()
        assert self._process.stderr is not None
        self._process.stderr.close()
        self._process.wait(20)

    def _act(self, action: dict[str, Any]) -> None:
        self._send("input.performActions", context=self._tab, actions=[action])

    def _send(self, method: str, **parameters: Any) -> Any:
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while (answer := json.loads(self._socket.recv())).get("id") != number:
            self._hear(answer["method"], answer["params"])
        if answer["type"] == "error":
            raise RuntimeError(f"{method}: {answer['error']}: {answer['message']}")
        return answer["result"]

    def _hear(self, event: str, said: dict[str, Any]) -> None:
        address = said.get("request", {}).get("url", "")
        if event == "log.entryAdded":
            self.heard.append(f"{said['level']}: {said['text']}")
        elif event == "network.fetchError":
            self.heard.append(f"failed: {address}")
        elif not LOOPBACK.match(address):
            self.heard.append(f"asked: {address}")


# In the page: what is lit, read from what is drawn and from nothing else. An outline is known by its colour, weight and
# dashes; a cell is lit by it if the cell's middle lies inside one of the outline's parts.
READ = """() => {
  const view = (at) => document.querySelectorAll(".lanes-view")[at];
  const panes = (root) => [...root.querySelectorAll(".lanes-pane")];
  const middle = ({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 });
  const svg = document.body.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "svg"));
  svg.style.cssText = "position: absolute; width: 0; height: 0";
  const probe = svg.appendChild(document.createElementNS(svg.namespaceURI, "path"));
  const kept = new WeakMap(); // what does not change while a pane is laid out as it is
  const themes = new Map(); // the colours as computed styles give them; ink tells the themes apart
  const colours = () => {
    const ink = getComputedStyle(document.body).getPropertyValue("--lanes-ink");
    if (!themes.has(ink)) {
      const patch = document.body.appendChild(document.createElement("i"));
      const computed = (name) => ((patch.style.color = `var(--lanes-${name})`), getComputedStyle(patch).color);
      themes.set(ink, Object.fromEntries(["ink", "accent", "ground"].map((name) => [name, computed(name)])));
      patch.remove();
    }
    return themes.get(ink);
  };

  /** The middles of a pane's cells that can be selected, by number, in the pane's own coordinates. */
  const middles = (pane) => {
    if (kept.has(pane)) return kept.get(pane).cells;
    const cells = new Map();
    const grid = pane.querySelector("[role=grid]");
    if (grid.tagName === "svg") {
      for (const cell of grid.querySelectorAll("[data-cell]")) {
        cells.set(Number(cell.dataset.cell), middle(cell.querySelector("rect").getBBox()));
      }
    } else {
      const here = () => grid.querySelector("[data-cell]");
      const press = (key, ctrlKey = false) =>
        here().dispatchEvent(new KeyboardEvent("keydown", { key, ctrlKey, bubbles: true }));
      const [rows, cols] = ["rowcount", "colcount"].map((name) => Number(grid.getAttribute(`aria-${name}`)));
      const place = () => {
        const { offsetLeft: x, offsetTop: y, offsetWidth: width, offsetHeight: height } = here();
        return middle({ x, y, width, height });
      };
      press("Home", true);
      const xs = [place().x];
      const ys = [place().y];
      while (xs.length < cols) press("ArrowRight"), xs.push(place().x);
      while (ys.length < rows) press("ArrowDown"), ys.push(place().y);
      ys.forEach((y, row) => xs.forEach((x, col) => cells.set(row * cols + col, { x, y })));
    }
    const frames = [...grid.querySelectorAll("[data-cell] rect")];
    const badges = frames.filter((frame) => getComputedStyle(frame).strokeDasharray !== "none");
    const lines = new Map(); // the cells by the height of their middles
    for (const [cell, { x, y }] of cells) lines.set(y, [...(lines.get(y) ?? []), { cell, x }]);
    kept.set(pane, { cells, lines, badges, ...colours(), parts: new Map(), styles: new Map() });
    return cells;
  };

  const styleOf = (pane, path) => {
    const known = kept.get(pane);
    const { stroke, strokeWidth, strokeDasharray } = getComputedStyle(path);
    const dashed = strokeDasharray !== "none";
    const is = (name, weight, dash) => stroke === known[name] && parseFloat(strokeWidth) === weight && dashed === dash;
    if (is("accent", 3, false)) return "same";
    if (is("ink", 2, false)) return "holds";
    if (is("accent", 2, true)) return "supplies";
    if (is("accent", 1.5, false)) return "meets";
    return is("ground", 1, false) ? "gap" : `unknown ${stroke} ${strokeWidth} ${strokeDasharray}`;
  };

  /** The cells inside one closed part of a path. */
  const inside = (pane, part) => {
    const { lines, parts } = kept.get(pane);
    if (!parts.has(part)) {
      probe.setAttribute("d", part);
      const { x, y, width, height } = probe.getBBox();
      const found = [];
      for (const [middle, line] of lines) {
        if (middle <= y || middle >= y + height) continue;
        for (const at of line) if (at.x > x && at.x < x + width) found.push(at.cell);
      }
      parts.set(part, found);
    }
    return parts.get(part);
  };

  /** For each pane: style -> the numbers of the cells, in order. */
  const lit = (root) => panes(root).map((pane) => {
    middles(pane);
    const { styles, badges, accent } = kept.get(pane);
    const found = {};
    const add = (style, cells) => (found[style] = (found[style] ?? []).concat(cells));
    for (const path of pane.querySelectorAll(".lanes-over path:not(.lanes-focus)")) {
      if (!styles.has(path)) styles.set(path, styleOf(pane, path));
      for (const part of path.getAttribute("d").match(/M[^M]+/g) ?? []) add(styles.get(path), inside(pane, part));
    }
    // A badge is dashed always; it supplies when it is accent-coloured and heavier.
    for (const frame of badges) {
      const { stroke, strokeWidth } = getComputedStyle(frame);
      if (stroke === accent && parseFloat(strokeWidth) === 2) add("supplies", [Number(frame.parentNode.dataset.cell)]);
    }
    if (String(found.gap) !== String(found.same)) add("a ring without its gap", []);
    delete found.gap;
    for (const style of Object.keys(found)) found[style] = [...new Set(found[style])].sort((a, b) => a - b);
    return found;
  });

  /** Where a cell is in the window. */
  const where = (root, pane, cell) => {
    const { x, y } = middles(panes(root)[pane]).get(cell);
    const grid = panes(root)[pane].querySelector("[role=grid]");
    const area = grid.getBoundingClientRect();
    return { x: area.left + x, y: area.top + y };
  };
  const send = (root, pane, cell, type, pointerType = "mouse") => {
    const at = where(root, pane, cell);
    const grid = panes(root)[pane].querySelector("[role=grid]");
    const node = grid.querySelector(`[data-cell="${cell}"]`) ?? grid;
    const options = { clientX: at.x, clientY: at.y, bubbles: true, cancelable: true, pointerType };
    node.dispatchEvent(new (type === "click" ? MouseEvent : PointerEvent)(type, options));
  };
  const leave = (root, pane) =>
    panes(root)[pane].querySelector("[role=grid]").dispatchEvent(new PointerEvent("pointerleave"));
  const said = (root) => root.querySelector(".lanes-said").textContent;
  const choose = (root, choice) => {
    const bars = [...root.querySelectorAll("[role=radiogroup]")];
    choice.forEach((option, at) => [...bars[at].children].find((one) => one.textContent === option).click());
  };
  window.read = { view, panes, middles, lit, where, send, leave, said, choose };
}"""
