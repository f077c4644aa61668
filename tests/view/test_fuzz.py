"""Random scenes, good and broken, on one page: none breaks it, none runs a script, all good ones are drawn.

LANES_FUZZ is how many; without it a thousand.
"""

from __future__ import annotations

import copy
import json
import os
import random
from collections.abc import Callable
from typing import Any

import pytest

from lanes.view import LaneView, fragment_scene
from lanes.view.mount import mount
from lanes.view.pane import KINDS, Pane
from lanes.view.scene import STYLES, Control, Link, Scene, Slider, Variant

pytestmark = [pytest.mark.browser, pytest.mark.slow]

COUNT = int(os.environ.get("LANES_FUZZ", "1000"))
BATCH = 250
HOSTILE = (
    "<img src=x onerror=__pwned=1>",
    "</script><script>__pwned=1</script>",
    "javascript:__pwned=1",
    '"><svg onload=__pwned=1>',
    "' onmouseover='__pwned=1",
    "]]><iframe srcdoc='<script>parent.__pwned=1</script>'>",
    "<style>*{display:none}</style>",
    "&lt;b&gt;",
    "{row}",
    "**x** `y`",
    "\u202eabc\u2066",
    "\ud800",
    "a\x00b\x1b\u2028c",
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "url(javascript:__pwned=1)",
    "var(--lanes-0);background:red",
    "e\u0301\u0336" * 9,
    "\U0001f600",
    "",
    " ",
)
COLUMNS = ("row", "col", "lane", "step", "element", "__proto__", "constructor", "toString", "value")


def good_scene(rng: random.Random) -> Scene:
    """A scene that Python accepts: any panes, columns, links and texts, of the sizes that the page allows."""
    controls = tuple(
        Control(
            f"{at}{word(rng, 8)}",
            word(rng),
            tuple(f"{option}{word(rng, 5)}" for option in range(rng.randint(1, 3))),
        )
        for at in range(rng.choice((0, 0, 0, 1, 2)))
    )
    choices: list[tuple[str, ...]] = [()]
    for control in controls:
        choices = [(*choice, option) for choice in choices for option in control.options]
    variants = tuple(good_variant(rng, choice) for choice in choices)
    return Scene("f", word(rng), word(rng) * rng.randint(0, 5), controls, variants, rng.choice(choices))


def good_variant(rng: random.Random, choice: tuple[str, ...]) -> Variant:
    panes = tuple(good_pane(rng, f"{at}{word(rng, 9)}", at) for at in range(rng.randint(1, 3)))
    links = []
    for _ in range(rng.randint(0, 5)):
        source, target = rng.choice(panes), rng.choice(panes)
        on = rng.choice(source.columns), rng.choice(target.columns)
        links.append(Link(source.name, target.name, on, rng.choice(STYLES)))
    names = [name for pane in panes for name in pane.cell_names if name]
    some = rng.choice(panes)
    slider = (
        Slider(word(rng), rng.choice(some.columns), some.name, (0, len(some.cells) - 1))
        if rng.random() < 0.2
        else None
    )
    steps = tuple(word(rng) for _ in range(rng.choice((0, 0, 3))))
    return Variant(choice, panes, tuple(links), rng.choice(names), steps, slider)


def good_pane(rng: random.Random, name: str, number: int) -> Pane:
    large = rng.random() < 0.005
    rows, cols = (33, 40) if large else (rng.randint(1, 6), rng.randint(1, 6))
    columns = ("number", *rng.sample(COLUMNS, rng.randint(0, 4)))
    cells: list[dict[str, Any]] = []
    for at in range(rows * cols):
        # A large pane is walked through with the arrow keys, and what its badges look like is in pixels.
        kind = rng.choice(("cell", "lane") if large else KINDS if at == 0 else (*KINDS, *KINDS, "pad", ""))
        values = {column: value(rng) for column in columns if rng.random() < 0.9}
        cells.append({"kind": kind, "text": word(rng, 30)} | values | {"number": f"{number}.{at}"})
    row, col = rng.randrange(rows), rng.randrange(cols)
    frame = (row, col, rng.randint(1, rows - row), rng.randint(1, cols - col), word(rng))
    return Pane(
        name,
        word(rng),
        rows,
        cols,
        cells,
        names={kind: "{number};" + word(rng, 20).replace("{row}", "") for kind in KINDS},
        sentences={kind: f"{word(rng)} **{{number}}** `{word(rng)}`".replace("{row}", "") for kind in KINDS},
        note=word(rng),
        colour=rng.choice((*(name for name in columns if any(name in cell for cell in cells)), None)),
        row_gaps=(rng.randrange(rows),),
        col_gaps=(rng.randrange(cols),),
        row_heads=tuple(word(rng, 12) for _ in range(rows)) if rng.random() < 0.3 else (),
        col_heads=tuple(word(rng, 12) for _ in range(cols)) if rng.random() < 0.3 else (),
        frames=(frame,) if rng.random() < 0.3 else (),
    )


