"""The instructions the model knows: one frozen row each, proved when it is made.

A row says where the elements are; `lanes.warp` says what the instruction does with them, and `lanes.catalog`
finds a row.
"""

import re
from dataclasses import dataclass, field

from lanes.fragments import WARP, Fragment, within

Corners = tuple[tuple[int, int], ...]

# The accumulator types PTX allows for each type of A and B. C and D have the same type.
ACCUMULATORS = {"f16": ("f16", "f32"), "bf16": ("f32",)}


@dataclass(frozen=True)
class Mma:
    """One `mma.sync`: D = A @ B + C, where A is M-by-K, B is K-by-N, and C and D are M-by-N.

    shape: PTX's, such as "m16n8k16". dtype: of A and B. acc: of C and D. arch: the first that has it.
    a_blocks, b_blocks, c_blocks: corners (row, col) of the operand's 8x8 matrices, in register order.

    The fragments are `a`, `b` and `c`; D has C's.

    Raises ValueError, when made, for types that PTX does not pair, and for blocks that do not cover an
    operand exactly once.

    Source: PTX ISA, "Matrix Fragments for mma.m16n8k8" and "Matrix Fragments for mma.m16n8k16 with floating
    point type".

    >>> MMA[1].mnemonic
    'mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32'
    """

    shape: str
    dtype: str
    acc: str
    arch: str
    a_blocks: Corners
    b_blocks: Corners
    c_blocks: Corners
    a: Fragment = field(init=False, repr=False, compare=False)
    b: Fragment = field(init=False, repr=False, compare=False)
    c: Fragment = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Make the fragments; each proves itself."""
        if not re.fullmatch(r"m\d+n\d+k\d+", self.shape):
            raise ValueError(f"shape is {self.shape!r}; wanted PTX's form, such as m16n8k16.")
        if self.acc not in ACCUMULATORS.get(self.dtype, ()):
            pairs = ", ".join(f"{dtype} with {acc}" for dtype, accs in ACCUMULATORS.items() for acc in accs)
            raise ValueError(f"no mma pairs {self.dtype} with {self.acc}; wanted one of {pairs}.")
        m, n, k = self.mnk
        set_once = object.__setattr__  # the way into a frozen dataclass
        set_once(self, "a", Fragment("A", self.dtype, (m, k), self.a_blocks))
        # ".col": a lane holds neighbours in a column of B, so B's matrices are turned on their sides.
        set_once(self, "b", Fragment("B", self.dtype, (k, n), self.b_blocks, transposed=True))
        set_once(self, "c", Fragment("C", self.acc, (m, n), self.c_blocks))

    @property
    def mnk(self) -> tuple[int, int, int]:
        """(M, N, K) of the product, in elements."""
        m, n, k = map(int, re.findall(r"\d+", self.shape))
        return m, n, k

    @property
    def mnemonic(self) -> str:
        """PTX's full name of the instruction."""
        return f"mma.sync.aligned.{self.shape}.row.col.{self.acc}.{self.dtype}.{self.dtype}.{self.acc}"

    @property
    def ptx(self) -> str:
        """The instruction with its registers, named as in PTX's examples: %Ra2 is reg 2 of A.

        >>> MMA[3].ptx
        'mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%Rd0, %Rd1}, {%Ra0, %Ra1}, {%Rb0}, {%Rc0, %Rc1};'
        """
        counts = {"d": self.c.registers, "a": self.a.registers, "b": self.b.registers, "c": self.c.registers}
        operands = ["{" + ", ".join(f"%R{x}{reg}" for reg in range(n)) + "}" for x, n in counts.items()]
        return f"{self.mnemonic} {', '.join(operands)};"


# A's matrices go down the column first: reg 1 is rows 8-15 of the left half.
A_K16: Corners = ((0, 0), (8, 0), (0, 8), (8, 8))
A_K8: Corners = ((0, 0), (8, 0))
B_K16: Corners = ((0, 0), (8, 0))
B_K8: Corners = ((0, 0),)
C_M16: Corners = ((0, 0), (8, 0))

