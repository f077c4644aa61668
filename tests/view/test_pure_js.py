"""The widget's functions against plain Python: joins, sentences, places, keys, tables, and what is no scene.

Each theorem is computed here a second time, by comparing everything with everything, over scenes that hypothesis
makes up. The functions are those of the page script itself, run in Chromium.
"""

from __future__ import annotations

import csv
import io
import itertools
import json
import math
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lanes.view import bundle

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
tries = settings(max_examples=60, deadline=None)

SELECTABLE = ("cell", "badge", "lane")
STYLES = ("same", "holds", "supplies", "meets")
# Names that an object of JavaScript has without being given them.
ODD = ("__proto__", "constructor", "toString", "hasOwnProperty", "lane", "step", "row")
WITHIN = """
  globalThis.pure = {
    readScene, openVariant, relate, nameOf, sentenceOf, labelOf, find, startOf, choiceFor, measure, flow, place, box,
    hit, runs, fits, move, look, table, asCsv, asMarkdown, hashOf, readHash, outline, readable, textWidth,
    open: (scene) => openVariant(scene, scene.start),
    plain: (lit) => lit.map((styles) => Object.fromEntries([...styles].map(([style, cells]) => [style, [...cells]]))),
    laidOut: (scene, width, ratio) => {
      const { panes } = openVariant(scene, scene.start);
      const measures = panes.map((pane) => measure(pane, width));
      const widths = flow(measures, width, 28, ratio);
      return panes.map((pane, at) => ({ large: measures[at].large, ...place(measures[at], widths[at], pane.rows) }));
    },
  };
})();
"""


class Functions:
    """The functions of the page script: `run` evaluates an expression of `pure` and of the argument `a`."""

    def __init__(self, page: Page) -> None:
        """Keep the page."""
        self.page = page

    def run(self, expression: str, argument: Any = None) -> Any:
        """Return the value. The argument goes as JSON, so that JavaScript parses it as it parses a scene."""
        body = f"const a = JSON.parse(text); return JSON.stringify({expression}) ?? 'null';"
        return json.loads(self.page.evaluate(f"(text) => {{ {body} }}", json.dumps(argument)))


@pytest.fixture(scope="module")
def pure(chromium: Browser) -> Iterator[Functions]:
    page = chromium.new_page(viewport={"width": 1100, "height": 900})
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.set_content("<!doctype html><title>x</title><main></main>")
    script = bundle.page_script()
    assert script.endswith("})();\n")
    page.add_style_tag(content=bundle.stylesheet())
    page.add_script_tag(content=script.removesuffix("})();\n") + WITHIN)
    yield Functions(page)
    assert said == []
    assert page.evaluate("Object.keys(Object.prototype).length + Object.keys(Array.prototype).length") == 0
    page.close()


words = st.text(st.sampled_from("aZ0 ,;|*`{}<&\"'=+-@\n\r\\é中"), max_size=8)
members = st.integers(-3, 40) | words | st.sampled_from([0.5, -1.25])
values = st.none() | members | st.lists(members, max_size=3)
columns_of = st.lists(st.sampled_from(ODD), unique=True, min_size=1, max_size=4)


@st.composite
def panes(draw: st.DrawFn, name: str, columns: list[str]) -> dict[str, Any]:
    """A pane with its columns as plain lists; `pooled` puts them into the pool."""
    rows, cols = draw(st.integers(1, 5)), draw(st.integers(1, 6))
    size = rows * cols
    kinds = draw(
        st.lists(st.sampled_from((*SELECTABLE, "cell", "cell", "pad", "")), min_size=size, max_size=size)
    )
    cells = st.lists(values, min_size=size, max_size=size)
    template = st.lists(
        st.sampled_from(("**", "`", "text", *(f"{{{column}}}" for column in columns))), max_size=7
    )
    return {
        "name": name,
        "title": draw(words),
        "note": draw(words),
        "rows": rows,
        "cols": cols,
        "row_gaps": draw(st.lists(st.integers(0, rows), max_size=rows)),
        "col_gaps": draw(st.lists(st.integers(0, cols), max_size=cols)),
        "row_heads": draw(st.just([]) | st.lists(words, min_size=rows, max_size=rows)),
        "col_heads": draw(st.just([]) | st.lists(words, min_size=cols, max_size=cols)),
        "frames": [],
        "kind": kinds,
        "text": draw(st.lists(words, min_size=size, max_size=size)),
        "colour": draw(st.none() | st.sampled_from(columns)),
        "columns": {column: draw(cells) for column in columns},
        "names": {kind: f"{name} {kind} " + "".join(draw(template)) for kind in SELECTABLE},
        "sentences": {kind: "".join(draw(template)) for kind in SELECTABLE},
    }


