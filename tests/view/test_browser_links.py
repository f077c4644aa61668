"""What goes beyond one widget: links to a page, groups, controls, and the files that a reader saves."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Page

from lanes.catalog import fragment, ldmatrix_row
from lanes.view import SCENES, LaneView, as_csv, as_markdown, fragment_scene, ldmatrix_scene, mma_scene, table
from lanes.view.pane import Pane
from lanes.view.scene import Scene, Variant

pytestmark = pytest.mark.browser

A = fragment("m16n8k16", "A")
SHOWN = """(at) => {
  const root = read.view(at);
  const chosen = [...root.querySelectorAll("[aria-checked=true]")].map((one) => one.textContent);
  const selected = root.querySelector("[aria-selected=true]").getAttribute("aria-label");
  const step = Number(/^step (\\d)/.exec(root.querySelector(".lanes-step")?.textContent ?? "")?.[1] ?? 0);
  return [chosen, step, selected.replace(/(?<=\\)), .*/, "")];
}"""


def shown(page: Page, at: int = 0) -> tuple[list[str], int, str]:
    """What a widget of the page shows: its choice, its step, and the selected cell."""
    choice, step, selected = page.evaluate(SHOWN, at)
    return choice, step, selected


def click(page: Page, pane: int, cell: int, at: int = 0) -> None:
    page.evaluate(f"([pane, cell]) => read.send(read.view({at}), pane, cell, 'click')", [pane, cell])


def hostile_scene() -> Scene:
    """A scene whose values are what a spreadsheet, a table or a page could take for something else."""
    texts = [
        "=1+1",
        "-3",
        "+a",
        "@x",
        'a "b"',
        "a,b",
        "a\nb",
        "a\r\nb",
        "a|b",
        "</script>",
        "<img src=x onerror=1>",
        "1e5",
    ]
    values = [*texts, -2, 1.5, None, [1, 2], ["=a", "b|c"], "", "é\u202e"]
    cells = [
        {"kind": "cell", "text": str(at), "number": at, "value": value} for at, value in enumerate(values)
    ]
    pane = Pane(
        'P|,"', "<b>", 1, len(cells), cells, {"cell": "cell {number}: {value}"}, {"cell": "**{value}**"}
    )
    return Scene("hostile", "</title><script>", "x", (), (Variant((), (pane,), (), "cell 1: -3"),), ())


def test_a_link_opens_what_it_names(write_page: Any, open_page: Any) -> None:
    path = write_page(
        '<div style="height: 3000px"></div>', LaneView(ldmatrix_scene()), LaneView(fragment_scene())
    )
    page = open_page(f"{path.as_uri()}#lanes=ldmatrix;x2..trans.padded;1;lane%207", draw=False)
    page.wait_for_selector(".lanes-view")
    assert shown(page) == (["x2", ".trans", "padded"], 1, "lane 7")
    top, bottom = page.evaluate("(({ top, bottom }) => [top, bottom])(read.view(0).getBoundingClientRect())")
    assert abs((top + bottom) / 2 - 450) < 100, "it is in the middle of the window"


def test_a_link_pasted_into_the_open_page_is_followed(write_page: Any, open_page: Any) -> None:
    page = open_page(write_page(LaneView(ldmatrix_scene())))
    page.evaluate("location.hash = '#lanes=ldmatrix;x2..trans.padded;1;lane%207'")
    page.wait_for_function("document.querySelector('.lanes-said').textContent.startsWith('Lane 7')")
    assert shown(page) == (["x2", ".trans", "padded"], 1, "lane 7")


def test_before_the_first_step_there_is_no_way_back(write_page: Any, open_page: Any) -> None:
    page = open_page(write_page(LaneView(ldmatrix_scene())))
    page.get_by_role("button", name="back").click(force=True)
    assert shown(page)[1] == 0


NAMES_NOTHING = (
    "#lanes=ldmatrix;x9;0;Z(0,0)",
    "#lanes=other;x4;0;A(0,0)",
    "#lanes=ldmatrix;x4.plain.dense;0;%E0%A4%A",
    "#lanes=ldmatrix;x4.plain.dense;99;Z(1)",
    "#lanes=ldmatrix;x4.plain.dense;0;<img src=x onerror=alert(1)>",
    "#lanes=",
    "#x",
)


@pytest.mark.parametrize("hash_", NAMES_NOTHING)
def test_a_link_that_names_nothing_shows_the_start(hash_: str, write_page: Any, open_page: Any) -> None:
    page = open_page(write_page(LaneView(ldmatrix_scene())).as_uri() + hash_)
    choice, _, selected = shown(page)
    assert (choice, selected) == (["x4", "plain", "dense"], "A(0,9)")


def test_the_copied_link_opens_the_same_again(write_page: Any, open_page: Any, serve: Any) -> None:
    path = write_page(LaneView(ldmatrix_scene()))
    page = open_page(f"{serve(path.parent)}/{path.name}", permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("radio", name="x2").click()
    page.get_by_role("button", name="next").click()
    click(page, 1, 0)
    assert page.evaluate("location.hash") == "", "the address changes only when it is asked for"
    page.get_by_role("button", name="link").click()
    page.wait_for_function("document.querySelector('.lanes-foot [role=status]').textContent !== ''")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == page.url
    assert shown(open_page(link)) == shown(page) == (["x2", "plain", "dense"], 1, "lane 0")


def test_eight_widgets_of_a_group_select_together_and_others_do_not(write_page: Any, open_page: Any) -> None:
    views = [LaneView(make(), group="g") for make in (fragment_scene, mma_scene, ldmatrix_scene) * 3][:8]
    page = open_page(write_page(*views, LaneView(fragment_scene(), group="h"), LaneView(fragment_scene())))
    for row, col in ((9, 3), (4, 4)):
        click(page, 0, 16 * row + col, at=1)
        assert {shown(page, at)[2] for at in range(8)} == {f"A({row},{col})"}
        assert {shown(page, at)[2] for at in (8, 9)} == {"A(0,9)"}
    click(page, 1, 8, at=1)  # B(1,0): only the mma scenes have it
    assert [shown(page, at)[2] for at in range(8)] == ["A(4,4)", "B(1,0)", "A(4,4)"] * 2 + [
        "A(4,4)",
        "B(1,0)",
    ]


def test_a_widget_that_is_drawn_later_joins_its_group(write_page: Any, open_page: Any) -> None:
    far = '<div style="height: 5000px"></div>'
    path = write_page(LaneView(fragment_scene(), group="g"), far, LaneView(ldmatrix_scene(), group="g"))
    page = open_page(path, draw=False)
    page.wait_for_selector(".lanes-view")
    click(page, 0, 16 * 5 + 6)
    assert page.locator(".lanes-view").count() == 1
    page.evaluate("lanesView.mount(document.querySelectorAll('.lanes-mount')[1])")
    assert shown(page, 1)[2] == "A(5,6)"


def test_another_variant_keeps_the_selection_where_it_can(write_page: Any, open_page: Any) -> None:
    page = open_page(write_page(LaneView(ldmatrix_scene())))
    click(page, 1, 9 * 20)
    for option in (".trans", "scattered", "x1"):
        page.get_by_role("radio", name=option).click()
        assert shown(page)[2] == "lane 20"
    page.get_by_role("radio", name="x4").click()
    page.get_by_role("radio", name="dense").click()
    click(page, 0, 18 * 12 + 1 + 14 + 1)  # in matrix 3, which x2 does not load
    assert shown(page)[2] == "A(12,14)"
    page.get_by_role("radio", name="x2").click()
    assert shown(page)[2] == ldmatrix_scene().variant("x2", ".trans", "dense").start
    page.get_by_role("radio", name="x2").focus()
    page.keyboard.press("ArrowRight")
    assert shown(page)[0] == ["x4", ".trans", "dense"]
    assert page.evaluate("document.activeElement.textContent") == "x4"


def test_the_pages_architecture_chooses_the_instruction(write_page: Any, open_page: Any) -> None:
    page = open_page(write_page(LaneView(fragment_scene()), LaneView(ldmatrix_scene())))
    for arch, shape in (("sm_75", "m16n8k8"), ("sm_90", "m16n8k16"), ("sm_0", "m16n8k16")):
        page.evaluate(
            "(arch) => document.dispatchEvent(new CustomEvent('lanes:arch', { detail: arch }))", arch
        )
        assert shown(page)[0] == [shape, "A"]
        assert shown(page, 1)[0] == ["x4", "plain", "dense"]
    later = write_page(LaneView(fragment_scene()), attributes=' data-arch="sm_75"')
    assert shown(open_page(later))[0] == ["m16n8k8", "A"]


def test_steps_show_a_matrix_more_each_time(write_page: Any, open_page: Any) -> None:
    """At step s the elements of matrices 0 to s - 1 have their text, and the later ones are hollow."""
    scene, load = ldmatrix_scene(), ldmatrix_row(4)
    page = open_page(write_page(LaneView(scene)))
    corners = {corner: matrix for matrix, corner in enumerate(A.blocks)}
    matrix_of = {(r, c): corners[r // 8 * 8, c // 8 * 8] for r in range(16) for c in range(16)}
    for step in (1, 2, 3, 4, 0, 1):
        page.get_by_role("button", name="next").click()
        assert shown(page)[1] == step
        said = page.locator(".lanes-stepline").inner_text() if step else ""
        assert said.strip() == (scene.variant().steps[step - 1] if step else "")
        memory, registers = page.evaluate(WITH_TEXT)
        wanted = [
            18 * r + 1 + c + c // 8 for (r, c), matrix in matrix_of.items() if step == 0 or matrix < step
        ]
        assert sorted(memory) == sorted(wanted)
        slots = [9 * lane + 1 + 2 * reg + half for lane in range(32) for reg in range(4) for half in range(2)]
        arrived = [slot for slot in slots if step == 0 or load.element(*divmod3(slot))[0] < step]
        assert sorted(registers) == arrived
    page.get_by_role("button", name="back").click()
    assert shown(page)[1] == 0


def divmod3(slot: int) -> tuple[int, int, int]:
    """(lane, reg, half) of a cell of the registers of ldmatrix x4: nine cells a lane, the first is the lane's own."""
    lane, rest = divmod(slot, 9)
    return lane, (rest - 1) // 2, (rest - 1) % 2


