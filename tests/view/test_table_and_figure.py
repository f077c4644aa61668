"""The table of a scene, its picture, and `python -m lanes view`."""

import csv
import io
import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from itertools import chain

import matplotlib.image
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lanes.cli import main
from lanes.view import SCENES, as_csv, as_markdown, figure, ldmatrix_scene, table
from lanes.view.colours import lane_colour
from lanes.view.figure import runs, save

SCENE = ldmatrix_scene()


def test_the_table_has_a_line_for_every_cell_and_a_column_for_every_value():
    lines = table(SCENE.variant())
    head, rows = lines[0], lines[1:]
    assert len(rows) == 256 + 32 + 32 * 9
    record = dict(zip(head, next(row for row in rows if row[1] == "A(0,9)"), strict=True))
    wanted = {
        "pane": "A",
        "kind": "cell",
        "lane": "0",
        "reg": "2",
        "half": "1",
        "supplier": "16",
        "byte": "16",
    }
    assert wanted.items() <= record.items()
    assert record["receivers"] == ""


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@example([["", "\r"], ["a\r\nb", "\n"]])
@given(st.lists(st.lists(texts, min_size=2, max_size=2), min_size=1, max_size=4))
def test_csv_comes_back_through_a_reader(lines):
    """But for the apostrophe before what a spreadsheet would run, nothing changes. Carriage returns are quoted."""
    read = list(csv.reader(io.StringIO(as_csv(lines), newline="")))
    for got, field in zip(chain(*read), chain(*lines), strict=True):
        assert got in (field, f"'{field}")
        assert not got.startswith(("=", "@"))


def test_numbers_stay_numbers_and_formulas_do_not():
    assert as_csv([["-3", "+4.5e1", "-1+1", "=A1", "@x"]]) == "-3,+4.5e1,'-1+1,'=A1,'@x\n"
    assert (
        as_csv([["-inf", "-1_0", "-\N{ARABIC-INDIC DIGIT ONE}"]])
        == "'-inf,'-1_0,'-\N{ARABIC-INDIC DIGIT ONE}\n"
    )


def test_markdown_cells_cannot_break_out_of_their_column():
    assert as_markdown([["a"], ["x|y\nz"]]) == "| a |\n| --- |\n| x\\|y z |\n"


def inside(rectangle, cols):
    first, last = rectangle
    return {
        row * cols + col
        for row in range(first // cols, last // cols + 1)
        for col in range(first % cols, last % cols + 1)
    }


@given(st.sets(st.integers(0, 29), min_size=1), st.sampled_from([1, 3, 5, 10]))
def test_runs_cover_each_cell_once_and_nothing_else(places, cols):
    covered = [place for one in runs(sorted(places), cols) for place in inside(one, cols)]
    assert sorted(covered) == sorted(places)


@pytest.mark.parametrize("name", SCENES)
def test_a_picture_is_the_same_bytes_each_time_and_holds_the_texts(name):
    scene = SCENES[name]()
    variant = scene.variant()
    pictures = []
    for _ in range(2):
        picture = io.BytesIO()
        save(figure(scene, variant), picture, "svg")
        pictures.append(picture.getvalue())
    assert pictures[0] == pictures[1]
    root = ET.fromstring(pictures[0])
    written = {"".join(text.itertext()).strip() for text in root.iter("{http://www.w3.org/2000/svg}text")}
    small = [pane for pane in variant.panes if pane.cols <= 32]
    assert {str(cell["text"]) for pane in small for cell in pane.cells if cell.get("text")} <= written
    assert not list(root.iter("{http://www.w3.org/2000/svg}script"))


def test_the_picture_shows_lane_colours(tmp_path):
    """In x4 .trans the first row of the tile is on lanes 0, 4, 8, ...: eight hues, and so are its pixels."""
    save(figure(SCENE, SCENE.variant("x4", ".trans", "dense")), tmp_path / "scene.png", "png")
    pixels = matplotlib.image.imread(tmp_path / "scene.png")
    found = {tuple(round(255 * v) for v in pixel) for pixel in pixels[:, :, :3].reshape(-1, 3)[::7].tolist()}
    for lane in range(32):
        colour = lane_colour(lane)
        assert tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5)) in found, lane


def test_view_prints_the_table_that_the_library_makes(capsys):
    assert main(["view", "ldmatrix", "--variant", "x2,.trans,padded", "--format", "csv"]) == 0
    printed = capsys.readouterr().out
    assert printed == as_csv(table(SCENE.variant("x2", ".trans", "padded")))


def test_view_prints_the_whole_scene_as_json(capsys):
    assert main(["view", "mma", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == SCENES["mma"]().data


def test_view_writes_a_picture_of_the_selected_cell(tmp_path, capsys):
    target = tmp_path / "a b.svg"
    command = ["view", "ldmatrix", "--select", "A(3,3)", "--output", str(target)]
    assert main(command) == 0
    assert capsys.readouterr().out == f"wrote {target}\n"
    assert "A(3,3) sits in the row" in target.read_text()
    assert [file.name for file in tmp_path.iterdir()] == ["a b.svg"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["view", "ldmatrx"], f"scene is 'ldmatrx'; wanted one of {', '.join(SCENES)}."),
        (["view", "mma", "--variant", "m8n8k4,f16"], "--variant is 'm8n8k4,f16'; wanted one of m16n8k16,f16"),
        (["view", "mma", "--select", "C(99,0)"], "no cell is called 'C(99,0)'; names look like A(0,0)"),
        (["view", "mma", "--format", "gif"], "--format is 'gif'; wanted one of svg, png"),
        (["view", "mma", "--format", "png"], "--format png wants --output FILE."),
        (
            ["view", "mma", "--output", "/no/such/folder/x.svg"],
            "--output /no/such/folder/x.svg: wanted a file in",
        ),
    ],
)
def test_view_refuses_in_one_sentence(words, sentence, capsys):
    assert main(words) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert sentence in printed.err
    assert printed.err.count("\n") == 1


def test_view_leaves_an_old_picture_alone_when_it_fails(tmp_path, capsys):
    target = tmp_path / "old.svg"
    target.write_text("old")
    assert main(["view", "mma", "--select", "nothing", "--output", str(target)]) == 2
    assert target.read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 1


def test_the_tables_of_fragments_need_neither_matplotlib_nor_anywidget():
    code = (
        "import sys; sys.modules['matplotlib'] = sys.modules['anywidget'] = None; from lanes.cli import main; "
        "assert main(['fragment', 'm16n8k16', 'A', '--lane', '0']) == 0; sys.exit(main(['view', 'mma']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "view needs the package matplotlib, which is not installed.\n"
