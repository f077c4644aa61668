"""The widget on the pages that hold one: its script and stylesheet, made from the package that draws it live."""

from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

SCRIPT, STYLESHEET = "lane-view.js", "lane-view.css"


MOUNT = 'class="lanes-mount"'


def widen(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Let a scene be wider than the text, by the theme's class: its list of contents folds while one is in view."""
    for node in doctree.findall(nodes.raw):
        if MOUNT in node.astext() and isinstance(node.parent, nodes.container):
            node.parent["classes"].append("full-width")


def link(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    if MOUNT not in context.get("body", ""):
        return
    from lanes.view.bundle import page_script, stylesheet

    static = Path(app.outdir, "_static")
    (static / SCRIPT).write_text(page_script(), encoding="utf-8")
    (static / STYLESHEET).write_text(stylesheet(), encoding="utf-8")
    # A classic script: a module is not loaded from a file. It comes before the formulas.
    app.add_js_file(SCRIPT, priority=800, loading_method="defer")
    app.add_css_file(STYLESHEET, priority=800)


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("doctree-resolved", widen)
    app.connect("html-page-context", link, priority=400)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
