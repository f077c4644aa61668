"""Scenes: figures as plain data, built from the model; and what draws them.

A scene's panes are grids of cells, and its links join cells. `LaneView` shows one in a notebook or on a page,
`figure` draws one with matplotlib, `table` puts one into words.
"""

from lanes.view.chart import Chart
from lanes.view.figure import figure
from lanes.view.scene import Scene
from lanes.view.scenes import (
    SCENES,
    block_scene,
    fragment_scene,
    ldmatrix_scene,
    mma_scene,
    pair_scene,
    reuse_scene,
    step_scene,
)
from lanes.view.show import Listing, Table
from lanes.view.table import as_csv, as_markdown, table
from lanes.view.widget import LaneView

__all__ = [
    "SCENES",
    "Chart",
    "LaneView",
    "Listing",
    "Scene",
    "Table",
    "as_csv",
    "as_markdown",
    "block_scene",
    "figure",
    "fragment_scene",
    "ldmatrix_scene",
    "mma_scene",
    "pair_scene",
    "reuse_scene",
    "step_scene",
    "table",
]
