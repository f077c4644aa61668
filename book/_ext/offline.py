"""Make the pages work without a network, from a server or from a file.

Copies MathJax from its package into the static folder. Takes Thebe out of the build: this book does not use
it, and its script fails on every page that has no kernel to reach.
"""

import shutil
from importlib.metadata import files
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.config import Config

MATHJAX = "mathjax/tex-chtml.js"
FONTS = "mathjax/output/chtml/fonts/woff-v2/"


def copy_mathjax(app: Sphinx, error: Exception | None) -> None:
    if error or app.builder.format != "html":
        return
    for file in files("sphinx-mathjax-offline") or []:
        name = file.as_posix().partition("/static/")[2]
        if name == MATHJAX or name.startswith(FONTS):
            target = Path(app.outdir, "_static", name)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(str(file.locate()), target)


def drop_thebe(app: Sphinx, config: Config) -> None:
    for listeners in app.events.listeners.values():
        listeners[:] = [one for one in listeners if not one.handler.__module__.startswith("sphinx_thebe")]
    app.registry.css_files[:] = [file for file in app.registry.css_files if "thebe" not in file[0]]


def setup(app: Sphinx) -> dict[str, Any]:
    app.config["mathjax_path"] = MATHJAX
    app.connect("config-inited", drop_thebe)
    app.connect("build-finished", copy_mathjax)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
