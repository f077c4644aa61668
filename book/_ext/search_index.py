"""A whole build makes the search index anew: over an older one, Sphinx keeps words that no page holds any more."""

from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment


def forget(
    app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> list[str]:
    if env.found_docs <= added | changed:
        Path(app.outdir, "searchindex.js").unlink(missing_ok=True)
    return []


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("env-get-outdated", forget)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
