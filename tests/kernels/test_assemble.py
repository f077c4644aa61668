"""What the assembler takes and what it refuses, beside what the PTX manual says; no GPU is asked."""

import pytest

from kernels.assemble import refusal
from lanes import MMA, mma_row

F32 = mma_row("m16n8k16", "f16", "f32").ptx
ARCHS = ("sm_75", "sm_80", "sm_90", "sm_100", "sm_120")

# PTX ISA, "Target ISA Notes" of each instruction.
SINCE = {
    "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%Rd0, %Rd1, %Rd2, %Rd3}, [%Ra0];": "sm_75",
    "movmatrix.sync.aligned.m8n8.trans.b16 %Rd0, %Ra0;": "sm_75",
    "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%Rd0, %Rd1}, {%Ra0, %Ra1}, {%Rb0}, {%Rc0, %Rc1};": "sm_75",
    "cp.async.ca.shared.global [%Ra0], [%La0], 16;": "sm_80",
    F32: "sm_80",
    "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%Ra0], {%Rd0};": "sm_90",
}


@pytest.mark.parametrize("line", SINCE, ids=lambda line: line.partition(" ")[0])
def test_an_instruction_is_taken_from_its_architecture_on(line):
    for arch in ARCHS:
        said = refusal(line, arch)
        assert (said is None) == (int(arch[3:]) >= int(SINCE[line][3:])), (arch, said)
        if said:
            assert f"requires .target {SINCE[line]} or higher" in said


@pytest.mark.parametrize("row", MMA, ids=lambda row: row.mnemonic)
def test_the_assembler_takes_every_mma_of_the_model_from_its_architecture_on(row):
    assert [refusal(row.ptx, arch) is None for arch in ARCHS] == [
        int(arch[3:]) >= int(row.arch[3:]) for arch in ARCHS
    ]


@pytest.mark.parametrize("pair", ["row.row", "col.col", "col.row"])
def test_no_other_pair_of_layouts_is_taken(pair):
    assert "layout" in refusal(F32.replace("row.col", pair), "sm_80")


def mixed(d, c):
    """m16n8k16 with D and C of these types, each with as many registers as its type needs."""
    groups = {
        x: ", ".join(f"%R{x}{i}" for i in range({"f16": 2, "f32": 4}[kind]))
        for x, kind in (("d", d), ("c", c))
    }
    name = f"mma.sync.aligned.m16n8k16.row.col.{d}.f16.f16.{c}"
    return f"{name} {{{groups['d']}}}, {{%Ra0, %Ra1, %Ra2, %Ra3}}, {{%Rb0, %Rb1}}, {{{groups['c']}}};"


def test_d_and_c_have_one_type():
    assert refusal(mixed("f16", "f16"), "sm_80") is refusal(mixed("f32", "f32"), "sm_80") is None
    for d, c in (("f16", "f32"), ("f32", "f16")):
        said = refusal(mixed(d, c), "sm_80")
        assert (
            said
            == f".dtype must be '.{c}' when .ctype is '.{c}' for 'mma' instruction with shape '.m16n8k16'"
        )


def test_two_complaints_are_both_told_once_each():
    said = refusal(F32.replace("row.col", "row.row"), "sm_75")
    assert (
        said
        == "Illegal blayout '.row' for instruction 'mma'; Feature '.m16n8k16' requires .target sm_80 or higher"
    )


def test_an_architecture_there_is_not_is_refused_with_those_there_are():
    with pytest.raises(ValueError, match="arch is 'sm_70'; there is sm_75"):
        refusal(F32, "sm_70")