@st.composite
def scenes(draw: st.DrawFn) -> dict[str, Any]:
    """A scene of one variant, its columns still plain lists: `variant` is what is in it."""
    columns = draw(columns_of)
    names = ["A", "regs", "C"][: draw(st.integers(1, 3))]
    one = st.tuples(
        st.sampled_from(names), st.sampled_from(names), st.sampled_from(columns), st.sampled_from(columns)
    )
    links = draw(st.lists(st.tuples(one, st.sampled_from(STYLES)), max_size=8))
    return {
        "choice": [],
        "panes": [draw(panes(name, columns)) for name in names],
        "links": [{"from": a, "to": b, "on": [x, y], "as": style} for (a, b, x, y), style in links],
        "steps": draw(st.lists(words, max_size=3)),
        "slider": None,
        "start": draw(words),
    }


def pooled(variant: dict[str, Any]) -> dict[str, Any]:
    """The scene of one variant, its columns in the pool: every second one packed as its values and their places."""
    pool: list[Any] = []

    def add(column: list[Any]) -> int:
        packed: Any = column
        if len(pool) % 2:
            distinct = list(dict.fromkeys(map(json.dumps, column)))
            place = {value: at for at, value in enumerate(distinct)}
            packed = {
                "of": [*map(json.loads, distinct)],
                "at": [place[json.dumps(value)] for value in column],
            }
            if len(distinct) == 1:
                packed["at"] = 0
        pool.append(packed)
        return len(pool) - 1

    variant = json.loads(json.dumps(variant))
    for pane in variant["panes"]:
        pane["kind"], pane["text"] = add(pane["kind"]), add(pane["text"])
        pane["columns"] = {name: add(column) for name, column in pane["columns"].items()}
    head = {"name": "made-up", "title": "t", "caption": "c", "controls": [], "start": []}
    return head | {"variants": [variant], "pool": pool}


def shown(value: Any) -> str:
    """A value as JavaScript writes it in a sentence."""
    if value is None:
        return "-"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def in_place(template: str, pane: dict[str, Any], cell: int) -> str:
    """The template with values, letter by letter, its marks kept."""
    out = template
    for column in sorted(pane["columns"]):
        # A value may hold what looks like a place: a letter that no template has keeps it apart until the end.
        out = out.replace(f"{{{column}}}", f"\0{column}\0")
    parts = out.split("\0")
    return "".join(shown(pane["columns"][part][cell]) if at % 2 else part for at, part in enumerate(parts))


def unmarked(template: str) -> list[tuple[str, str]]:
    """The runs of a template, (mark, text), by walking over it: a mark that has no end, or nothing in it, is text."""
    found: list[tuple[str, str]] = []
    at, rest = 0, ""
    while at < len(template):
        for sign, mark in (("**", "bold"), ("`", "code")):
            end = template.find(sign, at + len(sign) + 1)
            if template.startswith(sign, at) and end > 0:
                found += [("", rest), (mark, template[at + len(sign) : end])]
                rest, at = "", end + len(sign)
                break
        else:
            rest, at = rest + template[at], at + 1
    return [(mark, text) for mark, text in [*found, ("", rest)] if text]


def cells_of(variant: dict[str, Any]) -> list[tuple[int, int]]:
    """Every cell that can be selected, (pane, cell)."""
    return [
        (at, cell)
        for at, pane in enumerate(variant["panes"])
        for cell, kind in enumerate(pane["kind"])
        if kind in SELECTABLE
    ]


def agree(one: Any, other: Any) -> bool:
    """Whether two values share a member. In Python 1 == True, but no value here is a truth value."""
    first, second = ([] if v is None else v if isinstance(v, list) else [v] for v in (one, other))
    return any(a == b and isinstance(a, str) == isinstance(b, str) for a in first for b in second)


