"""One operand and its registers."""

from __future__ import annotations

from lanes.catalog import fragment
from lanes.fragments import WARP
from truths.truth import Labels, Registers, Truth


def truth(choice: tuple[str, ...], labels: Labels) -> Truth:
    shape, operand = choice
    letter, _, dtype = operand.partition(" ")
    part = fragment(shape, letter, dtype=dtype or "f16")
    registers, truth, cols = Registers(part), Truth(), part.shape[1]
    held = {lane: part.coords[lane].reshape(-1, 2).tolist() for lane in range(WARP)}
    holds = {lane: {0: {r * cols + c for r, c in held[lane]}, 1: registers.line(lane)} for lane in held}
    for lane, reg, half in registers.places():
        row, col = part.coords[lane, reg, half].tolist()
        assert part.owner(row, col) == (lane, reg, half)
        element, slot = row * cols + col, registers.slot(lane, reg, half)
        words = f"lane {lane}", registers.words(reg, half), f"{letter}({row},{col})"
        truth.say((0, element), words[2], *words, same={1: {slot}}, holds=holds[lane])
        truth.say((1, slot), f"lane {lane}, {words[1]}", *words, same={0: {element}}, holds=holds[lane])
    for lane in held:
        all_of_it = ", ".join(f"{letter}({r},{c})" for r, c in held[lane])
        truth.say((1, registers.lane(lane)), f"lane {lane}", f"lane {lane}", all_of_it, holds=holds[lane])
    return truth