def word(rng: random.Random, most: int = 60) -> str:
    return rng.choice((*HOSTILE, "lane 3", "x", str(rng.randrange(99))))[:most]


def value(rng: random.Random) -> Any:
    return rng.choice(
        (None, rng.randrange(40), -1, 0.5, word(rng), [1, 2, 3], [], ["a", word(rng)], 2**53 - 1)
    )


JUNK: tuple[Any, ...] = (
    None, True, -1, 0, 0.5, 1e9, 1e308, float("nan"), float("inf"), "", "x", "A" * 100_000, [], {}, [[]], [None] * 9,
    {"of": [], "at": 0}, {"of": [1], "at": 1}, {"of": [1], "at": [0] * 4}, {"__proto__": 1}, 2**60, "__proto__",
    [0] * 70_000, json.loads("[" * 200 + "]" * 200),
)  # fmt: skip


def broken_scene(rng: random.Random) -> str:
    """A good scene with some part replaced, taken out, doubled or moved; or no scene at all."""
    if rng.random() < 0.05:
        return rng.choice(
            ("", "{", "null", "[]", "NaN", "[" * 5000 + "]" * 5000, '{"name":1}', "\ufeff{}", '{"name":"f"')
        )
    data = copy.deepcopy(good_scene(rng).data)
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        spot = data
        while True:
            keys = list(spot) if isinstance(spot, dict) else list(range(len(spot)))
            if not keys:
                break
            key = rng.choice(keys)
            if isinstance(spot[key], dict | list) and spot[key] and rng.random() < 0.75:
                spot = spot[key]
                continue
            harm(rng, spot, key)
            break
    text = json.dumps(data)
    return text if rng.random() < 0.95 else text[: rng.randrange(len(text))]


def harm(rng: random.Random, spot: Any, key: Any) -> None:
    how = rng.randrange(4)
    if how == 0:
        del spot[key]
    elif how == 1 and isinstance(spot, list):
        spot.insert(key, spot[key])
    elif how == 2 and isinstance(spot, dict):
        spot[rng.choice(HOSTILE)] = spot.pop(key)
    else:
        spot[key] = copy.deepcopy(rng.choice(JUNK))


def asked(rng: random.Random, scene: Scene) -> dict[str, Any]:
    """A good scene for the page, with what it must show: its cells, and what lights up with three of them."""
    variant = scene.variant()
    names = [name for pane in variant.panes for name in pane.cell_names if name]
    lit = []
    for name in rng.sample(names, min(3, len(names))):
        pane, _ = variant.find(name)
        answer = variant.lit(name)
        answer["same"] = [name, *answer.get("same", [])]
        cells = [
            {
                style: sorted({one.places[n] for n in names if n in one.places})
                for style, names in answer.items()
            }
            for one in variant.panes
        ]
        lit.append(
            [
                variant.panes.index(pane),
                pane.places[name],
                drawn(variant, cells),
                pane.sentence(variant.find(name)[1]),
            ]
        )
    counts = [len(pane.places) if len(pane.cells) <= 1024 else None for pane in variant.panes]
    state = {"variant": list(variant.choice), "selection": variant.start, "step": 0, "group": word(rng)}
    return {"scene": json.dumps(scene.data), "state": json.dumps(state), "counts": counts, "lit": lit}


