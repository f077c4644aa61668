"""A scene is checked when it is made, and its data is plain."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanes import view
from lanes.view.limits import LIMITS
from lanes.view.pane import NOTHING, Pane
from lanes.view.pool import Pool
from lanes.view.scene import Control, Link, Scene, Slider, Variant, linked
from lanes.view.text import filled, places, words

TWO = Control("n", "n", ("x", "y"))
CELL = {"kind": "cell", "text": "7", "row": 0}


def pane(name="A", cells=(CELL,), **changes):
    form = {"rows": 1, "cols": len(cells), "names": {"cell": name + "({row})"}} | changes
    return Pane(name, "a tile", cells=list(cells), **form)


def variant(*panes, choice=(), links=(), start="A(0)", **changes):
    return Variant(choice, panes or (pane(),), tuple(links), start, **changes)


def test_a_right_scene_is_made():
    scene = Scene("one", "One", "", (), (variant(),), ())
    assert scene.variant().find("A(0)") == (scene.variants[0].panes[0], CELL)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"rows": 2}, "has 1 cells; wanted 2 x 1"),
        ({"cells": [{"kind": "disc", "row": 0}]}, "kind 'disc'"),
        ({"cells": [{"kind": "badge", "row": 0}]}, "cannot name its cell"),
        ({"cells": [{"kind": "cell"}]}, "cannot name its cell"),
        ({"sentences": {"cell": "{col}"}}, "cannot name its cell"),
        ({"cells": [CELL | {"x": float("nan")}]}, "not plain"),
        ({"cells": [CELL | {"x": True}]}, "not plain"),
        ({"cells": [CELL | {"x": {"a": 1}}]}, "not plain"),
        ({"cells": [CELL | {"x": [[1]]}]}, "not plain"),
        ({"cells": [CELL | {"x": 2**53}]}, "not plain"),
        ({"row_heads": ("0", "1")}, "2 heads"),
        ({"colour": "lane"}, "coloured by lane"),
        ({"frames": ((0, 0, 2, 1, "warp 0"),)}, "a frame, warp 0"),
        ({"frames": ((-1, 0, 1, 1, "warp 0"),)}, "a frame, warp 0"),
        ({"row_gaps": (2,)}, "a gap"),
        ({"col_heads": ("0", "1")}, "2 heads"),
    ],
)
def test_a_wrong_pane_is_refused(changes, sentence):
    with pytest.raises(ValueError, match="^pane A .*" + re.escape(sentence)):
        pane(**changes)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Link("A", "A", "row", "loves"), "style is 'loves'"),
        (lambda: variant(pane(), pane()), "one name"),
        (lambda: variant(pane(), pane("B", names={"cell": "A({row})"})), "one name"),
        (lambda: variant(pane(cells=[CELL, CELL])), "one name"),
        (lambda: variant(start="A(1)"), "no cell of it"),
        (lambda: variant(links=[Link("A", "B", "row", "same")]), "column row of pane B"),
        (lambda: variant(links=[Link("A", "A", ("row", "col"), "same")]), "column col of pane A"),
        (lambda: variant(slider=Slider("lane", "lane", "B", (0,))), "pane B is not there"),
        (lambda: Scene("A b", "", "", (), (variant(),), ()), "name is 'A b'"),
        (lambda: Scene("a", "", "", (), (), ()), "combinations"),
        (
            lambda: Scene("a", "", "", (Control("n", "n", ("x", "y")),), (variant(choice=("x",)),), ("x",)),
            "combinations",
        ),
        (lambda: Scene("a", "", "", (), (variant(),), ("x",)), "combinations"),
        (lambda: Scene("a", "", "", (), (variant(),), ()).variant("x4"), "a has no variant x4"),
        (lambda: Scene("a", "", "", (TWO, TWO), (), ()), "one name"),
        (lambda: Control("n", "n", ()), "its options"),
        (lambda: Control("n", "n", ("x",), {"sm_75": "y"}), "its options"),
        (lambda: variant(slider=Slider("lane", "lane", "A", (1,))), "cells of pane A"),
        (lambda: variant(slider=Slider("lane", "lane", "A", ())), "cells of pane A"),
        (lambda: pane(note="x" * 4001), "characters of pane A: 4001; a scene may have 4000 at most."),
        (
            lambda: pane(cells=[CELL | {"text": "\N{GRINNING FACE}" * 21}]),
            "a cell of pane A: 42; a scene may have 40",
        ),
        (lambda: pane(cells=[CELL] * 1025), "cols of pane A: 1025"),
        (lambda: pane(cells=[CELL | {str(n): 1 for n in range(65)}]), "columns of pane A: 66"),
        (lambda: variant().find("Z(9)"), "no cell is called 'Z(9)'; names look like A(0)"),
    ],
)
def test_what_is_not_there_is_one_sentence(make, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)) as refusal:
        make()
    assert "\n" not in str(refusal.value)


def test_the_widget_has_the_same_limits():
    script = (Path(view.__file__).parent / "js" / "checks.js").read_text()
    block = script.partition("export const LIMITS = {")[2].partition("}")[0]
    assert {name: int(number) for name, number in re.findall(r"(\w+): (\d+)", block)} == LIMITS


def test_a_list_is_a_set_and_none_matches_nothing():
    cells = [
        {"kind": "cell", "row": n, "on": value} for n, value in enumerate([[1, 2], [2, 3], 3, None, None])
    ]
    one = variant(pane(cells=cells), links=linked(["A"], "on", "meets"))
    lit = [one.lit(f"A({n})").get("meets", []) for n in range(5)]
    assert lit == [["A(0)", "A(1)"], ["A(0)", "A(1)", "A(2)"], ["A(1)", "A(2)"], [], []]


def test_what_cannot_be_selected_has_no_name():
    assert pane(cells=[CELL, NOTHING, {"kind": "pad", "text": "+8"}]).cell_names == ["A(0)", "", ""]


values = st.one_of(
    st.none(), st.integers(-9, 9), st.text(max_size=3), st.lists(st.integers(0, 3), max_size=2)
)


@given(st.lists(st.lists(values, min_size=1, max_size=9), min_size=1, max_size=5))
def test_the_pool_gives_every_column_back(columns):
    """Unpacking is what the widget does: of[at], or of[0] for all where at is 0."""
    pool = Pool()
    numbers = [pool.add(column) for column in columns]
    stored = json.loads(json.dumps(pool.columns))
    for number, column in zip(numbers, columns, strict=True):
        packed = stored[number]
        if isinstance(packed, dict):
            at = [0] * len(column) if packed["at"] == 0 else packed["at"]
            packed = [packed["of"][place] for place in at]
        assert packed == column


@given(st.text())
def test_a_value_never_becomes_a_mark_or_a_place(value):
    assert filled("**{a}** `{b}`", {"a": value, "b": 1}) == f"{value} 1"


def test_places_and_words():
    assert places("`A({row},{col})` on **{lane}**") == {"row", "col", "lane"}
    assert [words(value) for value in (None, 0, "a", [1, 2], [])] == ["-", "0", "a", "1, 2", ""]
