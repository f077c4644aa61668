"""The colour table: against the browser's own OKLCH, and against what a reader can tell apart."""

import itertools

import pytest

from lanes.view.colours import css, hex_colour, lane_colour, palette

LANES = [(lane, dark) for dark in (False, True) for lane in range(32)]


def linear(colour):
    return [
        v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4
        for v in (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    ]


def luminance(colour):
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    """The ratio that WCAG 2 defines."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.browser
def test_the_lanes_are_the_oklch_colours_that_the_browser_computes(chromium):
    """The formula of the book's visual language, computed by Chromium where the screen can show the colour."""
    page = chromium.new_page()
    shown = page.evaluate(
        """lanes => {
          const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
          return lanes.map(([lane, dark]) => {
            const s = lane % 4, hue = 20 + 45 * Math.floor(lane / 4);
            const [l, c] = dark ? [0.36 + 0.06 * s, 0.075] : [0.95 - 0.055 * s, 0.05 + 0.018 * s];
            canvas.fillStyle = `oklch(${l} ${c} ${hue})`;
            canvas.fillRect(0, 0, 1, 1);
            return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
          });
        }""",
        LANES,
    )
    page.close()
    close = 0
    for (lane, dark), browser in zip(LANES, shown, strict=True):
        ours = [int(lane_colour(lane, dark=dark)[i : i + 2], 16) for i in (1, 3, 5)]
        if min(browser) > 0 and max(browser) < 255:
            assert max(abs(a - b) for a, b in zip(ours, browser, strict=True)) <= 1, (lane, dark)
            close += 1
    assert close > 40


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_text_can_be_read_on_every_ground(dark):
    """4.5 to 1 for text; 3 to 1 for the accent's rings, which stand on the panel."""
    colours = palette(dark=dark)
    grounds = [colours[str(lane)] for lane in range(32)] + [colours["quiet"], colours["ground"]]
    assert min(contrast(colours["ink"], ground) for ground in grounds) >= 4.5
    for name in ("muted", "accent"):
        assert contrast(colours[name], colours["ground"]) >= 4.5
    assert contrast(colours["muted"], colours["quiet"]) >= 4.5


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_no_two_lanes_have_one_colour(dark):
    colours = [lane_colour(lane, dark=dark) for lane in range(32)]
    assert len(set(colours)) == 32
    for one, other in itertools.pairwise(colours):
        assert max(abs(int(one[i : i + 2], 16) - int(other[i : i + 2], 16)) for i in (1, 3, 5)) >= 8


def test_a_colour_beyond_the_screen_keeps_its_lightness():
    """Chroma gives way: the most colourful blue-green of that lightness is as light as the grey."""
    assert contrast(hex_colour(0.9, 0.4, 195), hex_colour(0.9, 0, 195)) < 1.1


def test_the_stylesheet_holds_the_whole_table_for_both_themes():
    sheet = css()
    for dark in (False, True):
        for name, colour in palette(dark=dark).items():
            assert f"--lanes-{name}: {colour};" in sheet
    assert "@media print" not in sheet
    assert sheet.count("@media screen") == 2


def test_another_lane_is_refused():
    with pytest.raises(IndexError, match="lane is 32"):
        lane_colour(32)
