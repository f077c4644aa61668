"""Charts: drawn for light and dark, in words too, and safe to put many on one page."""

from __future__ import annotations

import re
from typing import Any

import pytest

from lanes.view import Chart
from lanes.view.colours import DARK, LIGHT, series


def rising(axes: Any, colours: Any) -> None:
    axes.plot([1, 2, 3], [1, 4, 9], color=colours.series[0], label="squares")
    axes.set(xlabel="n", ylabel="n²", title="Squares")
    axes.legend()


def luminance(colour: str) -> float:
    """Relative luminance. Source: WCAG 2.2, "relative luminance"."""
    lights = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in lights]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize(("dark", "theme"), [(False, LIGHT), (True, DARK)])
def test_a_line_stands_out_from_the_ground(dark: bool, theme: dict[str, str]) -> None:
    for colour in series(dark=dark):
        low, high = sorted([luminance(colour), luminance(theme["ground"])])
        assert (high + 0.05) / (low + 0.05) >= 3, colour


def test_it_is_drawn_in_the_colours_of_both_themes() -> None:
    light, dark = re.findall(
        r"<svg.*?</svg>", Chart(rising, "Squares.", "They rise.")._repr_html_(), re.DOTALL
    )
    for svg, own, other in ((light, LIGHT, DARK), (dark, DARK, LIGHT)):
        assert own["ground"] in svg
        assert own["ink"] in svg
        assert other["ground"] not in svg
        assert other["ink"] not in svg
        assert "#000000" not in svg  # no text or line that matplotlib coloured by itself


def test_its_words_are_words() -> None:
    html = Chart(rising, "a < b", 'say "x" & <script>')._repr_html_()
    assert "<figcaption>a &lt; b</figcaption>" in html
    assert html.count('role="img" aria-label="say &quot;x&quot; &amp; &lt;script&gt;"') == 2
    assert "<script" not in html


def test_two_on_one_page_share_no_name() -> None:
    page = "".join(Chart(rising, caption, "They rise.")._repr_html_() for caption in ("One.", "Two."))
    names = re.findall(r' id="([^"]+)"', page)
    assert len(names) == len(set(names)) > 0
    assert set(re.findall(r'(?:url\(|href=")#([^")]+)', page)) == set(names)


def test_it_is_the_same_each_time() -> None:
    assert (
        Chart(rising, "Squares.", "They rise.")._repr_html_()
        == Chart(rising, "Squares.", "They rise.")._repr_html_()
    )


@pytest.mark.parametrize("words", [("", "alt"), ("caption", " ")])
def test_a_chart_without_words_is_refused(words: tuple[str, str]) -> None:
    with pytest.raises(ValueError, match="a chart wants a caption, and alt"):
        Chart(rising, *words)
