"""Name the mistake that made a wrong layout: which slip puts these elements into these slots?

A mistake is a function that makes, of the right layout, the layouts that the slip leads to. `diagnose` compares
what it is given with each of them, slot by slot, and names the first that is equal in every slot. Nothing is ever
guessed from a few slots: what no mistake explains is "unknown". `MISTAKES` is the table; a new mistake is a new
function and a new line.

**When two mistakes make one layout** the earlier line of the table gives the name. No two lines do so for the
instructions there are, and a test holds that. One slip has two names: turning every 8x8 matrix on its side is
"missing-trans" where the instruction transposes and "extra-trans" where it does not, so exactly one of them exists
for an instruction. A fragment alone is taken for one loaded from memory in its operand's own order, A stored M by K
and B stored K by N; a `Storage` says how memory really lies, and so which of the two it is.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from lanes.fragments import DTYPES, WARP, Fragment
from lanes.instructions import Ldmatrix
from lanes.storages import Storage
from lanes.tf32 import tf32_coords

Layout = npt.NDArray[np.intp]  # (row, col) of what each slot holds: (32, registers, elements, 2)
Slot = tuple[int, int, int]  # (lane, reg, half)


@dataclass(frozen=True)
class Diagnosis:
    """What is wrong with a layout.

    name: of the mistake, stable: one of `MISTAKES`, "not-from-source" or "unknown". meaning: the mistake in a
    sentence. difference: the first slot that differs, in a sentence. slot: its (lane, reg, half).
    """

    name: str
    meaning: str
    difference: str
    slot: Slot

    @property
    def sentence(self) -> str:
        """The meaning and the first difference."""
        return f"{self.meaning} {self.difference}"


class Mistake(NamedTuple):
    """A line of the table.

    `layouts` takes the fragment, and the (row, col) that the first slot was found to hold. It yields the layouts
    that the mistake leads to, none where there is no such mistake.
    """

    name: str
    meaning: str
    layouts: Callable[[Fragment, Layout], Iterator[Layout]]


def diagnose(
    got: npt.ArrayLike, instruction: Fragment | Ldmatrix | Storage, *, source: npt.ArrayLike | None = None
) -> Diagnosis | None:
    """Compare what the lanes hold with what an instruction gives them; None if that is the same in every slot.

    instruction: the fragment of an mma's operand, a storage that such a fragment is loaded from, or a row of ldmatrix,
    whose matrices count as one pile of 8*num rows. Without source, got is a layout: integers (32, registers, elements,
    2), the (row, col) in each slot. With source, got are values (32, registers, elements), and source is the matrix
    that they were loaded from, as the operand has it and not as memory does: every value in it once, the operand in
    its top left corner.

    "constant" wants no more than one value in all slots, from the source or not. "not-from-source" is the answer
    when a value is nowhere in the source, or a place of a layout is outside the operand, and nothing better fits.

    Raises TypeError for another kind of instruction; ValueError for another shape, for a layout that is not made
    of integers, and for a source that is too small or has a value twice.

    Source: the right layouts are those of `lanes.fragments`. The mistakes are those that readers of the PTX ISA
    make; "tf32-layout" is its "Matrix Fragments for mma.m16n8k8" with .tf32.

    >>> from lanes import fragment
    >>> a = fragment("m16n8k16", "A")
    >>> diagnose(a.coords, a) is None
    True
    >>> found = diagnose(a.coords[:, [0, 2, 1, 3]], a)
    >>> found.name, found.difference
    ('registers-1-and-2-swapped', 'Lane 0, reg 1, half 0 should hold A(8,0) and holds A(0,8).')
    """
    part = instruction.fragment if isinstance(instruction, (Ldmatrix, Storage)) else instruction
    if not isinstance(part, Fragment):
        raise TypeError(
            f"instruction is a {type(part).__name__}; wanted a Fragment, an Ldmatrix or a Storage."
        )
    values = np.asarray(got)
    held = _as_layout(values, part) if source is None else _traced(values, np.asarray(source), part)
    wrong = np.argwhere((held != part.coords).any(axis=-1))
    if len(wrong) == 0:
        return None
    lane, reg, half = slot = tuple(wrong[0].tolist())
    holds = _said(held[slot], instruction, part)
    if source is not None and held[slot][1] < 0:
        holds = f"{values[slot]}, which is not in the source"
    place = f"Lane {lane}, reg {reg}" + (f", half {half}" if part.elements == 2 else "")
    difference = f"{place} should hold {_said(part.coords[slot], instruction, part)} and holds {holds}."
    bounds = part.shape if source is None else np.shape(source)
    trans = instruction.trans if isinstance(instruction, Storage) else part.transposed
    return Diagnosis(*_named(held, part, bounds, trans), difference, slot)


def _named(held: Layout, part: Fragment, bounds: tuple[int, ...], trans: bool) -> tuple[str, str]:
    for mistake in MISTAKES:
        for layout in mistake.layouts(part, held[0, 0, 0]):
            if np.array_equal(held, layout):
                if mistake in (MISSING_TRANS, EXTRA_TRANS):
                    mistake = MISSING_TRANS if trans else EXTRA_TRANS
                return mistake.name, mistake.meaning
    return NOT_FROM_SOURCE if ((held < 0) | (held >= bounds)).any() else UNKNOWN


def _constant(part: Fragment, first: Layout) -> Iterator[Layout]:
    yield np.broadcast_to(first, part.coords.shape)


def _registers_swapped(part: Fragment, first: Layout) -> Iterator[Layout]:
    if part.registers == 4:
        yield part.coords[:, [0, 2, 1, 3]]


def _halves_swapped(part: Fragment, first: Layout) -> Iterator[Layout]:
    if part.elements == 2:
        yield part.coords[:, :, ::-1]


def _missing_trans(part: Fragment, first: Layout) -> Iterator[Layout]:
    if part.transposed:
        yield from _turned(part)


def _extra_trans(part: Fragment, first: Layout) -> Iterator[Layout]:
    if not part.transposed:
        yield from _turned(part)


def _turned(part: Fragment) -> Iterator[Layout]:
    """Row and column exchanged inside every 8x8 matrix. ldmatrix moves 16-bit elements, so f32 has no such thing."""
    if part.elements == 2:
        yield _corners(part) + (part.coords - _corners(part))[..., ::-1]


def _transposed(part: Fragment, first: Layout) -> Iterator[Layout]:
    """Row and column exchanged in the operand, which must have as many of the one as of the other."""
    if part.shape[0] == part.shape[1] and len(part.blocks) > 1:
        yield part.coords[..., ::-1]


def _supplier(part: Fragment, first: Layout) -> Iterator[Layout]:
    """Two slips: the supplier's formulas for row and piece, lane % 8 and lane // 8, used for what a lane receives;
    and, where 32 lanes supply all rows, a lane that keeps the whole row whose address it supplies."""
    if part.elements != 2:
        return
    lane, reg, half = np.indices((WARP, part.registers, part.elements))
    piece, row = np.divmod(lane, 8)
    yield part.coords[4 * row + piece, reg, half]
    if part.registers == 4:
        yield np.array(part.blocks)[piece] + np.stack([row, 2 * reg + half], axis=-1)


def _tf32(part: Fragment, first: Layout) -> Iterator[Layout]:
    """A 32-bit register holds one tf32 element: a lane's elements are 8 rows or 4 steps of k apart."""
    if part.elements == 2 and (part.operand, part.shape) in (("A", (16, 8)), ("B", (8, 8))):
        yield tf32_coords(part.operand).reshape(part.coords.shape)


