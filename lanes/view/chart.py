"""A chart by matplotlib, in the site's colours: drawn twice, for a light page and for a dark one."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from io import BytesIO
from types import SimpleNamespace
from typing import Any
from zlib import crc32

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from lanes.view.colours import palette, series
from lanes.view.figure import save


@dataclass(frozen=True)
class Chart:
    """A chart with its caption, and in words what it shows.

    draw(axes, colours): draws on a matplotlib Axes, once for a light page and once for a dark one. colours has `ink`,
    `muted`, `line`, `quiet`, `ground`, `accent`, and `series`, eight hues for lines and bars.
    caption: a sentence under the chart. alt: what a reader who cannot see it should know. size: in inches.

    Raises ValueError, when made, without a caption or alt.

    >>> Chart(lambda axes, colours: axes.plot([1, 2], color=colours.accent), "A line.", "It rises from 1 to 2.")
    A line. It rises from 1 to 2.
    """

    draw: Callable[[Any, Any], object]
    caption: str
    alt: str
    size: tuple[float, float] = (7, 3)

    def __post_init__(self) -> None:
        """Check that there are words."""
        if not self.caption.strip() or not self.alt.strip():
            raise ValueError("a chart wants a caption, and alt, what it shows in words.")

    def __repr__(self) -> str:
        return f"{self.caption} {self.alt}"

    def figure(self, *, dark: bool = False) -> Figure:
        """Return the chart as a matplotlib Figure."""
        colours = SimpleNamespace(**_words(palette(dark=dark)), series=series(dark=dark))
        shown = Figure(figsize=self.size, facecolor=colours.ground, layout="constrained")
        FigureCanvasAgg(shown)
        axes = shown.add_subplot(facecolor=colours.ground)
        axes.tick_params(colors=colours.muted, labelcolor=colours.ink)
        axes.spines[:].set_color(colours.line)
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(axis="y", color=colours.line, linewidth=0.6)
        axes.set_axisbelow(True)
        self.draw(axes, colours)
        for text in (axes.xaxis.label, axes.yaxis.label, axes.title):
            text.set_color(colours.ink)
        legend = axes.get_legend()
        if legend:
            legend.get_frame().set(facecolor=colours.ground, edgecolor=colours.line)
            for text in legend.get_texts():
                text.set_color(colours.ink)
        return shown

    def _repr_html_(self) -> str:
        # Where no stylesheet of the book chooses, the light one is shown.
        return (
            '<figure class="lanes-chart">'
            f'<div class="lanes-chart-light">{self._svg(dark=False)}</div>'
            f'<div class="lanes-chart-dark" style="display: none">{self._svg(dark=True)}</div>'
            f"<figcaption>{escape(self.caption)}</figcaption></figure>"
        )

    def _svg(self, *, dark: bool) -> str:
        file = BytesIO()
        save(self.figure(dark=dark), file, "svg")
        svg = file.getvalue().decode()
        svg = svg[svg.index("<svg") :].strip()  # no XML head inside a page
        svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
        # One page holds many charts: only the names that something refers to stay, and those are made this chart's own.
        referred = set(re.findall(r'(?:url\(|href=")#([^")]+)', svg))
        svg = re.sub(r' id="([^"]+)"', lambda found: found[0] if found[1] in referred else "", svg)
        own = f"-{crc32(self.caption.encode()):08x}{'-dark' if dark else ''}"
        for name in referred:
            svg = re.sub(rf'(?<=[#"]){re.escape(name)}(?=[")])', name + own, svg)
        return svg.replace("<svg ", f'<svg role="img" aria-label="{escape(self.alt)}" ', 1)


def _words(colours: dict[str, str]) -> dict[str, str]:
    return {name: colour for name, colour in colours.items() if not name.isdecimal()}
