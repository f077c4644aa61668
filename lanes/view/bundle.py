"""The widget's JavaScript and stylesheet, each joined to one text.

The sources are modules in `js/`. A notebook takes one module without imports (relative ones fail there), a page one
classic script (a module does not load from a file).
"""

import re
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from lanes.view import colours

HERE = Path(__file__).parent
SOURCES = HERE / "js"

_IMPORT = re.compile(r'^import (\w+|\{\s*\w+(?:,\s*\w+)*,?\s*\}) from "\./(\w+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?!default)", re.MULTILINE)
_DEFAULT = re.compile(r"^export default (\w+);\n", re.MULTILINE)
_NAMED = re.compile(r"^(?:export )?(?:async )?(?:function|class|const|let) (\w+)", re.MULTILINE)
_COMMENT = re.compile(
    r"^ *//[^\n]*\n| +// [^\n\"`]*$|/\*\*(?:[^*]|\*(?!/))*\*/ ?\n?|^ +|^\n", re.MULTILINE
)  # and what indents a line


def widget_esm() -> str:
    """Return the widget as one ES module without imports, whose default export has `render`.

    >>> widget_esm().rstrip().splitlines()[-1]
    'export default widget;'
    """
    return joined(SOURCES, "widget.js")


def page_script() -> str:
    """Return the widget and its host for pages as one classic script, which draws every `.lanes-mount` of the page.

    >>> page_script().splitlines()[0]
    '(() => {'
    """
    return "(() => {\n" + '"use strict";\n' + _DEFAULT.sub("", joined(SOURCES, "host.js")) + "})();\n"


def stylesheet() -> str:
    """Return the colours as variables, and the rules of the widget.

    >>> ".lanes-view" in stylesheet()
    True
    """
    return colours.css() + (HERE / "lane_view.css").read_text(encoding="utf-8")


@cache
def joined(folder: Path, last: str) -> str:
    """Return a module after everything that it needs, as one text without imports and comments.

    Raises ValueError for an import that is not of a module beside it, a circle of imports, an imported name that is
    not there, or a name that two modules give.
    """
    texts: dict[str, str] = {}
    needs: dict[str, list[str]] = {}
    waiting = [last]
    while waiting:
        name = waiting.pop()
        if name in texts:
            continue
        if not (folder / name).is_file():
            raise ValueError(f"{name} is imported but is not in {folder.name}/.")
        texts[name] = (folder / name).read_text(encoding="utf-8")
        needs[name] = [found[2] for found in _IMPORT.finditer(texts[name])]
        waiting += needs[name]
        if re.search(r"^import\b", _IMPORT.sub("", texts[name]), re.MULTILINE):
            raise ValueError(f"{name} has an import that cannot be joined.")
    try:
        order = list(TopologicalSorter(needs).static_order())
    except CycleError as error:
        raise ValueError(f"modules import each other in a circle: {' -> '.join(error.args[1])}.") from None
    _check_names(order, texts)
    return "".join(_bare(texts[name]) for name in order)


def _check_names(order: list[str], texts: dict[str, str]) -> None:
    """In one text all modules share one scope: a name may be given once, and what is imported must be exported."""
    owner: dict[str, str] = {}
    for module in order:
        for name in _NAMED.findall(texts[module]):
            if name in owner:
                raise ValueError(f"{owner[name]} and {module} both give {name}.")
            owner[name] = module
    for module in order:
        for names, source in _IMPORT.findall(texts[module]):
            default = _DEFAULT.findall(texts[source])
            exported = set(
                re.findall(r"^export (?:async )?(?:function|class|const) (\w+)", texts[source], re.MULTILINE)
            )
            wanted = set(re.findall(r"\w+", names))
            if not wanted <= (exported if names.startswith("{") else set(default)):
                raise ValueError(
                    f"{module} imports {', '.join(sorted(wanted))} from {source}, which lacks one."
                )


def _bare(text: str) -> str:
    """Drop imports, comments, indents and `export`; a default export stays."""
    return _EXPORT.sub("", _COMMENT.sub("", _IMPORT.sub("", text)))
