"""Font Awesome, without the thousands of icons that no page shows: 2 MB become 10 kB inside the stylesheet.

The theme brings Font Awesome Free as a script, as fonts and as rules. The rules for the icons named here stay, and
of the fonts the glyphs that some rule shows. The licences stay with them: icons CC BY 4.0, fonts SIL OFL 1.1.
"""

import base64
import io
import logging
import re
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

# The icons in the theme's templates and buttons.
# fmt: off
SHOWN = {
    "angle-left", "angle-right", "arrow-up", "bars", "bitbucket", "chevron-down", "circle-half-stroke",
    "code", "download", "file", "file-pdf", "github", "gitlab", "lightbulb", "list", "magnifying-glass",
    "moon", "pencil-alt", "play", "rocket", "sun",
}
# fmt: on
FONTS = {
    "fa-solid-900.ttf": ("Font Awesome\\ 6 Free", 900),
    "fa-brands-400.ttf": ("Font Awesome\\ 6 Brands", 400),
}
CONTENT = r'content:"\\(f[0-9a-f]{3})"'
NOTICE = "/*! A part of Font Awesome Free, Fonticons, Inc. Icons: CC BY 4.0, fonts: SIL OFL 1.1 */"


def with_few_icons(css: str, fonts: Path) -> str:
    """Return the theme's stylesheet with only the icons that pages show, their glyphs inside it."""
    css = re.sub(r"((?:\.fa-[\w-]+:before,?)+)\{" + CONTENT + r"\}", _if_shown, css)
    css = re.sub(r"@font-face\{[^}]*fa-(?:solid|regular|brands)-[^}]*\}", "", css)
    codes = {int(code, 16) for code in re.findall(CONTENT, css)}
    codes |= {ord(sign) for sign in re.findall(r'"([\ue000-\uf8ff])"', css)}
    faces = [
        f"@font-face{{font-family:{family};font-style:normal;font-weight:{weight};font-display:block;"
        f"src:url(data:font/woff;base64,{glyphs(fonts / name, codes)})format('woff')}}"
        for name, (family, weight) in FONTS.items()
    ]
    return "\n".join([css, NOTICE, *faces, ""])


def _if_shown(rule: re.Match[str]) -> str:
    names = [name for name in re.findall(r"\.fa-([\w-]+):before", rule[1]) if name in SHOWN]
    selectors = ",".join(f".fa-{name}:before" for name in names)
    return f'{selectors}{{content:"\\{rule[2]}"}}' if names else ""


def glyphs(font: Path, codes: set[int]) -> str:
    """Return the glyphs of some code points as a WOFF font in base64, the same on every run."""
    logging.getLogger("fontTools").setLevel(logging.WARNING)
    whole = TTFont(font, recalcTimestamp=False)
    options = subset.Options(layout_features=[], name_IDs=[0, 1, 2, 13, 14])
    part = subset.Subsetter(options)
    part.populate(unicodes=codes)
    part.subset(whole)
    whole.flavor = "woff"
    written = io.BytesIO()
    whole.save(written)
    return base64.b64encode(written.getvalue()).decode()
