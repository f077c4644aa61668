"""A scene on a page without Python: the place where the page's script draws it, and what is read until then."""

import json
from html import escape

from lanes.view.pane import Pane
from lanes.view.scene import Scene, Variant

LARGE = 1024  # cells; a larger pane is told in words


def mount(scene: Scene, variant: Variant, state: dict[str, object], identity: str) -> str:
    """Return HTML: a div with the scene as JSON in `data-scene`, and its tables inside for readers without a script.

    variant: the one to show first. state: the traits that the widget starts with. identity: the div's id.
    Everything of the scene is escaped: none of it can become markup.

    >>> from lanes.view.scenes import mma_scene
    >>> scene = mma_scene()
    >>> mount(scene, scene.variant(), {"step": 0}, "lanes-mma-1")[:61]
    '<div class="lanes-mount" id="lanes-mma-1" data-scene="{&quot;'
    """
    attributes = {
        "class": "lanes-mount",
        "id": identity,
        "data-scene": json.dumps(scene.data, separators=(",", ":")),
        "data-state": json.dumps(state, separators=(",", ":")),
    }
    opened = " ".join(f'{name}="{escape(value)}"' for name, value in attributes.items())
    return f"<div {opened}>{fallback(scene, variant)}</div>"


def fallback(scene: Scene, variant: Variant) -> str:
    """Return a variant as an HTML figure: a table for each pane, the sentence of its first cell, the caption."""
    pane, cell = variant.find(variant.start)
    title = escape(scene.title)
    panes = "".join(_table(pane) for pane in variant.panes)
    # It scrolls sideways where a table is wider than the page, so keys must reach it.
    return (
        f'<figure class="lanes-fallback" tabindex="0" aria-label="{title}"><p><strong>{title}</strong></p>{panes}'
        f"<p>{escape(pane.sentence(cell))}</p><figcaption>{escape(scene.caption)}</figcaption></figure>"
    )


def _table(pane: Pane) -> str:
    title = f"{pane.title}: {pane.note}" if pane.note else pane.title
    if len(pane.cells) > LARGE:
        return f"<p>{escape(title)}</p>"
    heads = [""] * bool(pane.row_heads) + list(pane.col_heads)
    lines = [f"<tr>{''.join(map(_head, heads))}</tr>"] if pane.col_heads else []
    for row in range(pane.rows):
        head = _head(pane.row_heads[row]) if pane.row_heads else ""
        cells = pane.cells[row * pane.cols : (row + 1) * pane.cols]
        texts = (escape(str(cell.get("text", ""))) for cell in cells)
        lines.append(f"<tr>{head}{''.join(f'<td>{text}</td>' for text in texts)}</tr>")
    return f"<table><caption>{escape(title)}</caption>{''.join(lines)}</table>"


def _head(text: str) -> str:
    return f"<th>{escape(text)}</th>" if text else "<td></td>"