@tries
@given(variant=scenes())
def test_a_cell_lights_exactly_the_cells_that_share_a_value_with_it(
    pure: Functions, variant: dict[str, Any]
) -> None:
    places = cells_of(variant)
    found = pure.run(
        "a.places.map(([pane, cell]) => pure.plain(pure.relate(pure.open(a.scene), pane, cell)))",
        {"scene": pooled(variant), "places": places},
    )
    names = [pane["name"] for pane in variant["panes"]]
    for (pane, cell), lit in zip(places, found, strict=True):
        wanted: list[dict[str, set[int]]] = [{} for _ in names]
        wanted[pane]["same"] = {cell}
        for link in variant["links"]:
            if link["from"] != names[pane]:
                continue
            target = names.index(link["to"])
            value = variant["panes"][pane]["columns"][link["on"][0]][cell]
            column = variant["panes"][target]["columns"][link["on"][1]]
            kinds = variant["panes"][target]["kind"]
            hits = {at for at, other in enumerate(column) if kinds[at] in SELECTABLE and agree(value, other)}
            if hits:
                wanted[target].setdefault(link["as"], set()).update(hits)
        assert [{style: set(cells) for style, cells in one.items()} for one in lit] == wanted
        assert all(len(set(cells)) == len(cells) for one in lit for cells in one.values())


@tries
@given(variant=scenes())
def test_names_and_sentences_are_their_templates_with_values_that_are_never_marks(
    pure: Functions, variant: dict[str, Any]
) -> None:
    places = cells_of(variant)
    found = pure.run(
        """a.places.map(([pane, cell]) => {
          const one = pure.open(a.scene).panes[pane];
          return [pure.nameOf(one, cell), pure.sentenceOf(one, cell).map(({ mark, text }) => [mark, text])];
        })""",
        {"scene": pooled(variant), "places": places},
    )
    for (at, cell), (name, sentence) in zip(places, found, strict=True):
        pane = variant["panes"][at]
        kind = pane["kind"][cell]
        runs = unmarked(pane["names"][kind])
        assert name == "".join(in_place(text, pane, cell) for _, text in runs)
        template = pane["sentences"][kind] or pane["names"][kind]
        assert sentence == [[mark, in_place(text, pane, cell)] for mark, text in unmarked(template)]


@tries
@given(variant=scenes())
def test_a_name_finds_the_first_cell_that_has_it(pure: Functions, variant: dict[str, Any]) -> None:
    found = pure.run(
        """a.places.map(([pane, cell]) => {
          const one = pure.open(a.scene);
          return [pure.nameOf(one.panes[pane], cell), pure.find(one, pure.nameOf(one.panes[pane], cell))];
        })""",
        {"scene": pooled(variant), "places": cells_of(variant)},
    )
    first: dict[str, tuple[int, int]] = {}
    for (name, _), place in zip(found, cells_of(variant), strict=True):
        first.setdefault(name, place)
    assert all((got["pane"], got["cell"]) == first[name] for name, got in found)
    start = pure.run("pure.startOf(pure.open(a))", pooled(variant))
    assert start is None if not first else (start["pane"], start["cell"]) in first.values()
    none = pure.run(
        "[pure.find(pure.open(a), 'no such cell'), pure.find(pure.open(a), null)]", pooled(variant)
    )
    assert none == [None, None]


@tries
@given(cols=st.integers(1, 7), cells=st.sets(st.integers(0, 48)))
def test_runs_are_rectangles_that_cover_each_lit_cell_once_and_no_other(
    pure: Functions, cols: int, cells: set[int]
) -> None:
    found = pure.run("pure.runs(a[0], a[1])", [cols, sorted(cells, reverse=True)])
    covered = [
        (run["row"] + down) * cols + run["col"] + right
        for run in found
        for down in range(run["rows"])
        for right in range(run["cols"])
    ]
    assert sorted(covered) == sorted(cells)
    for run in found:
        assert run["col"] + run["cols"] <= cols
        # Nothing lit stands beside a run in its row: a row of eight is one rectangle.
        for row in range(run["row"], run["row"] + run["rows"]):
            for col in (run["col"] - 1, run["col"] + run["cols"]):
                assert not 0 <= col < cols or row * cols + col not in cells
    # Two equal stretches, one above the other, are one run.
    ends = {(run["row"] + run["rows"], run["col"], run["cols"]) for run in found}
    assert not ends & {(run["row"], run["col"], run["cols"]) for run in found}


