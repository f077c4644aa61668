"""The book's colours, in one table: the stylesheet and the figures of matplotlib both take them from here.

A lane has one colour everywhere. Its hue is the group of four lanes it belongs to, 0-3 to 28-31: a row of an 8x8
matrix, held plainly, is one hue, and a transposed one is eight. Its lightness is the place in the group.
"""

from math import cos, radians, sin

from lanes.fragments import WARP, within

# What is not a lane, by theme: ink is text and outlines, quiet a fill that says nothing.
LIGHT = {
    "ink": "#1f2430",
    "muted": "#535c68",
    "ground": "#f7f8fa",
    "line": "#d8dde3",
    "quiet": "#e9ebee",
    "accent": "#c2155a",
}
DARK = {
    "ink": "#fbfcfd",
    "muted": "#a7b0bc",
    "ground": "#1b2028",
    "line": "#3a424e",
    "quiet": "#2a303a",
    "accent": "#ff6a9c",
}

# Who says that the page is dark: the book, Colab, JupyterLab, VS Code. Where none says anything, the system does.
DARK_PAGE = """html[data-theme=dark] body, html[theme=dark] body,
body[data-jp-theme-light=false], body.vscode-dark"""
SILENT_PAGE = "html:not([data-theme]):not([theme]) body:not([data-jp-theme-light]):not([class*=vscode-])"


def lane_colour(lane: int, *, dark: bool = False) -> str:
    """Return a lane's fill, "#rrggbb". Raises IndexError unless lane is 0-31.

    >>> lane_colour(0), lane_colour(0, dark=True)
    ('#ffe8e8', '#5e2b2c')
    """
    group, place = divmod(within("lane", lane, WARP), 4)
    hue = 20 + 45 * group
    if dark:
        return hex_colour(0.36 + 0.06 * place, 0.075, hue)
    return hex_colour(0.95 - 0.055 * place, 0.05 + 0.018 * place, hue)


def series(*, dark: bool = False) -> list[str]:
    """Return eight colours for lines and bars, one a hue: 3:1 against the ground, which a lane's fill is not.

    >>> len(set(series()))
    8
    """
    lightness, chroma = (0.75, 0.12) if dark else (0.55, 0.13)
    return [hex_colour(lightness, chroma, 20 + 45 * hue) for hue in range(8)]


def hex_colour(lightness: float, chroma: float, hue: float) -> str:
    """Return "#rrggbb" of an OKLCH colour: lightness 0-1, chroma, hue in degrees.

    A colour that a screen cannot show loses chroma until it can: the hue and the lightness carry the meaning.

    Source: CSS Color Module Level 4, "Sample code for Color Conversions"; Ottosson, "A perceptual color space".

    >>> hex_colour(1, 0, 0), hex_colour(0, 0, 0)
    ('#ffffff', '#000000')
    """
    low, high = 0.0, chroma
    rgb = _linear_rgb(lightness, chroma, hue)
    if not _shown(rgb):
        for _ in range(20):
            middle = (low + high) / 2
            low, high = (middle, high) if _shown(_linear_rgb(lightness, middle, hue)) else (low, middle)
        rgb = _linear_rgb(lightness, low, hue)
    return "#" + "".join(f"{round(255 * _encoded(min(max(light, 0.0), 1.0))):02x}" for light in rgb)


def _linear_rgb(lightness: float, chroma: float, hue: float) -> tuple[float, float, float]:
    a, b = chroma * cos(radians(hue)), chroma * sin(radians(hue))
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
    )


def _shown(rgb: tuple[float, float, float]) -> bool:
    return all(-1e-4 <= light <= 1 + 1e-4 for light in rgb)


def _encoded(light: float) -> float:
    return 12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055


def palette(*, dark: bool = False) -> dict[str, str]:
    """Return every colour of one theme by name: "0" to "31" for the lanes, and ink, muted, ground and so on.

    >>> palette()["accent"]
    '#c2155a'
    """
    return {str(lane): lane_colour(lane, dark=dark) for lane in range(WARP)} | (DARK if dark else LIGHT)


def css() -> str:
    """Return CSS that gives the page a variable for each colour, `--lanes-0` to `--lanes-31`, `--lanes-ink` and so on.

    Paper is always light.

    >>> css().splitlines()[:2]
    ['body {', '  --lanes-0: #ffe8e8;']
    """
    light, dark = (
        "".join(f"  --lanes-{name}: {colour};\n" for name, colour in palette(dark=which).items())
        for which in (False, True)
    )
    return (
        f"body {{\n{light}}}\n"
        f"@media screen and (prefers-color-scheme: dark) {{\n{SILENT_PAGE} {{\n{dark}}}\n}}\n"
        f"@media screen {{\n{DARK_PAGE} {{\n{dark}}}\n}}\n"
    )
