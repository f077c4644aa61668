"""One stylesheet and one script for every page, in place of the two dozen files that the theme and the extensions load.

The first page that is written makes `page.css` and `page.js` from the files that Sphinx would have linked, in their
order. What a page loads for itself (the widget, formulas) stays beside them. The template `layout.html` links what
is left, and no file of the theme.
"""

import posixpath
import re
import shutil
from pathlib import Path
from typing import Any
from urllib.parse import quote

from icons import with_few_icons
from myst_nb.sphinx_ext import add_global_html_resources as copy_notebook_style
from pydata_sphinx_theme.pygments import overwrite_pygments_css
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ExtensionError

from lanes.view.colours import css as colours
from lanes.view.colours import lane_colour

STYLESHEET, SCRIPT = "page.css", "page.js"
# What the theme's own template links, around the files that Sphinx knows.
THEME_STYLES = ("styles/theme.css", "styles/pydata-sphinx-theme.css")
THEME_SCRIPTS = ("scripts/bootstrap.js", "scripts/pydata-sphinx-theme.js")
# What a page loads for itself.
OF_ONE_PAGE = {"formulas.js", "lane-view.js", "lane-view.css"}
LICENCES = ("scripts/bootstrap.js.LICENSE.txt",)
# Copied by the theme and linked by no page.
UNUSED = (
    "scripts",
    "styles",
    "vendor",
    "locales",
    "images",
    "webpack-macros.html",
    "sbt-webpack-macros.html",
)
# Texts of scripts in the page: what the toggle buttons are told stays, the state of the search as you type, of the
# choice of versions and of ipywidgets goes. This book has none of these, and they differ from page to page.
TOLD = ("let toggle", "var toggle")
DROPPED = ("DOCUMENTATION_OPTIONS.", '{"state": ')


def styles(static: Path, names: list[str]) -> str:
    """Return the stylesheets as one, imports followed and addresses put right. Each name is relative to static."""
    parts = []
    for name in names:
        text = (static / name).read_text(encoding="utf-8").removeprefix('@charset "UTF-8";')
        folder = posixpath.dirname(name)
        imported = re.compile(r"""@import\s+["']([^"']+)["'];""")
        parts += [
            styles(static, [posixpath.normpath(posixpath.join(folder, one))])
            for one in imported.findall(text)
        ]
        parts.append(rebased(re.sub(r"/\*#.*?\*/", "", imported.sub("", text)), folder))
    return "\n".join(parts)


def rebased(text: str, folder: str) -> str:
    """Return a stylesheet of a folder with its addresses put right for the one above."""
    return re.sub(
        r"""url\(["']?(?!data:)([\w./-]+)["']?\)""",
        lambda found: f"url({posixpath.normpath(posixpath.join(folder, found[1]))})",
        text,
    )


def scripts(static: Path, names: list[tuple[str, str]]) -> str:
    """Return the scripts as one; each is the name of a file, or "" and its text.

    What they log for their own makers is left out: a reader's console shows only what is wrong.
    """
    parts = [(static / name).read_text(encoding="utf-8") for name in LICENCES]
    for name, body in names:
        text = (static / name).read_text(encoding="utf-8") if name else body
        text = re.sub(r"^//# sourceMappingURL=.*$", "", text, flags=re.MULTILINE)
        parts.append(re.sub(r"\bconsole\.(?:log|debug|info)\(", "void (", text))
    return "\n;\n".join(parts)


class PageFiles:
    """Which files are in the two, once these are made."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def make(self, static: Path, context: dict[str, Any]) -> None:
        kept = OF_ONE_PAGE | {STYLESHEET, SCRIPT}
        own = {kind: [local(file) for file in context[kind]] for kind in ("css_files", "script_files")}
        sheets, files = ([name for name in names if name and name not in kept] for names in own.values())
        # A deferred script finds the page complete and acts at once: what it is told in the page comes first.
        told = [("", text) for text in dict.fromkeys(texts(context)) if text.startswith(TOLD)]
        named = [(name, "") for name in (*files, *THEME_SCRIPTS)]
        text = colours() + styles(static, [*THEME_STYLES, *sheets])
        fonts = static / "vendor" / "fontawesome" / "webfonts"
        (static / STYLESHEET).write_text(with_few_icons(text, fonts), encoding="utf-8")
        (static / SCRIPT).write_text(scripts(static, told + named), encoding="utf-8")
        self.names = {*sheets, *files}

    def link(self, app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
        """Leave of a page's files the two, and what only this page loads."""
        if not self.names:
            # These two come when all pages are written, else.
            copy_notebook_style(app, None)
            overwrite_pygments_css(app)
            self.make(Path(app.outdir, "_static"), context)
        context["icon"] = icon()
        for text in texts(context):
            if not text.startswith(TOLD + DROPPED):
                raise ExtensionError(
                    f"{page} has a script in it that page_files.py does not know: {text[:60]}"
                )
        for kind in ("css_files", "script_files"):
            context[kind] = [file for file in context[kind] if local(file) and local(file) not in self.names]

    def clear(self, app: Sphinx, error: Exception | None) -> None:
        """Take away what no page links."""
        if error or app.builder.format != "html":
            return
        static = Path(app.outdir, "_static")
        for name in (*UNUSED, *self.names):
            shutil.rmtree(static / name) if (static / name).is_dir() else (static / name).unlink(True)


def local(file: Any) -> str:
    """The name of a stylesheet or script in the static folder; "" for text in the page itself."""
    name = str(file.filename or "")
    if not name:
        return ""
    if not name.startswith("_static/"):
        raise ExtensionError(f"{name} is not a file of these pages: they load nothing from elsewhere.")
    return name.removeprefix("_static/")


def drop_thebe(app: Sphinx, config: Config) -> None:
    """Take Thebe out: this book does not use it, and its script fails on every page without a kernel to reach."""
    for listeners in app.events.listeners.values():
        listeners[:] = [one for one in listeners if not one.handler.__module__.startswith("sphinx_thebe")]
    app.registry.css_files[:] = [file for file in app.registry.css_files if "thebe" not in file[0]]


def texts(context: dict[str, Any]) -> list[str]:
    """The scripts that stand in the page itself."""
    return [file.attributes["body"] for file in context["script_files"] if not file.filename]


def icon() -> str:
    """The sign of a tab in the browser, as an address: four lanes of four hues."""
    squares = "".join(
        f"<rect x='{9 * (n % 2)}' y='{9 * (n // 2)}' width='7' height='7' rx='1' fill='{lane_colour(8 * n + 3)}'/>"
        for n in range(4)
    )
    return "data:image/svg+xml," + quote(
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'>{squares}</svg>"
    )


def setup(app: Sphinx) -> dict[str, Any]:
    files = PageFiles()
    app.config["templates_path"].append(str(Path(__file__).parent / "templates"))
    app.add_css_file(STYLESHEET)
    app.add_js_file(SCRIPT, priority=100, loading_method="defer")
    app.connect("config-inited", drop_thebe)
    # After every extension has added its files.
    app.connect("html-page-context", files.link, priority=700)
    app.connect("build-finished", files.clear, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": False}
