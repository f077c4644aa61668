"""What a cell prints is one output, however many pieces it arrived in.

The kernel sends what is printed in pieces that depend on the moment, and may cut within a line. MyST-NB's own way to
merge them begins a new line at each cut; here the pieces are joined as they are. So two builds are the same.
"""

from typing import Any

from myst_nb.core import render
from nbformat import NotebookNode
from sphinx.application import Sphinx


def joined(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Return the outputs with neighbouring pieces of one stream joined.

    >>> pieces = [NotebookNode(output_type="stream", name="stdout", text=text) for text in ("lane", " 3", "\\n")]
    >>> [one.text for one in joined(pieces)]
    ['lane 3\\n']
    """
    kept: list[NotebookNode] = []
    for output in outputs:
        last = kept[-1] if kept else NotebookNode(output_type="")
        if output.output_type == last.output_type == "stream" and output.name == last.name:
            last.text += output.text
        else:
            kept.append(NotebookNode(output))
    return kept


def setup(app: Sphinx) -> dict[str, Any]:
    render.coalesce_streams = joined
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