def _one_pile(part: Fragment, first: Layout) -> Iterator[Layout]:
    """The matrices of a fragment that is two wide, taken one below the other."""
    if part.elements == 2 and part.registers == 4 and part.shape == (16, 16):
        corners = np.stack([8 * np.arange(4), np.zeros(4, np.intp)], axis=-1)
        yield part.coords - _corners(part) + corners[:, np.newaxis]


def _shifted(part: Fragment, first: Layout) -> Iterator[Layout]:
    yield part.coords + (first - part.coords[0, 0, 0])


CONSTANT = Mistake("constant", "Every slot holds one and the same value.", _constant)
MISSING_TRANS = Mistake("missing-trans", "Every 8x8 matrix lies as it does without .trans.", _missing_trans)
EXTRA_TRANS = Mistake("extra-trans", "Every 8x8 matrix lies transposed, as with .trans.", _extra_trans)
NOT_FROM_SOURCE = "not-from-source", "Some slots hold what is nowhere in the source."
UNKNOWN = "unknown", "No mistake known here gives these slots."

MISTAKES = (
    CONSTANT,
    Mistake("registers-1-and-2-swapped", "Registers 1 and 2 have changed places.", _registers_swapped),
    Mistake("halves-swapped", "The halves of every register have changed places.", _halves_swapped),
    MISSING_TRANS,
    EXTRA_TRANS,
    Mistake(
        "operand-transposed",
        "The whole operand lies transposed, as if memory's rows were taken for its columns.",
        _transposed,
    ),
    Mistake(
        "supplier-for-receiver",
        "The lanes hold what they supply: the lane that supplies a row's address does not receive that row.",
        _supplier,
    ),
    Mistake(
        "one-pile",
        "All four matrices lie one below the other: lanes 16-31 are taken for 16 rows below row 15.",
        _one_pile,
    ),
    Mistake("tf32-layout", "This is how 32-bit tf32 elements lie; 16-bit elements lie otherwise.", _tf32),
    Mistake(
        "shifted-matrix",
        "Every element comes from one and the same step away, as from the row or the matrix next to its own.",
        _shifted,
    ),
)


