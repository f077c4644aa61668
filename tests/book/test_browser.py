"""The pages in Chromium, opened as files: light, dark, and as wide as a phone."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

Settle = Callable[[Page], None]


@pytest.mark.browser
def test_page_opens_from_a_file_quietly_and_fits(
    page: Page, site: Path, chapter: str, settle: Settle
) -> None:
    page.goto((site / f"{chapter}.html").as_uri(), wait_until="load")
    settle(page)
    width = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    assert width[0] <= width[1], "the page scrolls sideways"
    assert page.locator("article mjx-merror").count() == 0


@pytest.mark.browser
def test_text_can_be_read_in_every_theme(page: Page, site: Path, chapter: str, settle: Settle) -> None:
    """Text and the ground behind it differ enough: at least 4.5 to 1 (WCAG 2, level AA)."""
    page.goto((site / f"{chapter}.html").as_uri(), wait_until="load")
    settle(page)
    assert page.evaluate(CONTRAST) == []


@pytest.mark.browser
def test_dark_pages_have_no_light_box(page: Page, site: Path, chapter: str, settle: Settle) -> None:
    """The theme paints a light box behind HTML outputs in dark mode."""
    page.goto((site / f"{chapter}.html").as_uri(), wait_until="load")
    settle(page)
    grounds = "boxes => boxes.map(box => getComputedStyle(box).backgroundColor)"
    painted = page.locator(".cell_output .text_html").evaluate_all(grounds)
    assert set(painted) <= {"rgba(0, 0, 0, 0)"}


@pytest.mark.browser
def test_on_a_phone_the_sentence_of_a_scene_stays_in_view(chromium: Browser, site: Path) -> None:
    """A tap on the first row of a scene that is taller than the screen: what it says can be read at once."""
    context = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto((site / "book" / "03-ldmatrix.html").as_uri())
    page.locator(".lanes-mount").scroll_into_view_if_needed()
    cell = page.locator(".lanes-view [aria-label^='A(0,3)']")
    cell.tap()
    box = page.locator(".lanes-sentence").bounding_box()
    said = page.locator(".lanes-said").text_content() or ""
    context.close()
    assert said.startswith("A(0,3)")
    assert box is not None
    assert 0 <= box["y"] <= box["y"] + box["height"] <= 844


# For each element with text of its own: its colour against the nearest ground that is painted.
CONTRAST = """() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgb = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = ([r, g, b]) => [r, g, b]
    .map((v) => v / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = rgb(getComputedStyle(at).backgroundColor);
      if (colour[3] > 250) return colour;
    }
    return [255, 255, 255, 255];
  };
  const poor = [];
  for (const element of document.querySelectorAll("article *")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    const style = getComputedStyle(element);
    if (!own || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (element.closest(".headerlink, .copybtn, mjx-container")) continue;
    const [a, b] = [light(rgb(style.color)), light(ground(element))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    const name = `${element.className}: ${element.textContent.slice(0, 40)}`;
    if (ratio < 4.5) poor.push(`${ratio.toFixed(2)} ${name}`);
  }
  return [...new Set(poor)].slice(0, 20);
}"""
