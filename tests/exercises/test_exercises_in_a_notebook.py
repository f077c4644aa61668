"""A reader's notebook: functions in cells, names of other cells, and the notebook is alive after any of them."""

import nbformat
import pytest
from nbclient import NotebookClient

from exercises import EXERCISES

CELLS = [
    "import os\nimport numpy as np\nfrom exercises import check\nHALF = 8",
    "def left(lane):\n    return np.int64(lane) % 16",
    "def supplied_row(lane):\n    return left(lane), lane // 16 * HALF",
    'check("supplied-row", supplied_row)',
    "def supplied_row(lane):\n    whole = left(lane)\n    return lane / 0, whole",
    'check("supplied-row", supplied_row)',
    'check("supplied-row", lambda lane: os._exit(1))',
    EXERCISES["load-padded"].solution,
    'check("load-padded", load_padded)',
    'assert check("load-padded", load_padded).passed',
    EXERCISES["load-padded"].stub,
    'check("load-padded", load_padded)',
]


@pytest.fixture(scope="module")
def shown():
    """The text of what each cell shows, and its Markdown."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    outputs = [cell.outputs for cell in notebook.cells]
    assert [output.output_type for cell in outputs for output in cell] == ["execute_result"] * 5
    return [cell[0].data for cell in outputs if cell]


def test_a_cells_function_passes_with_what_it_uses_from_other_cells(shown):
    assert shown[0]["text/plain"].startswith("supplied-row: passed.")
    assert shown[0]["text/markdown"].startswith("**supplied&#45;row: passed.**")


def test_an_exception_shows_the_line_of_the_cell(shown):
    assert shown[1]["text/plain"].endswith("That was in line 3: return lane / 0, whole")


def test_the_notebook_lives_on_after_an_answer_that_ends_its_process(shown):
    assert "ended its process with code 1" in shown[2]["text/plain"]
    assert shown[3]["text/plain"].startswith("load-padded: passed.")
    assert shown[4]["text/plain"].startswith("load-padded: not yet (one-address).")