@tries
@given(variant=scenes(), width=st.integers(120, 1400), ratio=st.sampled_from([1, 1.5, 2, 3]))
def test_cells_lie_apart_inside_their_pane_and_each_point_hits_its_cell(
    pure: Functions, variant: dict[str, Any], width: int, ratio: float
) -> None:
    asked = {"scene": pooled(variant), "width": width, "ratio": ratio}
    hits = "a.points.map(([x, y]) => pure.hit(a.shape, x, y))"
    for at, shape in enumerate(pure.run("pure.laidOut(a.scene, a.width, a.ratio)", asked)):
        rows, cols = variant["panes"][at]["rows"], variant["panes"][at]["cols"]
        lefts = list(zip(shape["left"], shape["wide"], strict=True))
        assert all(a + wide <= b for (a, wide), (b, _) in itertools.pairwise(lefts))
        assert all(a + shape["high"] <= b for a, b in itertools.pairwise(shape["top"]))
        assert shape["left"][0] >= 0
        assert shape["top"][0] >= 0
        assert lefts[-1][0] + lefts[-1][1] <= shape["width"]
        assert shape["top"][-1] + shape["high"] <= shape["height"]
        middles = [
            (shape["left"][col] + shape["wide"][col] / 2, shape["top"][row] + shape["high"] / 2)
            for row in range(rows)
            for col in range(cols)
        ]
        assert pure.run(hits, {"points": middles, "shape": shape}) == list(range(rows * cols))
        (x, y), across, down = middles[0], shape["width"] + 1, shape["height"] + 1
        assert pure.run(hits, {"points": [(-1, y), (across, y), (x, down)], "shape": shape}) == [-1] * 3
        # No text of a pane of this size is wider than its column.
        for cell, text in enumerate(variant["panes"][at]["text"]):
            assert shape["wide"][cell % cols] >= max(14, len(text) * shape["font"] * 0.602)


def grid(rows: int, cols: int, text: str = "31", **more: Any) -> dict[str, Any]:
    """A variant with one pane of equal cells."""
    size = rows * cols
    pane = {
        "name": "A", "title": "A", "note": "", "rows": rows, "cols": cols, "row_gaps": [], "col_gaps": [],
        "row_heads": [], "col_heads": [], "frames": [], "kind": ["cell"] * size, "text": [text] * size,
        "colour": "lane", "columns": {"lane": [cell % 32 for cell in range(size)], "at": list(range(size))},
        "names": {"cell": "A{at}"}, "sentences": {},
    }  # fmt: skip
    return {"choice": [], "panes": [pane | more], "links": [], "steps": [], "slider": None, "start": "A0"}


@pytest.mark.parametrize("cols", [16, 17, 18])
def test_a_pane_of_eighteen_columns_fits_a_phone_with_every_number_in_it(pure: Functions, cols: int) -> None:
    kinds = ["badge" if cols == 18 and col in (0, 9) else "cell" for _ in range(16) for col in range(cols)]
    heads = {"row_heads": [str(row) for row in range(16)], "col_heads": [str(col) for col in range(cols)]}
    variant = grid(16, cols, kind=kinds, col_gaps=[9], names={"cell": "A{at}", "badge": "b{at}"}, **heads)
    (shape,) = pure.run("pure.laidOut(a, 358 - 2 * 9, 2)", pooled(variant))
    assert shape["width"] <= 358 - 2 * 9
    assert shape["font"] >= 11
    assert min(shape["wide"]) >= 2 * 0.602 * shape["font"]


def test_large_panes_shrink_to_the_page_in_whole_device_pixels(pure: Functions) -> None:
    for width, ratio in itertools.product((340, 700, 1066), (1, 2, 3)):
        (shape,) = pure.run(f"pure.laidOut(a, {width}, {ratio})", pooled(grid(128, 128)))
        assert shape["width"] <= width
        assert shape["wide"] == [shape["high"]] * 128
        assert float(shape["high"] * ratio).is_integer() or math.isclose(
            shape["high"] * ratio % 1, 0, abs_tol=1e-9
        )


line_of_panes = st.lists(st.tuples(st.integers(1, 12), st.integers(14, 60)), min_size=1, max_size=5)


@tries
@given(needs=line_of_panes, together=st.integers(1, 3), slack=st.integers(-40, 90))
def test_panes_of_one_line_are_together_no_wider_than_the_page(
    pure: Functions, needs: list[tuple[int, int]], together: int, slack: int
) -> None:
    # Widths about which it is a near thing whether the first panes fit beside each other.
    width = sum(max(cols * need + 20, 150) for cols, need in needs[:together]) + slack
    measures = [
        {"large": False, "need": [n] * cols, "want": [n + 9] * cols, "fixed": 20} for cols, n in needs
    ]
    widths = pure.run("pure.flow(a[0], a[1], 28, 1)", [measures, width])
    # A pane goes on in the line if it fits there, even at its least, and begins a new one if not.
    lines: list[list[int]] = []
    least = [max(cols * need + 20, 150) for cols, need in needs]
    wanted = [max(cols * (need + 9) + 20, 150) for cols, need in needs]
    for at, one in enumerate(least):
        if lines and sum(least[before] + 28 for before in lines[-1]) + one <= width:
            lines[-1].append(at)
        else:
            lines.append([at])
    for line in lines:
        between = 28 * (len(line) - 1)
        taken = sum(max(sum(widths[at]) + 20, 150) for at in line) + between
        assert taken <= max(width, least[line[0]])
        # Where a line has the room, every pane of it is as wide as it wants to be.
        if sum(wanted[at] for at in line) + between <= width:
            assert all(wide >= needs[at][1] + 9 for at in line for wide in widths[at])
        assert all(wide >= needs[at][1] for at in line for wide in widths[at])


