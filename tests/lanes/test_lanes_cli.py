"""`python -m lanes`, in this process and in its own."""

import csv
import io
import json
import subprocess
import sys

import pytest

import lanes
from lanes.cli import main

OPERANDS = [
    ("m16n8k16", "A", "f16"),
    ("m16n8k16", "B", "bf16"),
    ("m16n8k16", "C", "f32"),
    ("m16n8k8", "A", "f16"),
    ("m16n8k8", "B", "bf16"),
    ("m16n8k8", "C", "f16"),
]
FRAGMENT_FIELDS = ["lane", "reg", "half", "row", "col", "name"]
LDMATRIX_FIELDS = ["role", "lane", "matrix", "row", "col", "reg", "half"]


@pytest.fixture
def ask(capsys):
    """Run the command line here; return what it printed, having checked that all went well."""

    def run(*words):
        assert main(words) == 0
        printed = capsys.readouterr()
        assert printed.err == ""
        return printed.out

    return run


@pytest.mark.parametrize(("shape", "operand", "dtype"), OPERANDS)
def test_the_whole_table_is_the_fragment(ask, shape, operand, dtype):
    part = lanes.fragment(shape, operand, dtype=dtype)
    table = json.loads(ask("fragment", shape, operand, "--dtype", dtype, "--format", "json"))
    assert len(table) == part.shape[0] * part.shape[1]
    assert [list(record) for record in table] == [FRAGMENT_FIELDS] * len(table)
    for record in table:
        slot = record["lane"], record["reg"], record["half"]
        assert part.owner(record["row"], record["col"]) == slot
        assert record["name"] == part.names[record["reg"]][record["half"]]
    slots = [(record["lane"], record["reg"], record["half"]) for record in table]
    assert slots == sorted(slots)


@pytest.mark.parametrize(("shape", "operand", "dtype"), OPERANDS)
def test_lane_and_at_are_inverse(ask, shape, operand, dtype):
    words = ["fragment", shape, operand, "--dtype", dtype, "--format", "json"]
    for lane in (0, 5, 31):
        held = json.loads(ask(*words, "--lane", str(lane)))
        assert {record["lane"] for record in held} == {lane}
        for record in held:
            assert json.loads(ask(*words, "--at", f"{record['row']},{record['col']}")) == [record]


WISHES = [
    ["fragment", "m16n8k16", "A"],
    ["fragment", "m16n8k16", "A", "--at", "0,9"],
    ["fragment", "m16n8k8", "C", "--dtype", "f32", "--lane", "5"],
    ["ldmatrix", "x4"],
    ["ldmatrix", "x1", "--trans", "--lane", "16"],
]


@pytest.mark.parametrize("wish", WISHES, ids=" ".join)
def test_every_format_says_the_same(ask, wish):
    table = json.loads(ask(*wish, "--format", "json"))
    texts = [["" if value is None else str(value) for value in record.values()] for record in table]
    dashed = [[text or "-" for text in line] for line in texts]
    fields = list(table[0])

    printed = ask(*wish, "--format", "csv")
    assert "\r" not in printed
    sheet = csv.DictReader(io.StringIO(printed))
    assert [list(record.values()) for record in sheet] == texts
    assert sheet.fieldnames == fields

    lines = ask(*wish, "--format", "md").splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert cells == [fields, ["---"] * len(fields), *dashed]

    caption, *lines = ask(*wish).splitlines()
    assert caption
    assert [line.split() for line in lines] == [fields, *dashed]
    assert len({len(line) for line in lines}) == 1


def test_the_running_element(ask):
    assert json.loads(ask("fragment", "m16n8k16", "A", "--at", "0,9", "--format", "json")) == [
        {"lane": 0, "reg": 2, "half": 1, "row": 0, "col": 9, "name": "a5"}
    ]


@pytest.mark.parametrize("trans", [False, True])
@pytest.mark.parametrize("num", [1, 2, 4])
def test_ldmatrix_tells_suppliers_from_receivers(ask, num, trans):
    row = lanes.ldmatrix_row(num, trans=trans)
    table = json.loads(ask("ldmatrix", f"x{num}", *["--trans"] * trans, "--format", "json"))
    assert [list(record) for record in table] == [LDMATRIX_FIELDS] * len(table)
    by_role = {role: [] for role in ("supplies", "ignored", "receives")}
    for record in table:
        by_role[record["role"]].append(record)
    assert [(r["lane"], (r["matrix"], r["row"])) for r in by_role["supplies"]] == [
        (lane, row.supplier(lane)) for lane in range(8 * num)
    ]
    assert [r["lane"] for r in by_role["ignored"]] == list(range(8 * num, 32))
    assert len(by_role["receives"]) == 64 * num
    for r in by_role["receives"]:
        assert row.receiver(r["matrix"], r["row"], r["col"]) == (r["lane"], r["reg"], r["half"])


