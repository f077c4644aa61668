"""How much a scene may hold: more than a reader can use, less than a browser stumbles over.

The widget has the same numbers (`js/checks.js`) and shows a scene's tables in its place beyond them.
"""

LIMITS = {
    "variants": 256,
    "panes": 64,
    "side": 1024,  # rows or columns of a pane
    "paneCells": 65536,
    "variantCells": 200000,
    "columns": 64,
    "links": 256,
    "frames": 256,
    "steps": 64,
    "controls": 8,
    "options": 12,
    "pool": 4096,
    "poolValues": 4000000,
    "members": 4096,  # of a value that is a set
    "word": 200,  # characters of a name, a head, an option, a value
    "cellText": 40,
    "prose": 4000,
}


def within_limit(what: str, size: int, limit: str) -> None:
    """Raise ValueError if there is more of something than the limit of that name.

    >>> within_limit("panes", 64, "panes")
    """
    if size > LIMITS[limit]:
        raise ValueError(f"{what}: {size}; a scene may have {LIMITS[limit]} at most.")


def short(what: str, limit: str, *texts: str) -> None:
    """Raise ValueError if one of the texts is longer than the limit of that name.

    >>> short("the title", "word", "registers")
    """
    for text in texts:
        # As JavaScript counts: a sign beyond the first 65,536 is two.
        within_limit(f"characters of {what}", len(text.encode("utf-16-le", "surrogatepass")) // 2, limit)
