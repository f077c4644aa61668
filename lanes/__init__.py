"""Which lane holds which element: the instructions of a tensor-core warp, modelled in NumPy.

This package is the only place that says who holds what. It imports NumPy and ml_dtypes alone.
"""

from lanes.catalog import fragment, ldmatrix_row, mma_row
from lanes.diagnose import Diagnosis, diagnose
from lanes.fragments import Fragment
from lanes.instructions import LDMATRIX, MMA, Ldmatrix, Mma
from lanes.relabel import Relabelling, relabelling
from lanes.tf32 import tf32_coords
from lanes.tiling import REFERENCE, Tiling
from lanes.warp import ldmatrix, mma

__all__ = [
    "LDMATRIX",
    "MMA",
    "REFERENCE",
    "Diagnosis",
    "Fragment",
    "Ldmatrix",
    "Mma",
    "Relabelling",
    "Tiling",
    "diagnose",
    "fragment",
    "ldmatrix",
    "ldmatrix_row",
    "mma",
    "mma_row",
    "relabelling",
    "tf32_coords",
]
