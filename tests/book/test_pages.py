"""The built pages: complete, linked, and free of this machine and of other hosts."""

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

from bs4 import BeautifulSoup, Tag

LOADING = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src", "audio": "src"}
# A path of the machine that built the page, as Linux and macOS spell them.
MACHINE_PATH = re.compile(r"(?:file://)?/(?:home|root|tmp|work|usr|opt|builds|private|Users)/[\w.-]+")


def links(soup: BeautifulSoup) -> list[str]:
    return [str(tag["href"]) for tag in soup.find_all(["a", "link"], href=True)]


def loads(soup: BeautifulSoup) -> list[str]:
    """What a browser fetches to show the page."""
    found = [
        str(tag[attribute])
        for name, attribute in LOADING.items()
        for tag in soup.find_all(name)
        if tag.get(attribute)
    ]
    for tag in soup.find_all("link", href=True):
        if not {"index", "search", "next", "prev", "author", "canonical"} & set(tag.get("rel") or []):
            found.append(str(tag["href"]))
    return found


def test_every_chapter_is_built_with_a_title(site: Path, chapter: str) -> None:
    soup = BeautifulSoup((site / f"{chapter}.html").read_text(), "html.parser")
    heading = soup.select_one("article h1")
    assert isinstance(heading, Tag)
    text = heading.get_text().removesuffix("#").strip()
    assert soup.title is not None
    assert soup.title.get_text().startswith(text)
    assert "Lane by Lane" in soup.title.get_text()
    assert soup.html is not None
    assert soup.html.get("lang") == "en"


def test_the_first_page_leads_to_the_book(site: Path) -> None:
    assert "url=book/index.html" in (site / "index.html").read_text()


def test_internal_links_and_anchors_resolve(site: Path, soups: dict[Path, BeautifulSoup]) -> None:
    broken = []
    for page, soup in soups.items():
        for address in links(soup) + loads(soup):
            parts = urlsplit(address)
            if parts.scheme or parts.netloc or address == "#":
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            if not target.is_file() or not target.is_relative_to(site):
                broken.append(f"{page.name}: {address}")
            elif parts.fragment and target in soups and parts.fragment not in anchors(soups[target]):
                broken.append(f"{page.name}: no {parts.fragment} in {target.name}")
    assert broken == []


def anchors(soup: BeautifulSoup) -> set[str]:
    return {str(tag["id"]) for tag in soup.find_all(id=True)}


def test_pages_fetch_nothing_from_another_host(site: Path, soups: dict[Path, BeautifulSoup]) -> None:
    outside = [
        f"{page.name}: {address}"
        for page, soup in soups.items()
        for address in loads(soup)
        if urlsplit(address).netloc
    ]
    for sheet in site.rglob("*.css"):
        found = re.findall(r"(?:url\(|@import)\s*['\"]?((?:https?:)?//[^'\")]+)", sheet.read_text())
        outside += [f"{sheet.name}: {address}" for address in found]
    assert outside == []


def test_pages_do_not_name_this_machine(soups: dict[Path, BeautifulSoup]) -> None:
    named = {page.name: MACHINE_PATH.findall(str(soup)) for page, soup in soups.items()}
    assert [name for name in named.items() if name[1]] == []


def test_no_cell_shows_an_error_or_a_warning(soups: dict[Path, BeautifulSoup]) -> None:
    words = re.compile(r"Traceback \(most recent|Warning:")
    shown = [
        page.name
        for page, soup in soups.items()
        for output in soup.select(".cell_output")
        if words.search(output.get_text()) or output.select(".stderr, .traceback")
    ]
    assert shown == []
