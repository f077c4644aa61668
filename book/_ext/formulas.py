"""MathJax without a network, and without what formulas here do not need.

One script is made of MathJax's own components, for LaTeX with the AMS macros: no menu, no other input, and nothing
is fetched later but the fonts that the formulas of a page use. Only pages that hold a formula link it.
"""

import json
import shutil
from importlib.metadata import files
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.builders import Builder

SCRIPT = "formulas.js"
FONTS = "output/chtml/fonts/woff-v2/"
# The starter acts when the whole script has run, so the parts may follow it.
PARTS = (
    "startup",
    "core",
    "input/tex-base",
    "input/tex/extensions/ams",
    "output/chtml",
    "output/chtml/fonts/tex",
    "a11y/assistive-mml",
)
# What its loader need not fetch, in the loader's names.
LOADED = [*PARTS[:3], "[tex]/ams", PARTS[4], "output/chtml/fonts/tex.js", PARTS[6]]
SETTINGS = {
    "loader": {"load": []},
    "tex": {"packages": ["base", "ams"]},
    # MyST marks the text of a page as not to be searched, and each formula as one.
    "options": {"ignoreHtmlClass": "tex2jax_ignore|mathjax_ignore", "processHtmlClass": "math"},
}


def mathjax() -> dict[str, Path]:
    """The files of the MathJax package, by their name in MathJax."""
    found = {
        file.as_posix().partition("/static/mathjax/")[2]: file
        for file in files("sphinx-mathjax-offline") or []
    }
    return {name: Path(str(file.locate())) for name, file in found.items() if name}


def script() -> str:
    """Return MathJax as one script. It runs when the widgets in sight are drawn.

    They are drawn by an observer of what is in sight, and observers are told in the order of their making. Two frames
    later a widget has answered whoever points at it; only then is a fifth of a second spent on formulas.
    """
    source = mathjax()
    parts = [source[f"{name}.js"].read_text(encoding="utf-8") for name in PARTS]
    settings = f"window.MathJax = {json.dumps(SETTINGS)};\nwindow.MathJax.chtml = {{ fontURL }};"
    loaded = f"MathJax.loader.preLoad(...{json.dumps(LOADED)});"
    body = "\n;\n".join([settings, parts[0], loaded, *parts[1:]])
    return (
        'const fontURL = new URL("formulas", document.currentScript.src).href;\n'
        f"const typeset = () => {{\n{body}\n}};\n"
        "const later = () => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(typeset)));\n"
        "new IntersectionObserver((_, observer) => {\n  observer.disconnect();\n  later();\n})"
        ".observe(document.documentElement);\n"
    )


def write(app: Sphinx, builder: Builder) -> None:
    if builder.format != "html":
        return
    static = Path(app.outdir, "_static")
    (static / "formulas").mkdir(parents=True, exist_ok=True)
    (static / SCRIPT).write_text(script(), encoding="utf-8")
    for name, file in mathjax().items():
        if name.startswith(FONTS):
            shutil.copyfile(file, static / "formulas" / file.name)


def unlink(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Sphinx also links it on a page whose chapters hold formulas, though it holds none."""
    if 'class="math' not in context.get("body", ""):
        context["script_files"] = [
            file for file in context["script_files"] if str(file.filename) != f"_static/{SCRIPT}"
        ]


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("write-started", write)
    app.connect("html-page-context", unlink, priority=600)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
