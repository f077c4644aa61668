"""New names for m, n and k: the coordinates of a fragment are a convention that A, B and C have to share.

An mma multiplies what meets. It never sees which of its sums is called row 3. Call PTX's row i of A by another name,
and the same row of C too, and C + A @ B comes out as before, with rows in another place. The same holds for the
columns of B and C, and for the k of A and B. A name that is given in one operand alone breaks the product.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lanes.catalog import fragment
from lanes.fragments import Fragment

AXES = {"A": "mk", "B": "kn", "C": "mn"}  # what the rows and columns of an operand count


@dataclass(frozen=True)
class Relabelling:
    """New names for the m, n and k of an mma: m[i] is the new name of what PTX calls m = i, and so on.

    Raises ValueError, when made, unless each of the three has every name from 0 on once.

    >>> new = relabelling("m16n8k16", k=[15 - k for k in range(16)])
    >>> new.coords(fragment("m16n8k16", "A"))[0, 0].tolist()
    [[0, 15], [0, 14]]
    """

    m: tuple[int, ...]
    n: tuple[int, ...]
    k: tuple[int, ...]

    def __post_init__(self) -> None:
        """A name that is given twice would leave an element without a place."""
        for axis in "mnk":
            names = getattr(self, axis)
            if sorted(names) != list(range(len(names))):
                raise ValueError(f"{axis} is {names}; wanted each of 0-{len(names) - 1} once.")

    def coords(self, part: Fragment) -> npt.NDArray[np.intp]:
        """Return (row, col) of what each lane holds, in the new names: (32, registers, elements, 2).

        Raises ValueError for a fragment of another size.
        """
        rows, cols = self._names(part)
        return np.stack([rows[part.coords[..., 0]], cols[part.coords[..., 1]]], axis=-1)

    def gather(self, part: Fragment, matrix: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return what each lane holds of a matrix whose rows and columns go by the new names.

        A new (32, registers, elements) array. Raises ValueError for another shape than the operand's.

        >>> part = fragment("m16n8k8", "B")
        >>> new = relabelling("m16n8k8", n=[7, 6, 5, 4, 3, 2, 1, 0])
        >>> new.gather(part, np.arange(64).reshape(8, 8))[0].tolist()
        [[7, 15]]
        """
        names = self._names(part)
        if matrix.shape != part.shape:
            raise ValueError(f"{part.operand}'s matrix has shape {matrix.shape}; wanted {part.shape}.")
        return part.gather(matrix[np.ix_(*names)])

    def scatter(self, part: Fragment, registers: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the matrix, its rows and columns by the new names, that registers hold: the inverse of `gather`.

        Raises ValueError for another shape than the fragment's.
        """
        held = part.scatter(registers)
        matrix = np.empty_like(held)
        matrix[np.ix_(*self._names(part))] = held
        return matrix

    def _names(self, part: Fragment) -> list[npt.NDArray[np.intp]]:
        """The new names of a fragment's rows and columns."""
        if part.operand not in AXES:
            raise ValueError(f"operand is {part.operand!r}; wanted A, B or C.")
        names = [np.array(getattr(self, axis), np.intp) for axis in AXES[part.operand]]
        sizes = tuple(map(len, names))
        if sizes != part.shape:
            raise ValueError(f"{part.operand} has shape {part.shape}; the names are for {sizes}.")
        return names


def relabelling(
    shape: str,
    *,
    m: Sequence[int] | None = None,
    n: Sequence[int] | None = None,
    k: Sequence[int] | None = None,
) -> Relabelling:
    """Return new names for an mma of that shape; an axis that is left out keeps PTX's.

    Raises ValueError for an unknown shape, and for names that are not each of an axis's numbers once.

    Source: PTX ISA, "Matrix Fragments for mma.m16n8k16 with floating point type", whose names are the old ones.

    >>> relabelling("m16n8k8", n=[1, 0, 3, 2, 5, 4, 7, 6]).k
    (0, 1, 2, 3, 4, 5, 6, 7)
    """
    sizes = dict(zip("mk", fragment(shape, "A").shape, strict=True)) | {"n": fragment(shape, "C").shape[1]}
    names = {}
    for axis, given in (("m", m), ("n", n), ("k", k)):
        names[axis] = tuple(range(sizes[axis]) if given is None else map(int, given))
        if len(names[axis]) != sizes[axis]:
            raise ValueError(f"{axis} has {len(names[axis])} names; {shape} wants {sizes[axis]}.")
    return Relabelling(**names)
