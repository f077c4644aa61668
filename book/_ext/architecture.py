"""The reader's architecture: a switch in the page's header, and passages that hold for some architectures only.

    ::::{arch} sm_80 sm_90
    Text that holds for these two.
    ::::

An HTML output follows the switch too if it has the class `lanes-arch` and names its architectures in `data-arch`,
and so does a scene with a control that names them. Pages that hold none of these have no switch.
"""

import re
from typing import Any

from docutils import nodes
from docutils.nodes import Node
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

# What the book explains: the first with ldmatrix, with cp.async, with stmatrix; and what readers call them.
ARCHITECTURES = {"sm_75": "Turing", "sm_80": "Ampere", "sm_90": "Hopper"}
FOLLOWS = re.compile(r'class="[^"]*\blanes-arch\b|data-scene="[^"]*&quot;arch&quot;:')


class ArchNode(nodes.General, nodes.Element):
    """A passage for the architectures in `names`."""


class Arch(SphinxDirective):
    required_arguments = 1
    optional_arguments = len(ARCHITECTURES) - 1
    has_content = True

    def run(self) -> list[Node]:
        names = self.arguments
        unknown = sorted(set(names) - set(ARCHITECTURES))
        if unknown or len(set(names)) < len(names):
            wanted = ", ".join(ARCHITECTURES)
            raise self.error(f"arch is {' '.join(names)}; wanted each at most once of {wanted}.")
        self.assert_has_content()
        node = ArchNode(names=sorted(names))
        node += nodes.paragraph("", "Only on " + " and ".join(sorted(names)), classes=["lanes-arch-label"])
        self.state.nested_parse(self.content, self.content_offset, node)
        return [node]


def visit(writer: Any, node: ArchNode) -> None:
    opened = {"class": "lanes-arch", "data-arch": " ".join(node["names"])}
    writer.body.append(writer.starttag(node, "div", "\n", **opened))


def depart(writer: Any, node: ArchNode) -> None:
    writer.body.append("</div>\n")


def offer(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Tell the templates which architectures to offer: none where nothing follows the switch."""
    follows = FOLLOWS.search(context.get("body", ""))
    context["architectures"] = ARCHITECTURES if follows else {}


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_node(ArchNode, html=(visit, depart))
    app.add_directive("arch", Arch)
    app.connect("html-page-context", offer)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
