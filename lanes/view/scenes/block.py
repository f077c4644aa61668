"""The scene of a block's part of C: which warp, and which lane of it, owns each element."""

from lanes.catalog import fragment
from lanes.fragments import WARP
from lanes.tiling import REFERENCE, Tiling
from lanes.view.pane import Cell, Pane
from lanes.view.scene import Link, Scene, Variant, linked
from lanes.view.scenes.registers import slot_words


def block_scene(tiling: Tiling = REFERENCE) -> Scene:
    """Return the scene of C's block, f16 accumulators: 128 x 128 elements for the reference kernel.

    >>> len([name for name in block_scene().variant().lit("C(0,0)")["holds"] if name[0] == "C"])
    64
    """
    block = _block(tiling)
    warps = _warps(tiling)
    lanes = _lanes()
    links = (
        *linked(["C"], "thread", "holds"),
        Link("C", "warps", "warp", "meets"),
        Link("C", "lanes", "lane", "holds"),
        Link("warps", "C", "warp", "meets"),
        Link("lanes", "C", "lane", "holds"),
    )
    start = _name(tiling.c_origin(tiling.warps - 1, 0, 0))
    return Scene(
        "block",
        "A block's part of C: which warp and which lane own it",
        "Each outline is a warp's part. Inside it, every mma repeats one pattern of lanes; colour is the lane.",
        (),
        (Variant((), (warps, block, lanes), links, start),),
        (),
    )


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
        sentences={"cell": "**Warp {warp}**, threads {threads}, owns rows {rows} and columns {cols} of C."},
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
