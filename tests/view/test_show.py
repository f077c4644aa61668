"""What cells show beside scenes: tables and listings."""

import pytest
from bs4 import BeautifulSoup
from IPython.core.formatters import DisplayFormatter

from lanes.view import Listing, Table

HOSTILE = "</mark></pre><script>alert(1)</script>"


def test_a_table_is_markdown_and_plain_text_alike():
    table = Table([{"arch": "sm_75", "HMMA": 32}, {"arch": "sm_80", "HMMA": 16}])
    bundle, _ = DisplayFormatter().format(table)
    assert bundle["text/markdown"] == "arch | HMMA\n--- | ---\nsm_75 | 32\nsm_80 | 16"
    assert bundle["text/plain"] == bundle["text/markdown"]


def test_records_that_do_not_fit_one_head_are_refused():
    with pytest.raises(ValueError, match="the same fields"):
        Table([{"a": 1}, {"b": 1}])


def test_an_empty_table_shows_nothing():
    assert repr(Table([])).strip(" \n-|") == ""


def test_a_listing_marks_whole_lines_and_keeps_every_character():
    lines = ["LDSM.16 R0, [R1<2>]", "FADD R1", "HMMA.16816 R4"]
    soup = BeautifulSoup(Listing(lines, {"HMMA": "hmma", "LDSM": "ldsm"})._repr_html_(), "html.parser")
    assert soup.pre.get_text().split("\n") == lines
    assert [(mark["class"], mark.get_text()) for mark in soup.select("mark")] == [
        (["ldsm"], lines[0]),
        (["hmma"], lines[2]),
    ]
    assert soup.pre["tabindex"] == "0"


def test_a_listing_by_architecture_follows_the_pages_switch():
    soup = BeautifulSoup(Listing({"sm_75": ["a"], "sm_80": ["b"]}, {})._repr_html_(), "html.parser")
    assert [(one["data-arch"], one.get_text()) for one in soup.select(".lanes-arch")] == [
        ("sm_75", "a"),
        ("sm_80", "b"),
    ]


def test_a_hostile_line_stays_text():
    shown = Listing({HOSTILE: [HOSTILE]}, {"alert": HOSTILE})._repr_html_()
    assert BeautifulSoup(shown, "html.parser").find("script") is None
