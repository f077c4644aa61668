"""Which lane holds which element: the instructions of a tensor-core warp, modelled in NumPy.

This package is the only place that says who holds what. It imports NumPy and ml_dtypes alone.
"""

from lanes.catalog import fragment, ldmatrix_row, mma_row
from lanes.diagnose import Diagnosis, diagnose
from lanes.fragments import Fragment
from lanes.instructions import LDMATRIX, MMA, MOVMATRIX, Ldmatrix, Mma, Movmatrix
from lanes.relabel import Relabelling, relabelling
from lanes.reuse import Reads, fragments_read, mma_origins, smem_reads
from lanes.sectors import Access, TileCopy, tile_copy
from lanes.storages import STORAGES, Storage
from lanes.tf32 import tf32_coords
from lanes.tiling import REFERENCE, Tiling
from lanes.warp import ldmatrix, mma, movmatrix

__all__ = [
    "LDMATRIX",
    "MMA",
    "MOVMATRIX",
    "REFERENCE",
    "STORAGES",
    "Access",
    "Diagnosis",
    "Fragment",
    "Ldmatrix",
    "Mma",
    "Movmatrix",
    "Reads",
    "Relabelling",
    "Storage",
    "TileCopy",
    "Tiling",
    "diagnose",
    "fragment",
    "fragments_read",
    "ldmatrix",
    "ldmatrix_row",
    "mma",
    "mma_origins",
    "mma_row",
    "movmatrix",
    "relabelling",
    "smem_reads",
    "tf32_coords",
    "tile_copy",
]