def _corners(part: Fragment) -> Layout:
    """The top left corner of the matrix that each slot belongs to, for 16-bit elements: (registers, 1, 2)."""
    return np.array(part.blocks, np.intp)[:, np.newaxis]


def _said(place: Layout, instruction: Fragment | Ldmatrix | Storage, part: Fragment) -> str:
    """A place in words: "A(1,9)", or of ldmatrix "(1,0) of matrix 2"."""
    row, col = place.tolist()
    if not (0 <= row < part.shape[0] and 0 <= col < part.shape[1]):
        return (
            f"({row},{col}) outside {'the matrices' if isinstance(instruction, Ldmatrix) else part.operand}"
        )
    if isinstance(instruction, Ldmatrix):
        return f"({row % 8},{col}) of matrix {row // 8}"
    return f"{part.operand}({row},{col})"


def _as_layout(held: npt.NDArray[Any], part: Fragment) -> Layout:
    if held.shape != part.coords.shape:
        raise ValueError(
            f"got has shape {held.shape}; wanted {part.coords.shape}, or a source for its values."
        )
    if held.dtype.kind not in "iu":
        raise ValueError(f"got is {held.dtype}; a layout is made of integers.")
    return held.astype(np.intp)


def _traced(values: npt.NDArray[Any], source: npt.NDArray[Any], part: Fragment) -> Layout:
    """Where in the source each value comes from; a value from elsewhere gets a place of its own, in column -1."""
    if values.shape != part.coords.shape[:-1]:
        raise ValueError(f"got has shape {values.shape}; wanted {part.coords.shape[:-1]}.")
    if source.ndim != 2 or source.shape[0] < part.shape[0] or source.shape[1] < part.shape[1]:
        raise ValueError(f"source has shape {source.shape}; wanted at least {part.shape}.")
    places = dict(zip(_plain(source, "source"), np.ndindex(source.shape), strict=True))
    if len(places) < source.size:
        raise ValueError("source has a value more than once; every value must show where it came from.")
    traced = [places.setdefault(value, (-1 - len(places), -1)) for value in _plain(values, "got")]
    return np.array(traced, np.intp).reshape(part.coords.shape)


def _plain(values: npt.NDArray[Any], name: str) -> list[Any]:
    """The values as Python's numbers, which are equal across dtypes; NaN is equal to nothing."""
    if values.dtype in DTYPES.values():  # among them bfloat16, which is no number to NumPy
        values = values.astype(np.float64)
    if values.dtype.kind not in "iufb":
        raise ValueError(f"{name} is {values.dtype}; wanted numbers.")
    numbers: list[Any] = values.reshape(-1).tolist()
    return numbers