def test_the_slider_and_the_selection_follow_each_other(write_page: Any, open_page: Any) -> None:
    page = open_page(write_page(LaneView(fragment_scene())))
    slider = page.get_by_role("slider")
    for lane in (0, 31, 17):
        slider.fill(str(lane))
        assert shown(page)[2] == f"lane {lane}"
    slider.press("ArrowRight")
    assert shown(page)[2] == "lane 18"
    for row, col in ((0, 9), (13, 5)):
        click(page, 0, 16 * row + col)
        assert slider.input_value() == str(A.owner(row, col)[0])
        assert shown(page)[2] == f"A({row},{col})"


@pytest.mark.parametrize("name", SCENES)
def test_saved_tables_are_pythons_byte_for_byte(name: str, write_page: Any, open_page: Any) -> None:
    """Of every variant; the bytes are those that the page hands to the browser to save."""
    scene = SCENES[name]()
    page = open_page(write_page(LaneView(scene)))
    page.evaluate(CATCH)
    for variant in scene.variants:
        page.evaluate("(choice) => read.choose(read.view(0), choice)", variant.choice)
        for label, write in (("CSV", as_csv), ("Markdown", as_markdown)):
            assert page.evaluate(SAVED, label) == write(table(variant)), f"{variant.choice} {label}"


