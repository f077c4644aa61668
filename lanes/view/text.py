"""Templates: a sentence with places for values, and marks for what is bold or code.

    "`A({row},{col})` is held by **lane {lane}**."

The template is read for marks first and the values are put in afterwards, so a value never becomes a mark.
"""

import re
from collections.abc import Mapping

Value = int | float | str | None | list[int] | list[str]


def words(value: Value) -> str:
    """Return a value as a sentence shows it.

    >>> words(None), words([12, 13]), words("a5")
    ('-', '12, 13', 'a5')
    """
    if value is None:
        return "-"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def places(template: str) -> set[str]:
    """Return the names of a template's places.

    >>> sorted(places("A({row},{col})"))
    ['col', 'row']
    """
    return set(re.findall(r"\{(\w+)\}", template))


def filled(template: str, values: Mapping[str, Value]) -> str:
    """Return a template with its values in place and without its marks. Raises KeyError for a missing value.

    >>> filled("`A({row})` is on **lane {lane}**.", {"row": "**0**", "lane": 3})
    'A(**0**) is on lane 3.'
    """
    plain = re.sub(r"\*\*(.+?)\*\*|`(.+?)`", lambda mark: mark[1] or mark[2], template)
    return re.sub(r"\{(\w+)\}", lambda place: words(values[place[1]]), plain)
