"""The rows prove themselves when they are made: broken ones are refused."""

import dataclasses

import pytest

import lanes

FIRST = lanes.MMA[0]  # m16n8k16, f16


def test_these_instructions_exist():
    assert {(row.mnemonic, row.arch) for row in lanes.MMA} == {
        ("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", "sm_80"),
        ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "sm_80"),
        ("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", "sm_80"),
        ("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16", "sm_75"),
        ("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", "sm_75"),
        ("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32", "sm_80"),
    }
    assert {(row.mnemonic, row.arch) for row in lanes.LDMATRIX} == {
        (f"ldmatrix.sync.aligned.m8n8.x{num}{trans}.shared.b16", "sm_75")
        for num in (1, 2, 4)
        for trans in ("", ".trans")
    }


@pytest.mark.parametrize("row", lanes.MMA, ids=lambda row: row.mnemonic)
def test_registers_are_the_operands_bits_over_32_lanes(row):
    m, n, k = row.mnk
    bits = {"f16": 16, "bf16": 16, "f32": 32}
    for part, shape, dtype in (
        (row.a, (m, k), row.dtype),
        (row.b, (k, n), row.dtype),
        (row.c, (m, n), row.acc),
    ):
        assert (part.shape, part.dtype) == (shape, dtype)
        assert 32 * 32 * part.registers == shape[0] * shape[1] * bits[dtype]


def test_ptx_counts_the_registers_of_each_operand():
    assert lanes.mma_row("m16n8k16", "f16", "f32").ptx == (
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%Rd0, %Rd1, %Rd2, %Rd3}, "
        "{%Ra0, %Ra1, %Ra2, %Ra3}, {%Rb0, %Rb1}, {%Rc0, %Rc1, %Rc2, %Rc3};"
    )


@pytest.mark.parametrize(
    ("broken", "sentence"),
    [
        ({"a_blocks": ((0, 0), (8, 0), (0, 8), (0, 8))}, r"A\(0,8\) is held 2 times"),
        ({"a_blocks": ((0, 0), (8, 0), (0, 8))}, r"A\(8,8\) is held 0 times"),
        ({"a_blocks": ((0, 0), (8, 0), (0, 8), (16, 8))}, "reach outside A's shape"),
        ({"a_blocks": ((0, 0), (8, 0), (0, 8), (-8, 8))}, "reach outside A's shape"),
        ({"a_blocks": ((0, 0), (8, 0), (0, 8), (8, 4))}, r"A\(8,4\) is held 2 times"),
        ({"a_blocks": ()}, r"A\(0,0\) is held 0 times"),
        ({"b_blocks": ((0, 0), (0, 8))}, "reach outside B's shape"),
        ({"b_blocks": ((0, 0),)}, r"B\(8,0\) is held 0 times"),
        ({"c_blocks": ((0, 0), (0, 0))}, r"C\(0,0\) is held 2 times"),
        ({"shape": "m16n8k8"}, "reach outside A's shape"),
        ({"shape": "m16n16k16"}, r"B\(0,8\) is held 0 times"),
        ({"shape": "16x8x16"}, "wanted PTX's form"),
        (
            {"dtype": "bf16"},
            "no mma pairs bf16 with f16; wanted one of f16 with f16, f16 with f32, bf16 with f32",
        ),
        ({"dtype": "f32"}, "no mma pairs f32 with f16"),
        ({"acc": "bf16"}, "no mma pairs f16 with bf16"),
    ],
)
def test_a_broken_mma_row_is_refused(broken, sentence):
    with pytest.raises(ValueError, match=sentence):
        dataclasses.replace(FIRST, **broken)


@pytest.mark.parametrize("num", [0, 3, 8, "x4"])
def test_a_broken_ldmatrix_row_is_refused(num):
    with pytest.raises(ValueError, match="ldmatrix moves 1, 2 or 4 matrices"):
        lanes.Ldmatrix(num)
    with pytest.raises(ValueError, match="ldmatrix moves 1, 2 or 4 matrices"):
        lanes.ldmatrix_row(num)


def test_a_fragment_of_an_unknown_dtype_is_refused():
    with pytest.raises(ValueError, match="dtype is 'f8'; wanted one of f16, bf16, f32"):
        dataclasses.replace(FIRST.a, dtype="f8")


@pytest.mark.parametrize(
    "row", [FIRST, FIRST.a, lanes.LDMATRIX[0], lanes.REFERENCE], ids=lambda row: type(row).__name__
)
def test_rows_are_frozen(row):
    name = dataclasses.fields(row)[0].name
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(row, name, getattr(row, name))


def test_an_unknown_mma_is_refused_with_those_there_are():
    with pytest.raises(ValueError, match=r"wanted one of m16n8k16 f16 f16, .*, m16n8k8 bf16 f32"):
        lanes.mma_row("m16n8k8", "bf16", "f16")