def test_a_click_saves_the_file(write_page: Any, open_page: Any, tmp_path: Path) -> None:
    hostile = hostile_scene()
    page = open_page(write_page(LaneView(hostile)))
    for label, write in (("CSV", as_csv), ("Markdown", as_markdown)):
        with page.expect_download() as waiting:
            page.get_by_role("button", name=label).click()
        saved = tmp_path / waiting.value.suggested_filename
        waiting.value.save_as(saved)
        assert saved.read_bytes() == write(table(hostile.variant())).encode()
        assert saved.name == f"hostile.{'csv' if label == 'CSV' else 'md'}"


@pytest.mark.parametrize("name", [*SCENES, "hostile"])
def test_the_saved_picture_is_plain_svg_with_the_texts_of_the_page(
    name: str, write_page: Any, open_page: Any
) -> None:
    scene = hostile_scene() if name == "hostile" else SCENES[name]()
    page = open_page(write_page(LaneView(scene)))
    page.evaluate(CATCH)
    root = ElementTree.fromstring(page.evaluate(SAVED, "SVG"))
    space = "{http://www.w3.org/2000/svg}"
    assert {one.tag.removeprefix(space) for one in root.iter()} <= {
        "svg",
        "title",
        "desc",
        "g",
        "rect",
        "path",
        "text",
    }
    names = {attribute for one in root.iter() for attribute in one.attrib}
    assert not [attribute for attribute in names if attribute.startswith("on") or "href" in attribute]
    assert root.findtext(f"{space}title") == scene.title
    written = Counter("".join(one.itertext()) for one in root.iter(f"{space}text"))
    drawn, titles, sentence = page.evaluate(PAGE_TEXTS)
    rest = written - Counter(drawn) - Counter(titles)
    assert not Counter(drawn) + Counter(titles) - written, "the picture lacks a text"
    assert sorted(" ".join(rest.elements()).split()) == sorted(sentence.split()), (
        "what is left is the sentence"
    )


CATCH = """() => {
  window.blobs = [];
  URL.createObjectURL = (blob) => (blobs.push(blob), "data:,");
  HTMLAnchorElement.prototype.click = () => {};
}"""
SAVED = """async (label) => {
  const button = [...document.querySelectorAll(".lanes-foot button")].find((one) => one.textContent === label);
  button.click();
  return blobs.at(-1).text();
}"""
WITH_TEXT = """() => read.panes(read.view(0)).map((pane) => [...pane.querySelectorAll("[data-cell]")]
  .filter((cell) => /^A\\(|, reg /.test(cell.getAttribute("aria-label")))
  .filter((cell) => cell.querySelector("text")?.checkVisibility({ visibilityProperty: true }))
  .map((cell) => Number(cell.dataset.cell)))"""
PAGE_TEXTS = """() => {
  const texts = [...document.querySelectorAll(".lanes-pane svg text")];
  const seen = texts.filter((one) => one.checkVisibility({ visibilityProperty: true })).map((one) => one.textContent);
  const titles = [...document.querySelectorAll(".lanes-title b")].map((one) => one.textContent);
  return [seen, titles, read.said(read.view(0))];
}"""
