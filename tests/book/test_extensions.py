"""What the book's own Sphinx extensions make: one stylesheet, one script, few icons, marked passages."""

import base64
import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from fontTools.ttLib import TTFont
from nbformat import NotebookNode

ROOT = Path(__file__).resolve().parents[2]
# Of Font Awesome: how an icon is drawn, not which.
STYLES = {"fa-solid", "fa-brands", "fa-regular", "fa-lg", "fa-sm", "fa-fw"}


@pytest.mark.parametrize("pages", ["site", "small"])
def test_every_icon_on_a_page_has_its_glyph(pages: str, request: pytest.FixtureRequest) -> None:
    """The stylesheet carries a part of the icon fonts: what it leaves out would be an empty square."""
    root = request.getfixturevalue(pages)
    css = (root / "_static" / "page.css").read_text()
    fonts = re.findall(r"data:font/woff;base64,([A-Za-z0-9+/=]+)", css)
    assert len(fonts) == 2, "the solid icons and the brands"
    glyphs = {code for font in fonts for code in TTFont(io.BytesIO(base64.b64decode(font))).getBestCmap()}
    names = set()
    for page in root.rglob("*.html"):
        names |= set(re.findall(r"\bfa-[\w-]+", page.read_text())) - STYLES
    assert "fa-magnifying-glass" in names
    codes = {name: re.search(rf'\.{name}:before[^{{}}]*\{{content:"\\(\w+)"', css) for name in sorted(names)}
    assert [name for name, code in codes.items() if code is None or int(code[1], 16) not in glyphs] == []
    # And those that rules of the theme show by themselves, before a note for example.
    assert {ord(sign) for sign in re.findall(r'"([\ue000-\uf8ff])"', css)} <= glyphs


def test_the_licences_of_what_is_copied_go_with_it(small: Path) -> None:
    css = (small / "_static" / "page.css").read_text()
    assert "Icons: CC BY 4.0" in css
    assert "SIL OFL 1.1" in css
    script = (small / "_static" / "page.js").read_text()
    assert "Bootstrap v5" in script
    assert "Licensed under MIT" in script


def test_the_colours_have_one_table(small: Path) -> None:
    """The book's own stylesheet has no colour of its own: it takes them from the variables."""
    own = (ROOT / "book" / "_assets" / "book.css").read_text()
    assert re.findall(r"#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|oklch|oklab|lab|lch)a?\(", own) == []
    assert "--lanes-31:" in (small / "_static" / "page.css").read_text()


def test_a_passage_names_its_architectures_in_order(small: Path) -> None:
    page = BeautifulSoup((small / "book" / "first.html").read_text(), "html.parser")
    passages = page.select("div.lanes-arch")
    assert [one["data-arch"] for one in passages] == ["sm_75", "sm_80 sm_90"]
    labels = [one.select_one(":scope > .lanes-arch-label") for one in passages]
    assert [label and label.get_text() for label in labels] == ["Only on sm_75", "Only on sm_80 and sm_90"]
    assert passages[1].select_one("li code") is not None


@pytest.mark.parametrize("names", ["sm_70", "sm_80 sm_80", "sm_80 sm_75 sm_90 sm_75"])
def test_a_passage_for_an_unknown_architecture_fails_the_build(
    book_builder: Callable[..., Path], small_source: Path, tmp_path: Path, names: str
) -> None:
    for name in ("_config.yml", "book/_ext", "book/_assets"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).symlink_to(small_source / name)
    (tmp_path / "_toc.yml").write_text("format: jb-book\nroot: book/one\n")
    (tmp_path / "book" / "one.md").write_text(f"# One\n\n:::{{arch}} {names}\nText.\n:::\n")
    with pytest.raises(
        AssertionError, match=r"one\.md:3: .*(wanted each at most once of sm_75|maximum 3 argument)"
    ):
        book_builder(tmp_path, tmp_path)


def test_what_a_cell_prints_does_not_depend_on_how_it_arrives(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut anywhere, also within a line, a text is the same text; a figure between two texts stays between them."""
    monkeypatch.syspath_prepend(ROOT / "book" / "_ext")
    from streams import joined

    text = "lane 16 supplies\n  row 0\n"
    for cut in range(1, len(text)):
        pieces = [
            NotebookNode(output_type="stream", name="stdout", text=one) for one in (text[:cut], text[cut:])
        ]
        figure = NotebookNode(output_type="display_data", data={}, metadata={})
        outputs = joined([*pieces, figure, *pieces])
        assert [one.get("text") for one in outputs] == [text, None, text]
        assert pieces[0].text == text[:cut], "the notebook itself was changed"