KEYS = (
    "ArrowUp",
    "ArrowDown",
    "ArrowLeft",
    "ArrowRight",
    "Home",
    "End",
    "PageUp",
    "PageDown",
    "^Home",
    "^End",
)


@tries
@given(variant=scenes(), keys=st.lists(st.sampled_from(KEYS), max_size=8))
def test_keys_lead_to_the_next_cell_that_can_be_selected_and_stay_at_the_edge(
    pure: Functions, variant: dict[str, Any], keys: list[str]
) -> None:
    pane = variant["panes"][0]
    free = [cell for cell, kind in enumerate(pane["kind"]) if kind in SELECTABLE]
    if not free:
        return
    cols = pane["cols"]
    at = free[0]
    for key in keys:
        row, col = divmod(at, cols)
        in_row = [cell for cell in free if cell // cols == row]
        in_col = [cell for cell in free if cell % cols == col]
        near = [cell for cell in in_col if abs(cell // cols - row) <= 8]
        wanted = {
            "ArrowUp": max((cell for cell in in_col if cell < at), default=at),
            "ArrowDown": min((cell for cell in in_col if cell > at), default=at),
            "ArrowLeft": max((cell for cell in in_row if cell < at), default=at),
            "ArrowRight": min((cell for cell in in_row if cell > at), default=at),
            "Home": in_row[0],
            "End": in_row[-1],
            "^Home": free[0],
            "^End": free[-1],
            "PageUp": min(near),
            "PageDown": max(near),
        }[key]
        asked = {"scene": pooled(variant), "at": at, "key": key.lstrip("^"), "ctrl": key.startswith("^")}
        got = pure.run("pure.move(pure.open(a.scene).panes[0], a.at, a.key, a.ctrl)", asked)
        assert got == wanted, key
        at = got
    others = "['a', 'Tab', 'Escape', 'F5'].map((key) => pure.move(pure.open(a).panes[0], 0, key, false))"
    assert pure.run(others, pooled(variant)) == [None] * 4


def harmless(field: str) -> str:
    """The field as a spreadsheet may see it."""
    number = re.fullmatch(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", field)
    return f"'{field}" if field[:1] in ("=", "+", "-", "@") and field and not number else field


@tries
@given(variant=scenes())
def test_the_table_read_back_is_every_cell_and_nothing_that_runs(
    pure: Functions, variant: dict[str, Any]
) -> None:
    names, written, marked = pure.run(
        """[a.places.map(([pane, cell]) => pure.nameOf(pure.open(a.scene).panes[pane], cell)),
            pure.asCsv(pure.table(pure.open(a.scene))), pure.asMarkdown(pure.table(pure.open(a.scene)))]""",
        {"scene": pooled(variant), "places": cells_of(variant)},
    )
    columns = list(dict.fromkeys(name for pane in variant["panes"] for name in pane["columns"]))
    wanted = [["pane", "name", "kind", *columns]]
    for (at, cell), name in zip(cells_of(variant), names, strict=True):
        pane = variant["panes"][at]
        found = (pane["columns"].get(column, [None] * (cell + 1))[cell] for column in columns)
        texts = ["" if v is None else " ".join(map(str, v)) if isinstance(v, list) else str(v) for v in found]
        wanted.append([pane["name"], name, pane["kind"][cell], *texts])
    read = list(csv.reader(io.StringIO(written, newline="")))
    assert read == [[harmless(field) for field in line] for line in wanted]
    lines = marked.split("\n")
    assert lines.pop() == ""
    assert lines.pop(1) == "|" + " --- |" * len(wanted[0])
    plain = [[re.sub(r"\r\n|\r|\n", " ", field) for field in line] for line in wanted]
    assert [re.split(r"(?<!\\)\|", line)[1:-1] for line in lines] == [
        [f" {field.replace('|', chr(92) + '|')} " for field in line] for line in plain
    ]


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | words,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(words | st.sampled_from(ODD), inner, max_size=4)
    ),
    max_leaves=20,
)
DRAWN = """(() => {
  const verdict = pure.readScene(a);
  if (!verdict.ok) return [false, typeof verdict.reason === "string" && verdict.reason.length > 10];
  const mount = document.createElement("div");
  mount.setAttribute("data-scene", JSON.stringify(a));
  document.querySelector("main").replaceChildren(mount);
  const drawn = lanesView.mount(mount);
  for (const cell of [...mount.querySelectorAll("[data-cell]")].slice(0, 4)) {
    cell.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
    cell.dispatchEvent(new KeyboardEvent("keydown", { key: "End", bubbles: true }));
  }
  for (const button of mount.querySelectorAll("[role=radio], .lanes-button")) button.click();
  lanesView.unmount(mount);
  return [drawn, true];
})()"""


@settings(max_examples=150, deadline=None)
@given(value=anything)
def test_no_value_of_json_throws_and_what_is_no_scene_has_a_reason(pure: Functions, value: Any) -> None:
    ok, told = pure.run(DRAWN, value)
    assert not ok
    assert told


@st.composite
def broken(draw: st.DrawFn) -> Any:
    """A scene in which one thing, anywhere, is something else or gone."""
    scene = pooled(draw(scenes()))
    at: Any = scene
    while True:
        key = draw(st.sampled_from(sorted(at, key=str) if isinstance(at, dict) else list(range(len(at)))))
        inner = at[key]
        if not isinstance(inner, dict | list) or not inner or draw(st.integers(0, 3)) == 0:
            break
        at = inner
    if draw(st.booleans()) and isinstance(at, dict):
        del at[key]
    else:
        at[key] = draw(anything | st.sampled_from([-1, 1e9, 2**31, "x" * 5000, [[]] * 70]))
    return scene


@settings(max_examples=250, deadline=None)
@given(scene=broken())
def test_a_scene_with_one_thing_wrong_is_refused_or_drawn_and_never_throws(
    pure: Functions, scene: Any
) -> None:
    _, fine = pure.run(DRAWN, scene)
    assert fine


@tries
@given(variant=scenes())
def test_every_scene_that_hypothesis_makes_is_drawn(pure: Functions, variant: dict[str, Any]) -> None:
    assert pure.run("pure.readScene(a)", pooled(variant))["ok"]
    assert pure.run(DRAWN, pooled(variant)) == [True, True]


def limited() -> Iterator[Any]:
    """Scenes that are a little too large, each in one way."""
    one = grid(2, 2)
    pane = one["panes"][0]
    yield pytest.param(one | {"panes": [pane | {"name": str(at)} for at in range(65)]}, id="panes")
    yield pytest.param(grid(257, 256), id="cells of a pane")
    large = grid(250, 250)["panes"][0]
    yield pytest.param(
        one | {"panes": [large | {"name": str(at)} for at in range(4)]}, id="cells of all panes"
    )
    yield pytest.param(grid(1025, 1), id="a side")
    yield pytest.param(grid(1, 1, columns={f"c{at}": [0] for at in range(65)}, colour=None), id="columns")
    yield pytest.param(grid(1, 1, title="x" * 201), id="a title")
    yield pytest.param(grid(1, 1, text="x" * 41), id="a text")
    yield pytest.param(grid(1, 1, sentences={"cell": "x" * 4001}), id="a sentence")
    yield pytest.param(grid(1, 1, columns={"lane": ["x" * 201]}), id="a value")
    yield pytest.param(grid(1, 1, columns={"lane": [[0] * 4097]}), id="members")
    yield pytest.param(
        one | {"links": [{"from": "A", "to": "A", "on": ["at", "at"], "as": "same"}] * 257}, id="links"
    )
    yield pytest.param(one | {"steps": ["x"] * 65}, id="steps")


@pytest.mark.parametrize("variant", [*limited()])
def test_a_scene_above_a_limit_is_refused(pure: Functions, variant: dict[str, Any]) -> None:
    assert pure.run("pure.readScene(a).ok", pooled(grid(2, 2)))
    assert not pure.run("pure.readScene(a).ok", pooled(variant))


def wrong() -> Iterator[Any]:
    """Scenes that are wrong in one way each."""
    one = grid(2, 2)
    pane = one["panes"][0]
    link = {"from": "A", "to": "A", "on": ["at", "at"], "as": "same"}
    slide = {"label": "at", "on": "at", "pane": "A", "cells": [0]}
    frame = {"row": 0, "col": 0, "rows": 1, "cols": 1, "label": ""}
    panes_ = {
        "a column that is too short": {"columns": {"lane": [0, 1, 2]}},
        "a kind that is none": {"kind": ["cell", "cell", "cell", "corner"]},
        "a kind without a name": {"kind": ["cell", "cell", "cell", "badge"]},
        "a name that is empty": {"names": {"cell": ""}},
        "a text that is a number": {"text": ["0", "1", "2", 3]},
        "a colour that is no column": {"colour": "hue"},
        "a gap past the end": {"row_gaps": [3]},
        "a gap before the start": {"col_gaps": [-1]},
        "heads for some": {"row_heads": ["0"]},
        "a head that is a number": {"col_heads": ["0", 1]},
        "a frame past the edge": {"frames": [frame | {"cols": 3}]},
        "a frame between rows": {"frames": [frame | {"row": 0.5}]},
        "a frame of nothing": {"frames": [frame | {"rows": 0}]},
        "half a row": {"rows": 1.5},
        "no rows": {"rows": 0},
    }
    for what, change in panes_.items():
        yield pytest.param(pooled(one | {"panes": [pane | change]}), id=what)
    variants = {
        "two panes of one name": {"panes": [pane, pane]},
        "a link to no pane": {"links": [link | {"to": "B"}]},
        "a link on one column": {"links": [link | {"on": ["at"]}]},
        "a link in no style": {"links": [link | {"as": "likes"}]},
        "a slider of no pane": {"slider": slide | {"pane": "B"}},
        "a slider past the end": {"slider": slide | {"cells": [4]}},
        "a slider of nothing": {"slider": slide | {"cells": []}},
        "a step that is no text": {"steps": [1]},
        "a choice of nothing": {"choice": ["x4"]},
    }
    for what, change in variants.items():
        yield pytest.param(pooled(one | change), id=what)
    scene = pooled(one)
    control = {"name": "n", "label": "n", "options": ["a", "b"]}
    two = scene["variants"] * 2
    twice = [variant | {"choice": ["a"]} for variant in two]
    scenes_ = {
        "a name with capitals": {"name": "Ldmatrix"},
        "a choice that is missing": {"controls": [control]},
        "a choice that is there twice": {"controls": [control], "start": ["a"], "variants": twice},
        "an option that is there twice": {"controls": [control | {"options": ["a", "a"]}], "variants": two},
        "a start that is none": {"start": ["a"]},
        "a place past the pool": {"pool": scene["pool"][:-1]},
        "a value past its column": {"pool": [{"of": ["cell"], "at": [0, 0, 0, 1]}, *scene["pool"][1:]]},
    }  # fmt: skip
    for what, change in scenes_.items():
        yield pytest.param(scene | change, id=what)


@pytest.mark.parametrize("scene", [*wrong()])
def test_what_is_wrong_in_a_scene_is_told(pure: Functions, scene: dict[str, Any]) -> None:
    verdict = pure.run("pure.readScene(a)", scene)
    assert not verdict["ok"]
    assert re.fullmatch(r"[a-z][^.]{10,120}", verdict["reason"]), verdict["reason"]
    assert verdict["reason"] != "the scene could not be read"


def test_truth_values_and_nested_lists_are_no_values(pure: Functions) -> None:
    for value in (True, [None], [[1]], {}, [True]):
        assert not pure.run("pure.readScene(a).ok", pooled(grid(1, 1, columns={"lane": [value]}))), value


@tries
@given(choice=st.lists(words, max_size=3), step=st.integers(0, 64), selection=words)
def test_a_link_gives_back_what_it_was_made_of(
    pure: Functions, choice: list[str], step: int, selection: str
) -> None:
    made = {"name": "ldmatrix", "choice": choice, "step": step, "selection": selection}
    hash_, read = pure.run("[pure.hashOf(a), pure.readHash(pure.hashOf(a))]", made)
    assert re.fullmatch(r"#[!-~]*", hash_)
    assert read == made | {"choice": ".".join(choice)}


@tries
@given(text=st.text(max_size=30) | st.builds("#lanes={}".format, st.text(max_size=20)))
def test_no_hash_throws(pure: Functions, text: str) -> None:
    read = pure.run("pure.readHash(a)", text)
    assert pure.run("pure.readHash('#lanes=a;%;0;%E0')") is None
    assert read is None or re.match(r"#lanes=[a-z0-9-]+;", text)


def test_a_link_is_written_as_it_was_agreed(pure: Functions) -> None:
    made = {"name": "ldmatrix", "choice": ["x4", "plain", "dense"], "step": 2, "selection": "A(0,9)"}
    assert pure.run("pure.hashOf(a)", made) == "#lanes=ldmatrix;x4.plain.dense;2;A(0%2C9)"


def test_fill_means_holds_dashes_mean_supplies_and_a_step_that_is_to_come_is_hollow(pure: Functions) -> None:
    def looks(pane: dict[str, Any], step: int, lit: dict[str, list[int]]) -> list[Any]:
        lights = "new Map(Object.entries(a.lit).map(([style, cells]) => [style, new Set(cells)]))"
        each = f"pure.look(pure.open(a.scene).panes[0], cell, a.step, {lights})"
        asked = {"scene": pooled(grid(1, 4, **pane)), "step": step, "lit": lit}
        return list(pure.run(f"[0, 1, 2, 3].map((cell) => {each})", asked))

    kinds = {"kind": ["cell", "badge", "lane", ""], "names": dict.fromkeys(SELECTABLE, "{at}")}
    columns = {"lane": [7, 8, 9, 10], "at": [0, 1, 2, 3], "step": [2, 2, 1, None]}
    cell, badge, lane, nothing = looks({**kinds, "columns": columns}, 0, {})
    assert nothing is None
    assert (cell["fill"], badge["fill"], lane["fill"]) == ("7", "none", "9")
    assert (cell["dash"], badge["dash"], lane["dash"]) == (False, True, False)
    assert not cell["bold"]

    # A quiet pane: only what a lane holds takes its colour, and the lane cell always has it.
    quiet = {**kinds, "columns": columns, "colour": None}
    cell, badge, lane, _ = looks(quiet, 0, {"supplies": [0, 1]})
    assert (cell["fill"], lane["fill"], badge["tone"]) == ("quiet", "9", "accent")
    cell, *_ = looks(quiet, 0, {"holds": [0]})
    assert (cell["fill"], cell["bold"], cell["tone"]) == ("7", True, "ink")

    # Step 1: what comes later is a line, what comes now has a heavier one.
    cell, badge, lane, _ = looks({**kinds, "columns": columns}, 1, {})
    assert (cell["fill"], cell["text"], cell["line"]) == ("none", "", "line")
    assert (badge["fill"], badge["text"]) == ("none", "")
    assert (lane["fill"], lane["line"]) == ("9", "muted")
    cell, _, lane, _ = looks({**kinds, "columns": columns}, 2, {})
    assert (cell["line"], lane["line"]) == ("muted", "none")


def test_a_cell_with_several_steps_appears_at_the_first_and_is_marked_at_each(pure: Functions) -> None:
    scene = pooled(grid(1, 1, columns={"lane": [7], "at": [0], "step": [[4, 2]]}))
    shown = [pure.run("pure.look(pure.open(a.scene).panes[0], 0, a.step, null)", {"scene": scene, "step": step})
             for step in range(6)]  # fmt: skip
    assert [one["fill"] for one in shown] == ["7", "none", "7", "7", "7", "7"]
    assert [one["line"] for one in shown] == ["none", "line", "muted", "none", "muted", "none"]


@pytest.mark.parametrize("value", [32, -1, 0.5, "3", None, [3]])
def test_what_is_no_lane_has_no_lane_s_colour(pure: Functions, value: Any) -> None:
    scene = pooled(grid(1, 1, columns={"lane": [value], "at": [0]}))
    assert pure.run("pure.look(pure.open(a).panes[0], 0, 0, null).fill", scene) == "quiet"


HEADS = st.sampled_from(["", "0", "15", "127", "reg 0 (a0)"])


@tries
@given(heads=st.lists(HEADS, min_size=1, max_size=20), wide=st.integers(2, 40))
def test_heads_that_are_drawn_never_touch(pure: Functions, heads: list[str], wide: int) -> None:
    found = pure.run(
        f"pure.readable(a, (at, span) => [at * {wide}, (at + span) * {wide}], (text) => text.length * 7, true)",
        heads,
    )
    assert all(heads[one["index"]] == one["text"] != "" for one in found)
    assert bool(found) == any(heads)
    for one, other in itertools.pairwise(found):
        assert one["at"] + len(one["text"]) * 3.5 <= other["at"] - len(other["text"]) * 3.5
