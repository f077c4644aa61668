"""The scene of a block's part of C: which warp, and which lane of it, owns each element, for several tilings."""

from lanes.catalog import fragment
from lanes.fragments import WARP
from lanes.tiling import REFERENCE, Tiling
from lanes.view.pane import Cell, Pane
from lanes.view.scene import Control, Link, Scene, Slider, Variant, linked
from lanes.view.scenes.registers import slot_words

# The reference, the same block cut in other ways, and a smaller one.
PRESETS = (
    REFERENCE,
    Tiling(warps_m=8, warps_n=1, mmas_m=1, mmas_n=16),
    Tiling(warps_m=2, warps_n=2, mmas_m=4, mmas_n=8),
    Tiling(warps_m=2, warps_n=2, mmas_m=2, mmas_n=4),
)


def tiling_control(tilings: tuple[Tiling, ...]) -> Control:
    """Return the choice among tilings of one mma, each called by its grid of warps and the grid of mmas in a warp.

    >>> tiling_control(PRESETS).options[0]
    '2x4 of 4x4'
    """
    names = (f"{one.warps_m}x{one.warps_n} of {one.mmas_m}x{one.mmas_n}" for one in tilings)
    return Control("tiling", "warps of mmas", tuple(names))


def block_scene(*tilings: Tiling) -> Scene:
    """Return the scene of C's block, f16 accumulators: of the presets, the reference first, or of those given.

    >>> len([name for name in block_scene().variant().lit("C(0,0)")["holds"] if name[0] == "C"])
    64
    >>> block_scene(Tiling(warps_m=1, warps_n=2)).variant().pane("C").rows
    64
    """
    shown = tilings or PRESETS
    control = tiling_control(shown)
    return Scene(
        "block",
        "A block's part of C: which warp and which lane own it",
        "Each outline is a warp's part. Inside it, every mma repeats one pattern of lanes; colour is the lane.",
        (control,),
        tuple(_variant(name, tiling) for name, tiling in zip(control.options, shown, strict=True)),
        control.options[:1],
    )


def _variant(name: str, tiling: Tiling) -> Variant:
    panes = (_warps(tiling), _block(tiling), _lanes())
    links = (
        *linked(["C"], "thread", "holds"),
        Link("C", "warps", "warp", "meets"),
        Link("C", "lanes", "lane", "holds"),
        Link("warps", "C", "warp", "meets"),
        Link("lanes", "C", "lane", "holds"),
    )
    start = _name(tiling.c_origin(tiling.warps - 1, 0, 0))
    return Variant((name,), panes, links, start, slider=_threads(tiling))


def _threads(tiling: Tiling) -> Slider:
    """The slider over the threads: each selects the first element that the thread owns, the corner of its part."""
    part, cols = fragment(tiling.mma, "C"), tiling.block[1]
    cells = []
    for thread in range(tiling.threads):
        warp, lane, _, _ = tiling.place(thread)
        (top, left), (down, right) = tiling.c_origin(warp, 0, 0), part.coords[lane, 0, 0].tolist()
        cells.append((top + down) * cols + left + right)
    return Slider("thread", "thread", "C", tuple(cells))


def _name(place: tuple[int, int]) -> str:
    return f"C({place[0]},{place[1]})"


def _block(tiling: Tiling) -> Pane:
    part = fragment(tiling.mma, "C")
    rows, cols, _ = tiling.block
    cells: dict[tuple[int, int], Cell] = {}
    for warp in range(tiling.warps):
        for i in range(tiling.mmas_m):
            for j in range(tiling.mmas_n):
                top, left = tiling.c_origin(warp, i, j)
                for down in range(part.shape[0]):
                    for right in range(part.shape[1]):
                        lane, reg, half = part.owner(down, right)
                        cells[top + down, left + right] = {
                            "kind": "cell",
                            "row": top + down,
                            "col": left + right,
                            "warp": warp,
                            "mma": f"({i},{j})",
                            "lane": lane,
                            "thread": WARP * warp + lane,
                            "slot": slot_words(part.elements, reg, half),
                        }
    height, width = tiling.warp_tile
    return Pane(
        "C",
        "C",
        rows=rows,
        cols=cols,
        cells=[cells[row, col] for row in range(rows) for col in range(cols)],
        note=f"{rows} x {cols} elements of one block",
        names={"cell": "C({row},{col})"},
        sentences={
            "cell": "`C({row},{col})` belongs to **warp {warp}**, in its mma {mma}, "
            "and lies in **lane {lane}**, {slot}: thread {thread} of the block.",
        },
        colour="lane",
        frames=tuple(
            (*tiling.c_origin(warp, 0, 0), height, width, f"warp {warp}") for warp in range(tiling.warps)
        ),
    )


def _warps(tiling: Tiling) -> Pane:
    cells: dict[tuple[int, int], Cell] = {}
    for warp in range(tiling.warps):
        place = tiling.place(WARP * warp)
        row, col = tiling.c_origin(warp, 0, 0)
        height, width = tiling.warp_tile
        cells[place.warp_m, place.warp_n] = {
            "kind": "cell",
            "text": str(warp),
            "warp": warp,
            "warp_m": place.warp_m,
            "warp_n": place.warp_n,
            "rows": f"{row} to {row + height - 1}",
            "cols": f"{col} to {col + width - 1}",
            "threads": f"{WARP * warp} to {WARP * (warp + 1) - 1}",
        }
    return Pane(
        "warps",
        "warps",
        rows=tiling.warps_m,
        cols=tiling.warps_n,
        cells=[cells[m, n] for m in range(tiling.warps_m) for n in range(tiling.warps_n)],
        note=f"{tiling.warps_m} x {tiling.warps_n}",
        names={"cell": "warp {warp}"},
        sentences={
            "cell": "**Warp {warp}**, threads {threads}, warp_m {warp_m} and warp_n {warp_n}, "
            "owns rows {rows} and columns {cols} of C."
        },
    )


def _lanes() -> Pane:
    return Pane(
        "lanes",
        "lanes",
        rows=WARP // 4,
        cols=4,
        cells=[{"kind": "lane", "text": str(lane), "lane": lane} for lane in range(WARP)],
        names={"lane": "lane {lane}"},
        sentences={
            "lane": "**Lane {lane}** of every warp owns what is outlined: two neighbours in every 8 x 8 of C."
        },
    )