def drawn(variant: Variant, lit: list[dict[str, list[int]]]) -> list[dict[str, list[int]]]:
    """Of what lights up, what is drawn: a badge is not outlined by "meets"."""
    for pane, styles in zip(variant.panes, lit, strict=True):
        badges = {place for place, cell in enumerate(pane.cells) if cell["kind"] == "badge"}
        styles["meets"] = [cell for cell in styles.get("meets", []) if cell not in badges]
    return [{style: cells for style, cells in styles.items() if cells} for styles in lit]


def whole(text: str) -> bool:
    """Whether every pane of a scene has a value in each column for each of its cells, and knows their kinds."""
    data = json.loads(text)
    for pane in (pane for variant in data["variants"] for pane in variant["panes"]):
        columns = [data["pool"][at] for at in (pane["kind"], pane["text"], *pane["columns"].values())]
        lengths = [len(one["at"] if isinstance(one, dict) else one) for one in columns if not constant(one)]
        kinds = columns[0]["of"] if isinstance(columns[0], dict) else columns[0]
        if {*lengths} - {pane["rows"] * pane["cols"]} or {*kinds} - {*KINDS, "pad", ""}:
            return False
    return True


def constant(column: Any) -> bool:
    return isinstance(column, dict) and not isinstance(column["at"], list)


@pytest.fixture
def bench(write_page: Any, open_page: Any) -> Any:
    """A page with one good widget, to see that it still answers, and what tries a batch of scenes beside it."""
    page = open_page(write_page(LaneView(fragment_scene()), '<div id="bench"></div>'))
    page.evaluate(BENCH)
    return page


def batches(seed: int, make: Callable[[random.Random], Any], count: int) -> Any:
    rng = random.Random(seed)
    for start in range(0, count, BATCH):
        yield [make(rng) for _ in range(min(BATCH, count - start))]


