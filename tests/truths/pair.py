"""A, B, the operands of each instruction, C. An m16n8k8 takes eight k; PTX's fragments are those of `lanes`."""

from __future__ import annotations

from lanes.catalog import fragment
from lanes.fragments import WARP
from truths.truth import Labels, Registers, Truth


def truth(choice: tuple[str, ...], labels: Labels) -> Truth:
    count = 2 if choice[0].startswith("two") else 1
    names = ["the first m16n8k8", "the second m16n8k8"] if count == 2 else ["the m16n8k16"]
    parts = [fragment("m16n8k16", letter) for letter in "ABC"]
    pane = {"A": 0, "B": 1, "C": 3}
    every = {0: set(range(256)), 1: set(range(128)), 3: set(range(128))}
    holds: dict[int, dict[int, set[int]]] = {lane: {} for lane in range(WARP)}
    for letter, part in zip("ABC", parts, strict=True):
        for lane in range(WARP):
            places = part.coords[lane].reshape(-1, 2).tolist()
            holds[lane][pane[letter]] = {row * part.shape[1] + col for row, col in places}
    # The operands: a line is 7 cells, the instruction and then A's registers 0-3 and B's 0-1.
    head = {"A": 1, "B": 5}
    regs = {"A": 4 // count, "B": 2 // count}  # that one instruction takes

    def register_cell(letter: str, reg: int) -> int:
        return 7 * (reg // regs[letter]) + head[letter] + reg

    truth = Truth()
    for letter, part in zip("AB", parts, strict=False):
        for row in range(part.shape[0]):
            for col in range(part.shape[1]):
                lane, reg, half = part.owner(row, col)
                k = col if letter == "A" else row
                call = k // 8 if count == 2 else 0
                assert call == reg // regs[letter]
                other = {"A": {1: {k * 8 + n for n in range(8)}, 3: {row * 8 + n for n in range(8)}},
                         "B": {0: {m * 16 + k for m in range(16)}, 3: {m * 8 + col for m in range(16)}}}  # fmt: skip
                name = f"{letter}({row},{col})"
                own = f"R{letter.lower()}{reg % regs[letter]}"
                words = f"lane {lane}", Registers(part).words(reg, half), names[call], own
                truth.say(
                    (pane[letter], row * part.shape[1] + col),
                    name,
                    name,
                    *words,
                    same={2: {register_cell(letter, reg)}},
                    holds=holds[lane],
                    meets=other[letter] | {2: {7 * call}},
                )
        for reg in range(part.registers):
            at = register_cell(letter, reg)
            own = f"R{letter.lower()}{reg % regs[letter]}"
            elements = {
                int(r * part.shape[1] + c) for lane in range(WARP) for r, c in part.coords[lane, reg].tolist()
            }
            call = reg // regs[letter]
            truth.say(
                (2, at),
                f"reg {reg} of {letter}",
                f"reg {reg} of {letter}",
                names[call],
                own,
                holds={pane[letter]: elements},
                meets={2: {7 * call}},
            )
    for row in range(16):
        for col in range(8):
            lane = parts[2].owner(row, col)[0]
            meets = {0: {row * 16 + k for k in range(16)}, 1: {k * 8 + col for k in range(16)}}
            meets[2] = {7 * call for call in range(count)}
            name = f"C({row},{col})"
            truth.say((3, row * 8 + col), name, name, f"lane {lane}", holds=holds[lane], meets=meets)
    for call, name in enumerate(names):
        depth = 16 // count
        ks = range(depth * call, depth * call + depth)
        meets = {0: {m * 16 + k for m in range(16) for k in ks}, 1: {k * 8 + n for k in ks for n in range(8)}}
        meets[3] = every[3]
        meets[2] = {register_cell(letter, reg) for letter in "AB" for reg in range(
            call * regs[letter], (call + 1) * regs[letter])}  # fmt: skip
        truth.say((2, 7 * call), name, name, f"columns {ks[0]} to {ks[-1]} of A", meets=meets)
    return truth