MMA = (
    Mma("m16n8k16", "f16", "f16", "sm_80", A_K16, B_K16, C_M16),
    Mma("m16n8k16", "f16", "f32", "sm_80", A_K16, B_K16, C_M16),
    Mma("m16n8k16", "bf16", "f32", "sm_80", A_K16, B_K16, C_M16),
    Mma("m16n8k8", "f16", "f16", "sm_75", A_K8, B_K8, C_M16),
    Mma("m16n8k8", "f16", "f32", "sm_75", A_K8, B_K8, C_M16),
    Mma("m16n8k8", "bf16", "f32", "sm_80", A_K8, B_K8, C_M16),
)


@dataclass(frozen=True)
class Ldmatrix:
    """One `ldmatrix`: num 8x8 matrices of 16-bit elements, from shared memory to one register each.

    num: 1, 2 or 4 matrices. trans: transpose each on the way. arch: the first that has it.

    The lane that supplies a row's address is not the lane that receives the row's elements: ask `supplier`
    for the one and `receiver` for the other. `fragment` says the latter of the 8*num rows in one pile.

    Raises ValueError, when made, unless num is 1, 2 or 4.

    Source: PTX ISA, "Warp-level matrix load instruction: ldmatrix".

    >>> Ldmatrix(4, trans=True).mnemonic
    'ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16'
    """

    num: int
    trans: bool = False
    arch: str = "sm_75"
    fragment: Fragment = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Make the fragment, which proves itself."""
        if self.num not in (1, 2, 4):
            raise ValueError(f"num is {self.num!r}; ldmatrix moves 1, 2 or 4 matrices.")
        blocks = tuple((8 * matrix, 0) for matrix in range(self.num))
        # The bits are moved, not read: f16 stands for any 16-bit type. R, because PTX calls the registers r.
        pile = Fragment("R", "f16", (8 * self.num, 8), blocks, transposed=self.trans)
        object.__setattr__(self, "fragment", pile)

    @property
    def mnemonic(self) -> str:
        """PTX's full name of the instruction."""
        return f"ldmatrix.sync.aligned.m8n8.x{self.num}{'.trans' if self.trans else ''}.shared.b16"

    def supplier(self, lane: int) -> tuple[int, int] | None:
        """Return the (matrix, row) whose address the lane supplies, or None where its address is ignored.

        On sm_75 an ignored address must still be valid. Raises IndexError unless lane is 0-31.

        >>> Ldmatrix(4).supplier(16), Ldmatrix(2).supplier(16)
        ((2, 0), None)
        """
        lane = within("lane", lane, WARP)
        return divmod(lane, 8) if lane < 8 * self.num else None

    def receiver(self, matrix: int, row: int, col: int) -> tuple[int, int, int]:
        """Return the (lane, reg, half) that receives element (row, col) of a matrix, as it lies in memory.

        Raises IndexError outside the matrices.

        >>> Ldmatrix(4).receiver(2, 0, 1), Ldmatrix(4, trans=True).receiver(2, 0, 1)
        ((0, 2, 1), (4, 2, 0))
        """
        matrix, row = within("matrix", matrix, self.num), within("row", row, 8)
        return self.fragment.owner(8 * matrix + row, col)

    def element(self, lane: int, reg: int, half: int) -> tuple[int, int, int]:
        """Return the (matrix, row, col) that a lane receives there: the inverse of `receiver`.

        Raises IndexError outside the registers.

        >>> Ldmatrix(4).element(0, 2, 1)
        (2, 0, 1)
        """
        slot = within("lane", lane, WARP), within("reg", reg, self.num), within("half", half, 2)
        piled, col = self.fragment.coords[slot].tolist()
        return piled // 8, piled % 8, col


LDMATRIX = tuple(Ldmatrix(num, trans) for num in (1, 2, 4) for trans in (False, True))
