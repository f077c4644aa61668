"""LaneView in Python: its traits, what it refuses, and the static form that a page is made of."""

import json
import re
import sys
import types

import ipywidgets
import pytest
import traitlets
from bs4 import BeautifulSoup

from lanes.view import LaneView, ldmatrix_scene, mma_scene
from lanes.view.mount import mount
from lanes.view.pane import Pane
from lanes.view.scene import Scene, Variant

SCENE = ldmatrix_scene()
HOSTILE = "</div><script>alert(1)</script>\"'&<img src=x onerror=alert(2)>"


def page_of(view):
    data, _ = view._repr_mimebundle_()
    return BeautifulSoup(data["text/html"], "html.parser")


def test_a_view_starts_where_it_is_told():
    view = LaneView(SCENE, variant=("x2", ".trans", "padded"), selection="lane 7", step=1, group="g")
    assert (view.variant, view.selection, view.step, view.group) == (
        ["x2", ".trans", "padded"],
        "lane 7",
        1,
        "g",
    )
    assert view.scene == SCENE.data


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"variant": ("x3", "plain", "dense")}, "no variant x3.plain.dense"),
        ({"selection": "A(99,0)"}, "no cell is called 'A(99,0)'"),
        ({"step": 5}, "step is 5; wanted 0-4."),
        ({"step": -1}, "step is -1"),
    ],
)
def test_a_wrong_start_is_one_sentence(options, sentence):
    with pytest.raises((ValueError, traitlets.TraitError), match=re.escape(sentence)):
        LaneView(SCENE, **options)


@pytest.mark.parametrize("variant", [5, None, "x4"])
def test_a_variant_that_is_no_list_is_refused(variant):
    with pytest.raises(TypeError, match="wanted one option for each control"):
        LaneView(SCENE, variant=variant)


def test_a_step_is_one_of_the_variant_that_is_shown():
    with pytest.raises(traitlets.TraitError, match="step is 4; wanted 0-2"):
        LaneView(SCENE, variant=("x2", "plain", "dense"), step=4)
    view = LaneView(SCENE, step=4)
    view.variant = ["x2", "plain", "dense"]
    assert view.step == 2


def test_something_else_than_a_scene_is_refused():
    with pytest.raises(TypeError, match="scene is a dict; wanted a Scene"):
        LaneView(SCENE.data)


def test_traits_refuse_what_the_scene_lacks_and_stay():
    view = LaneView(SCENE)
    for name, value in (("selection", "Z(1)"), ("variant", ["x9"]), ("step", 9)):
        before = getattr(view, name)
        with pytest.raises((ValueError, traitlets.TraitError)):
            setattr(view, name, value)
        assert getattr(view, name) == before
    with pytest.raises(traitlets.TraitError):
        view.scene = {}


def test_a_selection_outlives_a_change_of_variant_if_it_can():
    view = LaneView(SCENE, selection="A(9,3)")
    view.variant = ["x2", "plain", "dense"]
    assert view.selection == "A(9,3)"
    view.variant = ["x1", "plain", "dense"]
    assert view.selection == "A(1,1)"


def test_views_and_sliders_of_ipywidgets_link():
    one, other = LaneView(SCENE), LaneView(SCENE)
    slider = ipywidgets.IntSlider(min=0, max=4)
    traitlets.link((one, "selection"), (other, "selection"))
    traitlets.link((slider, "value"), (one, "step"))
    one.selection, slider.value = "lane 3", 2
    assert (other.selection, one.step) == ("lane 3", 2)


def test_the_static_form_holds_the_scene_the_state_and_a_readable_table():
    found = page_of(LaneView(SCENE, selection="lane 7", group="g")).select_one(".lanes-mount")
    assert json.loads(found["data-scene"]) == SCENE.data
    assert json.loads(found["data-state"]) == {
        "variant": ["x4", "plain", "dense"],
        "selection": "lane 7",
        "step": 0,
        "group": "g",
    }
    tables = found.select(".lanes-fallback table")
    assert [len(one.select("tr")[1:]) for one in tables] == [16, 32]
    assert [len(line.select("td")) for one in tables for line in one.select("tr")[1:]] == [18] * 16 + [9] * 32
    assert not [head for head in found.select("th") if not head.get_text()]
    first_row = [cell.get_text() for cell in tables[0].select("tr")[1].select("td")]
    assert first_row == [
        "0",
        "0",
        "0",
        "1",
        "1",
        "2",
        "2",
        "3",
        "3",
        "16",
        "0",
        "0",
        "1",
        "1",
        "2",
        "2",
        "3",
        "3",
    ]


def test_each_view_has_an_id_of_its_own_and_no_random_one():
    ids = [page_of(LaneView(mma_scene())).select_one(".lanes-mount")["id"] for _ in range(2)]
    number = int(ids[0].rpartition("-")[2])
    assert ids == [f"lanes-mma-{number}", f"lanes-mma-{number + 1}"]
    view = LaneView(mma_scene())
    assert view.model_id not in str(page_of(view))


def test_nothing_of_a_scene_becomes_markup():
    cells = [{"kind": "cell", "text": HOSTILE[:40], "x": HOSTILE}]
    pane = Pane(
        HOSTILE,
        HOSTILE,
        1,
        1,
        cells,
        {"cell": "{x}"},
        {"cell": HOSTILE},
        HOSTILE,
        row_heads=(HOSTILE,),
        col_heads=(HOSTILE,),
    )
    scene = Scene("x", HOSTILE, HOSTILE, (), (Variant((), (pane,), (), HOSTILE),), ())
    soup = BeautifulSoup(mount(scene, scene.variant(), {"selection": HOSTILE}, HOSTILE), "html.parser")
    assert {tag.name for tag in soup.find_all(True)} == {
        "div", "figure", "figcaption", "p", "strong", "table", "caption", "tr", "th", "td",
    }  # fmt: skip
    assert all(
        set(tag.attrs) <= {"class", "id", "data-scene", "data-state", "tabindex", "aria-label"}
        for tag in soup.find_all(True)
    )
    assert json.loads(soup.div["data-scene"]) == scene.data


def test_colab_gets_the_live_form_alone(monkeypatch):
    monkeypatch.setitem(sys.modules, "google.colab", types.ModuleType("google.colab"))
    data, _ = LaneView.__base__._repr_mimebundle_(view := LaneView(mma_scene()))
    assert set(view._repr_mimebundle_()[0]) == set(data)


def test_it_shows_itself_in_words():
    assert repr(LaneView(mma_scene())) == "LaneView('mma', variant=['m16n8k16', 'f16'], selection='C(3,5)')"