def test_good_scenes_are_drawn_and_light_what_python_says(bench: Any) -> None:
    for batch in batches(1, lambda rng: asked(rng, good_scene(rng)), COUNT // 2):
        assert bench.evaluate("(scenes) => tryGood(scenes)", batch) == []


def test_broken_scenes_leave_their_tables_and_the_page_goes_on(bench: Any) -> None:
    answers = []
    for batch in batches(2, broken_scene, COUNT // 2):
        result = bench.evaluate("(scenes) => tryBroken(scenes)", batch)
        assert result["wrong"] == []
        answers += result["drawn"]
        assert [
            text[:400]
            for text, shown in zip(batch, result["drawn"], strict=True)
            if shown and not whole(text)
        ] == []
    # A change that does no harm may be drawn; most are harm.
    assert 0.4 < 1 - sum(answers) / len(answers) < 1


def test_no_text_of_a_scene_becomes_markup_where_python_writes_the_page(
    write_page: Any, open_page: Any
) -> None:
    """As a built page has them: escaped in an attribute, and in the tables for readers without a script."""
    rng = random.Random(3)
    scenes = [good_scene(rng) for _ in range(60)]
    texts = (mount(one, one.variant(), {"step": 0}, f"lanes-f-{at}") for at, one in enumerate(scenes))
    # A lone surrogate cannot be written in UTF-8 at all.
    path = write_page(*(text.encode("utf-8", "replace").decode() for text in texts))
    page = open_page(path, draw=False)
    page.evaluate(BENCH)
    assert page.evaluate("strangers(document.querySelector('main'))") == []
    page.evaluate("document.querySelectorAll('.lanes-mount').forEach((one) => lanesView.mount(one))")
    assert page.locator(".lanes-view").count() == len(scenes)
    assert page.evaluate("strangers(document.querySelector('main'))") == []
    assert page.evaluate("typeof __pwned") == "undefined"


BENCH = """() => {
  const words = (...lines) => new Set(lines.join(" ").split(" "));
  const allowed = words("DIV SPAN P B CODE BUTTON INPUT CANVAS svg g rect path text",
    "FIGURE FIGCAPTION TABLE CAPTION TBODY TR TH TD STRONG H1");
  const attributes = words("class id role style tabindex type min max step value hidden data-cell data-scene",
    "data-state width height viewBox x y rx d fill stroke-width stroke-dasharray text-anchor font-size");

  /** Elements and attributes under a node that no part of the widget makes. */
  window.strangers = (root) => {
    const found = [];
    for (const node of [root, ...root.querySelectorAll("*")]) {
      if (node !== root && !allowed.has(node.tagName)) found.push(node.outerHTML.slice(0, 80));
      for (const { name } of node.attributes) {
        if (!attributes.has(name) && !name.startsWith("aria-")) found.push(`${name} of ${node.outerHTML.slice(0, 80)}`);
      }
    }
    return found;
  };
  let turn = 0;
  const attempt = (scene, state, look) => {
    const mount = document.createElement("div");
    mount.className = "lanes-mount";
    mount.setAttribute("data-scene", scene);
    mount.setAttribute("data-state", state);
    const fallback = mount.appendChild(document.createElement("figure"));
    document.querySelector("#bench").append(mount);
    const wrong = [];
    let drawn = null;
    try {
      drawn = lanesView.mount(mount);
      wrong.push(...strangers(mount));
      const root = mount.querySelector(".lanes-view");
      if (drawn !== Boolean(root)) wrong.push("what mount() returns is not so");
      if (drawn === fallback.isConnected) wrong.push("the table is there beside the figure, or neither is");
      const word = mount.querySelector(".lanes-broken")?.textContent ?? "";
      if (!drawn && !word.includes("could not be drawn")) wrong.push("no word of it");
      wrong.push(...look(drawn, root));
      // The good widget still lights what it should: a cell and its register.
      const good = read.view(0);
      turn = (turn + 1) % 256;
      read.send(good, 0, turn, "pointermove");
      const shown = read.lit(good);
      if (String(shown[0].same) !== String(turn) || shown[1].same.length !== 1 || shown[1].holds.length !== 9) {
        wrong.push("the widget beside it is lit wrongly");
      }
    } catch (error) {
      wrong.push(`thrown: ${error.stack}`);
    }
    lanesView.unmount(mount);
    if (!fallback.isConnected) wrong.push("unmount() does not bring the table back");
    mount.remove();
    if (typeof __pwned !== "undefined" || Object.prototype.polluted || {}[0]) wrong.push("a script has run");
    return { wrong: wrong.map((one) => `${one} | ${scene.slice(0, 400)}`), drawn };
  };
  const same = (a, b) => JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());
  const judge = ({ counts, lit }) => (drawn, root) => {
    if (!drawn) return [`not drawn: ${document.querySelector(".lanes-broken").textContent}`];
    const wrong = [];
    read.panes(root).forEach((pane, at) => {
      const cells = pane.querySelectorAll("svg [data-cell]").length;
      if (counts[at] !== null && cells !== counts[at]) wrong.push(`pane ${at} draws ${cells} cells`);
    });
    read.panes(root).forEach(read.middles);
    for (const [pane, cell, wanted, sentence] of lit) {
      read.send(root, pane, cell, "pointermove");
      const shown = read.lit(root);
      if (!shown.every((styles, at) => same(styles, wanted[at]))) {
        wrong.push(`cell ${cell} of pane ${pane}: ${JSON.stringify(shown)}, not ${JSON.stringify(wanted)}`);
      }
      if (read.said(root) !== sentence) wrong.push(`it says ${read.said(root)}, not ${sentence}`);
    }
    return wrong;
  };
  window.tryGood = (scenes) => scenes.flatMap((one) => attempt(one.scene, one.state, judge(one)).wrong).slice(0, 5);
  window.tryBroken = (scenes) => {
    const tried = scenes.map((scene) => attempt(scene, scene.length % 3 ? "{}" : scene, (drawn, root) => {
      for (const cell of [...(root?.querySelectorAll("[data-cell]") ?? [])].slice(0, 3)) {
        cell.dispatchEvent(new PointerEvent("pointermove", { bubbles: true }));
        cell.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true }));
      }
      for (const button of root?.querySelectorAll("button:not(.lanes-quiet)") ?? []) button.click();
      return [];
    }));
    return { wrong: tried.flatMap(({ wrong }) => wrong).slice(0, 5), drawn: tried.map(({ drawn }) => drawn) };
  };
}"""
