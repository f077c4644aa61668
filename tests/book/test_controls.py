"""What the reader can set on a page: colours, architecture, language, solutions, sidebars, search, copying."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser

FIRST, SECOND, THIRD = (f"/book/{name}.html" for name in ("first", "second", "third"))
ARCH = "document.documentElement.dataset.arch"
THEME = "document.documentElement.dataset.theme"


def seen(page: Page, text: str) -> bool:
    return page.get_by_text(text).first.is_visible()


def listed(page: Page, text: str) -> bool:
    return page.locator(".lanes-listing", has_text=text).is_visible()


def test_colours_change_at_once_and_hold_on_the_next_page(web_page: Page) -> None:
    web_page.goto(FIRST)
    ground = "getComputedStyle(document.body).backgroundColor"
    assert web_page.evaluate(THEME) == "light"
    light = web_page.evaluate(ground)
    for _ in range(3):
        if web_page.evaluate(THEME) == "light":
            web_page.locator(".theme-switch-button").click()
    assert web_page.evaluate(THEME) == "dark"
    assert web_page.evaluate(ground) != light
    web_page.goto(SECOND)
    assert web_page.evaluate(THEME) == "dark"


def test_colours_are_there_before_anything_is_drawn(chromium: Browser, small: Path) -> None:
    """Without a script that runs later: a page that turned dark after it was seen would flash."""
    context = chromium.new_context(color_scheme="dark")
    page = context.new_page()
    page.route("**/*.js*", lambda route: route.abort())
    page.goto((small / "book" / "first.html").as_uri())
    assert page.evaluate(THEME) == "dark"
    assert page.evaluate(ARCH) == "sm_80"
    context.close()


def test_architecture_chooses_passages_and_listings_and_holds_on_the_next_page(web_page: Page) -> None:
    web_page.goto(FIRST)
    switch = web_page.get_by_role("group", name="Architecture")
    assert switch.get_by_role("radio", name="sm_80").is_checked()
    assert not seen(web_page, "Turing waits")
    assert not listed(web_page, "HMMA.1688")
    assert seen(web_page, "Ampere and Hopper")
    assert listed(web_page, "LDSM.16")
    web_page.evaluate("document.addEventListener('lanes:arch', (event) => { window.heard = event.detail; })")
    switch.get_by_text("sm_75").click()
    assert web_page.evaluate("window.heard") == "sm_75"
    assert seen(web_page, "Turing waits")
    assert listed(web_page, "HMMA.1688")
    assert not seen(web_page, "Ampere and Hopper")
    assert not listed(web_page, "LDSM.16")
    web_page.goto(SECOND)
    assert web_page.evaluate(ARCH) == "sm_75"
    assert web_page.get_by_role("radio", name="sm_75").is_checked()
    assert seen(web_page, "Only Turing.")


def test_architecture_can_be_chosen_with_the_keyboard(web_page: Page) -> None:
    web_page.goto(FIRST)
    web_page.get_by_role("radio", name="sm_80").focus()
    web_page.keyboard.press("ArrowRight")
    assert web_page.evaluate(ARCH) == "sm_90"
    assert web_page.get_by_role("radio", name="sm_90").is_checked()
    ring = "getComputedStyle(document.activeElement.nextElementSibling).outlineStyle"
    assert web_page.evaluate(ring) == "solid", "the focus cannot be seen"


def test_pages_that_nothing_changes_have_no_switch(web_page: Page) -> None:
    web_page.goto(THIRD)
    assert web_page.locator("#lanes-arch-switch").count() == 0


def test_an_unknown_architecture_is_not_kept(web_page: Page) -> None:
    web_page.goto(THIRD)
    web_page.evaluate("localStorage.setItem('lanes-arch', '\"><img src=x>')")
    web_page.goto(FIRST)
    assert web_page.evaluate(ARCH) == "sm_80"


def test_the_back_button_shows_what_was_chosen_since(web_page: Page) -> None:
    web_page.goto(SECOND)
    web_page.goto(FIRST)
    web_page.get_by_text("sm_90", exact=True).first.click()
    web_page.go_back()
    assert web_page.evaluate(ARCH) == "sm_90"
    assert web_page.get_by_role("radio", name="sm_90").is_checked()


def test_everything_works_where_the_browser_keeps_nothing(
    chromium: Browser, listen: Callable[..., list[str]], small: Path
) -> None:
    """With site data blocked, every use of the storage throws."""
    context = chromium.new_context(viewport={"width": 1280, "height": 844})
    context.add_init_script(
        """for (const kind of ["localStorage", "sessionStorage"]) Object.defineProperty(window, kind, {
          configurable: true,
          get() { throw new DOMException("blocked", "SecurityError"); },
        });"""
    )
    page = context.new_page()
    complaints = listen(page)
    page.goto((small / "book" / "first.html").as_uri())
    page.get_by_text("sm_75", exact=True).first.click()
    assert seen(page, "Turing waits")
    page.locator(".theme-switch-button").click()
    page.locator(".sd-tab-label", has_text="C++").first.click()
    assert seen(page, "The second in C++.")
    context.close()
    assert complaints == []


def test_without_a_script_everything_is_shown_and_labelled(chromium: Browser, small: Path) -> None:
    context = chromium.new_context(java_script_enabled=False, color_scheme="dark")
    page = context.new_page()
    page.goto((small / "book" / "first.html").as_uri())
    for text in ("Turing waits", "Ampere and Hopper", "The answer is in register 2."):
        assert seen(page, text), text
    assert listed(page, "HMMA.1688")
    assert listed(page, "LDSM.16")
    assert seen(page, "Only on sm_75")
    assert seen(page, "Only on sm_80 and sm_90")
    assert not page.locator("#lanes-arch-switch").is_visible()
    assert page.locator(".lanes-fallback table").count() >= 1
    context.close()


def test_paper_is_light_and_shows_every_tab_and_architecture(web_page: Page) -> None:
    web_page.emulate_media(color_scheme="dark")
    web_page.goto(FIRST)
    assert web_page.evaluate(THEME) == "dark"
    web_page.evaluate("dispatchEvent(new Event('beforeprint'))")
    web_page.emulate_media(media="print", color_scheme="dark")
    assert web_page.evaluate(THEME) == "light"
    texts = ("Turing waits", "Ampere and Hopper", "The first in Python.", "The first in C++.")
    for text in (*texts, "The answer is in register 2."):
        assert seen(web_page, text), text
    assert listed(web_page, "HMMA.1688")
    assert listed(web_page, "LDSM.16")
    label = "getComputedStyle(document.querySelector('pre.lanes-arch'), '::before').content"
    assert "sm_75" in web_page.evaluate(label)
    web_page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert web_page.evaluate(THEME) == "dark"


def test_tabs_of_one_language_change_together_and_hold_on_the_next_page(web_page: Page) -> None:
    web_page.goto(FIRST)
    assert seen(web_page, "The first in Python.")
    web_page.locator(".sd-tab-label", has_text="C++").first.click()
    for text in ("The first in C++.", "The second in C++."):
        assert seen(web_page, text)
    assert not seen(web_page, "The second in Python.")
    web_page.goto(SECOND)
    assert seen(web_page, "A third in C++.")


def test_a_solution_is_hidden_until_it_is_asked_for(web_page: Page) -> None:
    web_page.goto(FIRST)
    answer = web_page.get_by_text("The answer is in register 2.")
    expect(answer).not_to_be_visible()
    button = web_page.locator(".dropdown.admonition button")
    assert button.get_attribute("aria-expanded") == "false"
    button.focus()
    web_page.keyboard.press("Enter")
    expect(answer).to_be_visible()
    assert button.get_attribute("aria-expanded") == "true"
    web_page.locator(".dropdown.admonition .admonition-title").click()
    expect(answer).not_to_be_visible()


def test_code_is_copied_as_it_stands(web_page: Page) -> None:
    web_page.goto(FIRST)
    listing = web_page.locator("div.highlight", has_text="sentence = ")
    listing.hover()
    listing.locator("button.copybtn").click()
    copied = web_page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith('sentence = "A line of code')
    assert copied.endswith('all of it."')


def test_the_sidebar_closes_and_opens(web_page: Page) -> None:
    web_page.goto(FIRST)
    sidebar, toggle = web_page.locator("#pst-primary-sidebar"), web_page.locator("button.primary-toggle")
    expect(sidebar).to_be_in_viewport()
    toggle.click()
    expect(sidebar).not_to_be_in_viewport()
    toggle.click()
    expect(sidebar).to_be_in_viewport()


def test_both_sidebars_open_on_a_phone(web_page: Page) -> None:
    web_page.set_viewport_size({"width": 390, "height": 844})
    web_page.goto(FIRST)
    web_page.locator("button.primary-toggle").click()
    expect(web_page.get_by_role("link", name="Second").first).to_be_in_viewport()
    web_page.keyboard.press("Escape")
    web_page.locator("button.secondary-toggle").click()
    expect(web_page.locator("#pst-page-toc-nav").get_by_role("link", name="Tabs")).to_be_in_viewport()


@pytest.mark.parametrize("from_a_file", [False, True])
def test_search_finds_a_word(web_page: Page, small: Path, from_a_file: bool) -> None:
    web_page.goto((small / "book" / "first.html").as_uri() if from_a_file else FIRST)
    web_page.get_by_role("button", name="Search").first.click()
    web_page.get_by_role("searchbox").last.fill("zanzibar")
    web_page.keyboard.press("Enter")
    expect(web_page.locator("#search-results .search li")).to_have_count(1)
    web_page.locator("#search-results .search li a").first.click()
    expect(web_page.locator("article h1")).to_contain_text("Third")


@pytest.mark.parametrize("width", [1200, 1280, 1440])
def test_a_scene_may_be_wider_than_the_text_and_nothing_scrolls_sideways(web_page: Page, width: int) -> None:
    web_page.set_viewport_size({"width": width, "height": 844})
    web_page.goto(FIRST)
    web_page.locator(".lanes-view").wait_for()
    text, scene = (
        web_page.locator(one).first.bounding_box() for one in ("article section > p", ".lanes-mount")
    )
    assert text is not None
    assert scene is not None
    assert scene["x"] == pytest.approx(text["x"], abs=1)
    assert text["width"] < scene["width"] <= width - scene["x"]
    assert web_page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [360, 390, 768])
def test_code_and_tables_scroll_in_their_own_box(web_page: Page, width: int) -> None:
    web_page.set_viewport_size({"width": width, "height": 844})
    web_page.goto(FIRST)
    assert web_page.evaluate("document.documentElement.scrollWidth") <= width
    code = web_page.locator("pre", has_text="sentence = ")
    assert code.evaluate("box => box.scrollWidth > box.clientWidth && box.tabIndex === 0")
    boxes = web_page.locator("article table").evaluate_all(
        "tables => tables.map(table => table.parentElement.getBoundingClientRect().right)"
    )
    assert max(boxes) <= width