def test_ldmatrix_of_one_lane(ask):
    table = json.loads(ask("ldmatrix", "x4", "--lane", "16", "--format", "json"))
    assert {record["lane"] for record in table} == {16}
    assert [record["role"] for record in table] == ["supplies", *["receives"] * 8]
    assert (table[0]["matrix"], table[0]["row"]) == (2, 0)


BAD = [
    ("", "{fragment,ldmatrix,view}"),
    ("frobnicate", "{fragment,ldmatrix,view}"),
    ("fragment", "{m16n8k16,m16n8k8} {A,B,C}"),
    ("fragment m8n8k4 A", "wanted one of m16n8k16, m16n8k8."),
    ("fragment m16n8k16 D", "wanted A, B or C."),
    ("fragment m16n8k16 a", "wanted A, B or C."),
    ("fragment m16n8k16 A --dtype fp8", "--dtype is 'fp8'; wanted one of f16, bf16, f32."),
    ("fragment m16n8k16 A --dtype float16", "--dtype is 'float16'; wanted one of f16, bf16, f32."),
    ("fragment m16n8k16 A --dtype f32", "A of m16n8k16 wants f16 or bf16."),
    ("fragment m16n8k8 B --dtype f32", "B of m16n8k8 wants f16 or bf16."),
    ("fragment m16n8k16 A --lane 32", "--lane is 32; wanted 0-31."),
    ("fragment m16n8k16 A --lane -1", "--lane is -1; wanted 0-31."),
    ("fragment m16n8k16 A --lane five", "--lane 0-31"),
    ("fragment m16n8k16 A --at 16,0", "row is 16; wanted 0-15."),
    ("fragment m16n8k16 B --at 0,8", "col is 8; wanted 0-7."),
    ("fragment m16n8k16 A --at=-1,0", "row is -1; wanted 0-15."),
    ("fragment m16n8k16 A --at -1,0", "--at ROW,COL"),
    ("fragment m16n8k16 A --at 5", "wanted ROW,COL"),
    ("fragment m16n8k16 A --at 1,2,3", "wanted ROW,COL"),
    ("fragment m16n8k16 A --at x,y", "wanted ROW,COL"),
    ("fragment m16n8k16 A --lane 0 --at 0,0", "--lane 0-31 | --at ROW,COL"),
    ("fragment m16n8k16 A --format xml", "{text,json,csv,md}"),
    ("fragment m16n8k16 A --trans", "{fragment,ldmatrix,view}"),
    ("fragment m16n8k16 A --la 3", "{fragment,ldmatrix,view}"),
    ("ldmatrix", "{x1,x2,x4}"),
    ("ldmatrix x3", "num is 'x3'; wanted x1, x2 or x4."),
    ("ldmatrix 4", "num is '4'; wanted x1, x2 or x4."),
    ("ldmatrix x4 --lane 99", "--lane is 99; wanted 0-31."),
]


@pytest.mark.parametrize(("words", "supported"), BAD)
def test_bad_input_is_one_line_that_names_what_is_supported(capsys, words, supported):
    assert main(words.split()) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert printed.err.endswith("\n")
    assert supported in printed.err


def test_a_line_break_in_an_argument_does_not_break_the_line(capsys):
    assert main(["fragment", "m16n8k16", "A", "--at", "0\n9"]) == 2
    assert main(["fragment", "m16n8k16", "A", "x\ny"]) == 2
    assert capsys.readouterr().err.count("\n") == 2


@pytest.mark.parametrize("words", ["--help", "fragment --help", "ldmatrix --help"])
def test_help_is_help(capsys, words):
    assert main(words.split()) == 0
    assert capsys.readouterr().out.startswith("usage: python -m lanes")


def test_the_module_runs_as_a_program():
    command = [sys.executable, "-W", "error", "-m", "lanes"]
    good = subprocess.run(
        [*command, *WISHES[1], "--format", "csv"], capture_output=True, text=True, check=False
    )
    assert (good.returncode, good.stderr) == (0, "")
    assert good.stdout == "lane,reg,half,row,col,name\n0,2,1,0,9,a5\n"
    bad = subprocess.run([*command, "ldmatrix", "x3"], capture_output=True, text=True, check=False)
    assert (bad.returncode, bad.stdout) == (2, "")
    assert bad.stderr == "num is 'x3'; wanted x1, x2 or x4.\n"


def test_a_reader_who_has_enough_gets_no_traceback():
    command = [sys.executable, "-W", "error", "-m", "lanes", "ldmatrix", "x4"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        program.stdout.close()
        assert program.stderr.read() == b""
        assert program.wait() == 0
