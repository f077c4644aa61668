"""The scene of one step: which fragments of A and B each warp reads, and which warps share them."""

from collections import Counter
from itertools import product

from lanes.catalog import fragment
from lanes.fragments import WARP
from lanes.reuse import MATRIX_BYTES, WALKS, fragments_read, mma_origins, smem_reads
from lanes.tiling import Tiling
from lanes.view.pane import NOTHING, Cell, Pane
from lanes.view.scene import Control, Link, Scene, Variant
from lanes.view.scenes.block import PRESETS, tiling_control
from lanes.view.text import words

FRAGMENTS = ("kept", "loaded for each mma")


def reuse_scene(*tilings: Tiling) -> Scene:
    """Return the scene of a block's tiles in fragments: of the presets, the reference first, or of those given.

    >>> reuse_scene().variant().lit("A rows 0 to 15")["meets"][:4]
    ['warp 0', 'warp 2', 'warp 4', 'warp 6']
    """
    shown = tilings or PRESETS
    controls = (
        tiling_control(shown),
        Control("walk", "mmas of a warp", WALKS),
        Control("fragments", "fragments", FRAGMENTS),
    )
    named = zip(controls[0].options, shown, strict=True)
    return Scene(
        "reuse",
        "What a warp reads in one step, and who shares it",
        "A cell of C is one mma, and its number is the warp that does it. "
        "The numbers on the left and above say how often a fragment of A and of B is read in one step.",
        controls,
        tuple(
            _variant((name, walk, fragments), tiling)
            for (name, tiling), walk, fragments in product(named, WALKS, FRAGMENTS)
        ),
        (controls[0].options[0], WALKS[0], FRAGMENTS[0]),
    )


def _variant(choice: tuple[str, str, str], tiling: Tiling) -> Variant:
    _, walk, fragments = choice
    panes = (_warps(tiling, walk, fragments), _tiles(tiling, walk, fragments))
    links = (
        Link("warps", "tiles", "warp", "holds"),
        Link("warps", "tiles", ("warp", "readers"), "meets"),
        Link("tiles", "tiles", "warp", "holds"),
        Link("tiles", "warps", "warp", "holds"),
        Link("tiles", "warps", ("readers", "warp"), "meets"),
        *(Link("tiles", "tiles", pair, "meets") for one in ("top", "left") for pair in _both_ways(one)),
    )
    return Variant(choice, panes, links, f"warp {min(3, tiling.warps - 1)}")


def _both_ways(corner: str) -> tuple[tuple[str, str], tuple[str, str]]:
    """From the mmas of C to their fragment, and back: its corner is in the column "loaded_" + corner."""
    return (corner, f"loaded_{corner}"), (f"loaded_{corner}", corner)


def _warps(tiling: Tiling, walk: str, fragments: str) -> Pane:
    kept = fragments == FRAGMENTS[0]
    cells: dict[tuple[int, int], Cell] = {}
    for warp in range(tiling.warps):
        place = tiling.place(WARP * warp)
        rows, cols = fragments_read(tiling, warp, walk, kept=kept)
        reads = smem_reads(tiling, warp, walk, kept=kept)
        cells[place.warp_m, place.warp_n] = {
            "kind": "cell",
            "text": str(warp),
            "warp": warp,
            "threads": f"{WARP * warp} to {WARP * (warp + 1) - 1}",
            "mmas": len(mma_origins(tiling, warp, walk)),
            "a_loads": len(rows),
            "b_loads": len(cols),
            "a_bytes": reads.a_bytes,
            "b_bytes": reads.b_bytes,
            "all_bytes": sum(reads),
        }
    return Pane(
        "warps",
        "warps",
        rows=tiling.warps_m,
        cols=tiling.warps_n,
        cells=[cells[m, n] for m, n in product(range(tiling.warps_m), range(tiling.warps_n))],
        note=f"{tiling.warps_m} x {tiling.warps_n}",
        names={"cell": "warp {warp}"},
        sentences={
            "cell": "**Warp {warp}**, threads {threads}, does {mmas} mmas in a step. For them it loads {a_loads} "
            "fragments of A and {b_loads} of B: {a_bytes} + {b_bytes} = **{all_bytes} bytes** from shared memory.",
        },
    )


