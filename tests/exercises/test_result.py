"""What a check shows: one paragraph, and nothing in it is markup or a command to a terminal."""

import re

import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from exercises import Result

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[link](javascript:alert(1)) ![](https://evil.example/x.png)",
    "https://evil.example www.evil.example me@evil.example",
    "# heading",
    "- item\n- item\n\n1. one",
    "```{raw} html\n<b>x</b>\n```",
    "{eval-rst}`x` {ref}`y` $x^2$ $$y$$ \\(z\\)",
    "</pre></p><b>bold</b> **bold** __bold__ ~~x~~",
    "&lt;b&gt; &#60;b&#62;",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "\x1b[31mred\x1b[0m\x07\x00\u202eevil\u2066",
]


def rendered(result):
    return BeautifulSoup(
        MarkdownIt("gfm-like", {"linkify": False}).render(result._repr_markdown_()), "html.parser"
    )


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("field", ["sentence", "mistake", "printed"])
def test_a_hostile_text_is_shown_as_it_is(text, field):
    fields = {"sentence": "One.", "mistake": "unknown", "printed": "x"} | {field: text}
    result = Result("supplied-row", False, **fields)
    page = rendered(result)
    assert {tag.name for tag in page.find_all()} == {"p", "strong", "pre"}
    shown = getattr(result, field)
    assert " ".join(shown.split()) in " ".join(page.get_text().split())
    assert re.fullmatch(r"[^\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]*", repr(result))


@given(st.text(max_size=3000), st.text(max_size=3000))
def test_any_text_is_one_paragraph_of_bounded_length(sentence, printed):
    result = Result("supplied-row", False, "unknown", sentence, printed)
    assert len(result.sentence) <= 700
    assert len(result.printed) <= 2000
    assert {tag.name for tag in rendered(result).find_all()} <= {"p", "strong", "pre"}
    assert "\n" not in repr(result).partition("\nIt printed:\n")[0]


def test_colours_of_a_terminal_are_taken_out():
    result = Result("supplied-row", False, "raises", "\x1b[1m\x1b[31mUntyped\x1b[0m name")
    assert result.sentence == "Untyped name"


def test_a_result_reads_like_a_sentence():
    passed = Result("supplied-row", True, None, "All is right.")
    assert repr(passed) == str(passed) == "supplied-row: passed. All is right."
    assert rendered(passed).get_text() == "supplied-row: passed. All is right.\n"
    failed = Result("supplied-row", False, "constant", "Every lane supplies A(0,0).", "hello\n")
    assert (
        repr(failed) == "supplied-row: not yet (constant). Every lane supplies A(0,0).\nIt printed:\nhello\n"
    )


def test_assert_on_a_result_is_assert_on_passed():
    assert Result("supplied-row", True, None, "")
    assert not Result("supplied-row", False, "constant", "")
