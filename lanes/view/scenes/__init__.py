"""The scenes of the book, each built from the model."""

from lanes.view.scenes.block import block_scene
from lanes.view.scenes.fragments import fragment_scene, mma_scene
from lanes.view.scenes.ldmatrix import ldmatrix_scene
from lanes.view.scenes.pair import pair_scene
from lanes.view.scenes.reuse import reuse_scene
from lanes.view.scenes.step import step_scene

SCENES = {
    "fragment": fragment_scene,
    "mma": mma_scene,
    "ldmatrix": ldmatrix_scene,
    "block": block_scene,
    "reuse": reuse_scene,
    "pair": pair_scene,
    "step": step_scene,
}

__all__ = [
    "SCENES",
    "block_scene",
    "fragment_scene",
    "ldmatrix_scene",
    "mma_scene",
    "pair_scene",
    "reuse_scene",
    "step_scene",
]