def _tiles(tiling: Tiling, walk: str, fragments: str) -> Pane:
    """B's fragments in the first line, A's at the head of each other line, and the mmas of C between them."""
    m, n, depth = tiling.mma_tile
    tops, lefts = (range(0, size, step) for size, step in zip(tiling.block, (m, n), strict=False))
    warp_of = {origin: warp for warp in range(tiling.warps) for origin in mma_origins(tiling, warp, walk)}
    readers, loads = _readers(tiling, walk, kept=fragments == FRAGMENTS[0])

    def loaded(operand: str, start: int) -> Cell:
        """A fragment of A from that row on, or of B from that column on."""
        number = loads[operand, start]
        bytes_each = fragment(tiling.mma, operand).registers * MATRIX_BYTES
        warps = readers[operand, start]
        return {
            "kind": "cell",
            "text": str(number),
            "name": f"{operand} {span(operand, start)}",
            "does": f"are a fragment of {bytes_each} bytes. In one step it is loaded",
            "whose": "once" if number == 1 else f"{number} times",
            "more": f", by warp{'s' * (len(warps) > 1)} {words(warps)}.",
            "readers": warps,
            "loaded_top" if operand == "A" else "loaded_left": start,
        }

    def mma(top: int, left: int) -> Cell:
        warp = warp_of[top, left]
        return {
            "kind": "cell",
            "text": str(warp),
            "name": f"C {span('A', top)}, {span('B', left)}",
            "does": "are one mma of",
            "whose": f"warp {warp}",
            "more": f": it takes {span('A', top)} of A and {span('B', left)} of B.",
            "warp": warp,
            "top": top,
            "left": left,
        }

    def span(operand: str, start: int) -> str:
        side, size = ("rows", m) if operand == "A" else ("columns", n)
        return f"{side} {start} to {start + size - 1}"

    height, width = tiling.mmas_m, tiling.mmas_n
    places = ((warp, tiling.c_origin(warp, 0, 0)) for warp in range(tiling.warps))
    frames = tuple((1 + r // m, 1 + c // n, height, width, f"warp {warp}") for warp, (r, c) in places)
    lines = [[NOTHING, *(loaded("B", left) for left in lefts)]]
    lines += [[loaded("A", top), *(mma(top, left) for left in lefts)] for top in tops]
    return Pane(
        "tiles",
        "A, B and C",
        rows=len(lines),
        cols=len(lines[0]),
        cells=[cell for line in lines for cell in line],
        note=f"one step of {tiling.block[0]} x {tiling.block[1]}, {depth} deep",
        names={"cell": "{name}"},
        sentences={"cell": "**{name}** {does} **{whose}**{more}"},
        row_gaps=(1,),
        col_gaps=(1,),
        row_heads=("B", *map(str, tops)),
        col_heads=("A", *map(str, lefts)),
        frames=frames if walk == "blocked" else (),
    )


def _readers(
    tiling: Tiling, walk: str, *, kept: bool
) -> tuple[dict[tuple[str, int], list[int]], Counter[tuple[str, int]]]:
    """For each fragment, by operand and where it starts: the warps that read it, and how often in all."""
    readers: dict[tuple[str, int], list[int]] = {}
    loads: Counter[tuple[str, int]] = Counter()
    for warp in range(tiling.warps):
        for operand, starts in zip("AB", fragments_read(tiling, warp, walk, kept=kept), strict=True):
            loads.update((operand, start) for start in starts)
            for start in sorted(set(starts)):
                readers.setdefault((operand, start), []).append(warp)
    return readers, loads
