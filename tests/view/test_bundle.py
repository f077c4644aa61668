"""The joined script and stylesheet: closed over their modules, deterministic, and without a door for markup."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lanes.view import bundle

if TYPE_CHECKING:
    from playwright.sync_api import Page

MODULES = sorted(bundle.SOURCES.glob("*.js"))
FORBIDDEN = [
    r"innerHTML",
    r"outerHTML",
    r"insertAdjacentHTML",
    r"setHTML",
    r"DOMParser",
    r"createContextualFragment",
    r"srcdoc",
    r"document\.write",
    r"\beval\b",
    r"\bFunction\(",
    r"import\(",
    r"\bfetch\(",
    r"XMLHttpRequest",
    r"WebSocket",
    r"localStorage",
    r"sessionStorage",
    r"cookie",
    r"console\.",
    r"alert\(",
    r"\bdebugger\b",
    r"window\.open",
    r"postMessage",
    r"\bcssText\b",
    r"__proto__",
]
MOST_BYTES = 20 * 1024  # of the page script, gzipped


def widget(folder: Path, **modules: str) -> str:
    """Join small modules, each given as a keyword: its name and its text."""
    for name, text in modules.items():
        (folder / f"{name}.js").write_text(text)
    return bundle.joined(folder, "last.js")


def test_modules_come_after_what_they_import_and_lose_imports_exports_and_comments(tmp_path: Path) -> None:
    text = widget(
        tmp_path,
        last='// Why.\nimport { one } from "./first.js";\n/** What. */\nexport const two = one + one; // twice\n',
        first="/**\n * Says one.\n */\nexport const one = 1;\n",
    )
    assert text == "const one = 1;\nconst two = one + one;\n"


@pytest.mark.parametrize(
    ("modules", "said"),
    [
        ({"last": 'import { a } from "./none.js";\n'}, "none.js is imported but is not"),
        ({"last": 'import { a } from "./a.js";\n', "a": "const a = 1;\n"}, "which lacks one"),
        ({"last": 'import a from "./a.js";\n', "a": "export const a = 1;\n"}, "which lacks one"),
        ({"last": 'import { a as b } from "./a.js";\n', "a": "export const a = 1;\n"}, "cannot be joined"),
        ({"last": 'import * as a from "./a.js";\n', "a": "export const a = 1;\n"}, "cannot be joined"),
        ({"last": 'import { a } from "https://a.example/a.js";\n'}, "cannot be joined"),
        ({"last": 'import { a } from "../a.js";\n'}, "cannot be joined"),
        (
            {"last": 'import { a } from "./a.js";\nconst one = 1;\n', "a": "export const a = 1;\nlet one = 2;\n"},
            "both give one",
        ),
        (
            {
                "last": 'import { a } from "./a.js";\nexport const b = 1;\n',
                "a": 'import { b } from "./last.js";\nexport const a = 1;\n',
            },
            "in a circle",
        ),
    ],
    ids=str,
)  # fmt: skip
def test_what_cannot_be_joined_is_refused_in_a_sentence(
    modules: dict[str, str], said: str, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        widget(tmp_path, **modules)


def test_every_module_is_in_the_page_script() -> None:
    script = bundle.page_script()
    for module in MODULES:
        names = re.findall(r"^export (?:async )?(?:function|const) (\w+)", module.read_text(), re.MULTILINE)
        for name in names:
            given = re.findall(rf"^(?:async )?function {name}\(|^const {name} =", script, re.MULTILINE)
            assert given, f"{module.name}: {name}"
            assert sum("function" in one for one in given) <= 1, f"{module.name}: {name}"


def test_joining_changes_no_text_that_a_reader_sees() -> None:
    # Indents and comments go line by line, so no text may span lines or look like a comment that begins a line.
    script = bundle.page_script()
    for module in MODULES:
        for number, line in enumerate(module.read_text().splitlines(), 1):
            where = f"{module.name}:{number}"
            assert (
                line.count("`") % 2 == 0 or "MARKS" in line or "runs of" in line or line.startswith("//")
            ), where
            if not line.lstrip().startswith(("//", "*", "/**", "import")):
                for text in re.findall(r'"[^"]*"', line):
                    assert text in script, f"{where}: {text}"


def test_the_widget_is_one_module_without_imports_and_the_page_script_is_no_module() -> None:
    module, script = bundle.widget_esm(), bundle.page_script()
    assert re.findall(r"^(?:import|export)\b.*", module, re.MULTILINE) == ["export default widget;"]
    assert not re.search(r"^(?:import|export)\b", script, re.MULTILINE)
    assert "DOMContentLoaded" in script
    assert "DOMContentLoaded" not in module


def test_joining_twice_gives_the_same_bytes() -> None:
    first = bundle.page_script(), bundle.widget_esm(), bundle.stylesheet()
    bundle.joined.cache_clear()
    assert (bundle.page_script(), bundle.widget_esm(), bundle.stylesheet()) == first


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name)
def test_no_module_parses_markup_runs_text_or_speaks_to_anyone(module: Path) -> None:
    code = re.sub(r"^ *(//|\*|/\*\*).*", "", module.read_text(), flags=re.MULTILINE)
    found = [pattern for pattern in FORBIDDEN if re.search(pattern, code)]
    assert found == []
    # The one address is the name of SVG.
    assert set(re.findall(r"https?://[^\"]*", code)) <= {"http://www.w3.org/2000/svg"}


def test_classes_come_from_a_closed_list_that_the_stylesheet_knows() -> None:
    rules = set(re.findall(r"\.(lanes-[\w-]+)", bundle.stylesheet()))
    used = {name for module in MODULES for name in re.findall(r'"(lanes-[\w -]+)"', module.read_text())}
    names = {name for group in used for name in group.split()}
    assert all(re.fullmatch(r"lanes-[a-z]+", name) for name in names)
    unstyled = names - rules
    assert unstyled == {"lanes-pane"} - rules


def test_every_selector_of_the_widget_begins_with_its_prefix() -> None:
    text = re.sub(r"/\*.*?\*/", "", (bundle.HERE / "lane_view.css").read_text(), flags=re.DOTALL)
    heads = [head.strip() for head in re.findall(r"([^{};]+)\{", text)]
    selectors = [one.strip() for head in heads if not head.startswith("@") for one in head.split(",")]
    assert len(selectors) > 40
    assert [one for one in selectors if not one.startswith(".lanes-")] == []
    assert "@import" not in text
    assert "url(" not in text


def test_no_type_is_smaller_than_eleven_pixels() -> None:
    sizes = re.findall(
        r"font(?:-size)?: (?:\d+ )?(\d+(?:\.\d+)?)px", (bundle.HERE / "lane_view.css").read_text()
    )
    drawn = [
        size
        for module in MODULES
        for size in re.findall(r"FONT = (\d+)|font-size\": (\d+)", module.read_text())
    ]
    assert len(sizes) > 5
    assert len(drawn) > 3
    assert min(float(size) for size in [*sizes, *(a or b for a, b in drawn)]) >= 11


def test_modules_are_short_and_the_page_script_is_light() -> None:
    for module in MODULES:
        assert len(module.read_text().splitlines()) <= 300, module.name
        assert max(map(len, module.read_text().splitlines())) <= 120, module.name
    assert len(gzip.compress(bundle.page_script().encode(), 9)) < MOST_BYTES


@pytest.mark.browser
def test_the_page_script_runs_from_a_file_and_leaves_one_name(
    tmp_path: Path, open_page: Callable[..., Page]
) -> None:
    (tmp_path / "lane_view.js").write_text(bundle.page_script())
    names = "<script>before = new Set(Object.getOwnPropertyNames(window))</script>"
    page = f'<!doctype html><title>x</title><link rel="icon" href="data:,">{names}'
    (tmp_path / "page.html").write_text(page + '<script src="lane_view.js"></script>')
    opened = open_page(tmp_path / "page.html", draw=False)
    new = opened.evaluate("Object.getOwnPropertyNames(window).filter((name) => !before.has(name))")
    assert sorted(new) == ["before", "lanesView", "read"]
    assert opened.evaluate("Object.isFrozen(lanesView) && typeof lanesView.mount") == "function"


@pytest.mark.browser
def test_the_widget_loads_as_a_module_from_a_blob(tmp_path: Path, open_page: Callable[..., Page]) -> None:
    (tmp_path / "page.html").write_text('<!doctype html><title>x</title><link rel="icon" href="data:,">')
    opened = open_page(tmp_path / "page.html", draw=False)
    kinds = opened.evaluate(
        """async (text) => {
          const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
          const module = await import(address);
          return [Object.keys(module), typeof module.default.render];
        }""",
        bundle.widget_esm(),
    )
    assert kinds == [["default"], "function"]
