"""A live notebook: Python and the page keep each other's traits, in JupyterLab or in the front end of ipywidgets 7.

Which one is what this environment has: `.venv` has JupyterLab and ipywidgets 8, `.venv-colab` has the classic notebook
and ipywidgets 7, as Colab.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lanes.catalog import fragment, ldmatrix_row

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ROOT = Path(__file__).resolve().parents[2]
LAB = importlib.util.find_spec("jupyterlab") is not None
WAIT_S = 60
CELLS = [
    "import ipywidgets\nfrom lanes.view import LaneView, ldmatrix_scene\n"
    "view = LaneView(ldmatrix_scene(), selection='A(0,9)')\nview",
    "slider = ipywidgets.IntSlider(max=4, description='step')\n"
    "ipywidgets.jslink((slider, 'value'), (view, 'step'))\nslider",
    "print('python has', view.selection, view.variant, view.step, ipywidgets.__version__)",
    "view.selection = 'lane 7'",
    "view.variant = ['x2', '.trans', 'padded']",
    "view",
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Jupyter server of this environment, with one notebook, apart from the reader's own settings."""
    folder = tmp_path_factory.mktemp("jupyter")
    (folder / "files").mkdir()
    (folder / "files" / "scenes.ipynb").write_text(json.dumps(notebook()))
    names = {"CONFIG_DIR": "config", "DATA_DIR": "data", "RUNTIME_DIR": "runtime"}
    env = os.environ | {f"JUPYTER_{name}": str(folder / where) for name, where in names.items()}
    env |= {"IPYTHONDIR": str(folder / "ipython"), "JUPYTER_PREFER_ENV_PATH": "1", "PYTHONPATH": str(ROOT)}
    # The kernel shows what a reader sees, whatever this process makes of warnings.
    env.pop("PYTHONWARNINGS", None)
    command = [sys.executable, "-m", "jupyterlab" if LAB else "nbclassic", "--no-browser", "--allow-root"]
    command += [
        "--ip=127.0.0.1",
        "--port=0",
        "--IdentityProvider.token=",
        f"--ServerApp.root_dir={folder / 'files'}",
    ]
    if LAB:
        command += ["--LabApp.expose_app_in_browser=True", "--LabApp.news_url="]
    log = folder / "log"
    with log.open("w") as writes:
        process = subprocess.Popen(command, env=env, stdout=writes, stderr=subprocess.STDOUT)
    try:
        yield address(process, log)
    finally:
        process.terminate()
        process.wait(20)


def notebook() -> dict[str, Any]:
    blank = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    cells = [blank | {"id": f"cell-{at}", "source": source} for at, source in enumerate(CELLS)]
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def address(process: subprocess.Popen[bytes], log: Path) -> str:
    end = time.monotonic() + WAIT_S
    while time.monotonic() < end and process.poll() is None:
        if found := re.search(r"http://127\.0\.0\.1:\d+", log.read_text()):
            return found[0]
        time.sleep(0.1)
    pytest.fail(f"Jupyter did not start:\n{log.read_text()[-2000:]}")


@pytest.fixture
def live(server: str, chromium: Any) -> Iterator[Any]:
    """The notebook in a browser, with its kernel ready: the page, and a function that runs cells by number.

    Errors of the page and requests to other hosts fail the test; the front ends' own chatter does not.
    """
    context = chromium.new_context(viewport={"width": 1400, "height": 1000})
    page = context.new_page()
    page.set_default_timeout(1000 * WAIT_S)
    heard: list[str] = []
    page.on("pageerror", lambda error: heard.append(f"error: {error}"))
    page.on("console", lambda said: said.type == "error" and heard.append(said.text))
    context.route(
        lambda to: not re.match(r"https?://127\.0\.0\.1:|data:|blob:", to), lambda route: route.abort()
    )
    page.on("requestfailed", lambda asked: heard.append(f"failed: {asked.url}"))
    page.goto(server + ("/lab/tree/scenes.ipynb?reset" if LAB else "/notebooks/scenes.ipynb"))
    page.wait_for_function(
        "window.jupyterapp?.shell?.currentWidget?.sessionContext" if LAB else CLASSIC_READY
    )
    page.evaluate(LAB_READY if LAB else "Jupyter.WidgetManager._managers[0]._loadFromKernel()")

    def run(*cells: int) -> None:
        for cell in cells:
            page.evaluate(LAB_RUN if LAB else "(at) => Jupyter.notebook.execute_cells([at])", cell)

    yield page, run
    context.close()
    assert heard == []


def test_python_and_the_page_have_the_same_traits(live: Any) -> None:
    page, run = live
    tile, load = fragment("m16n8k16", "A"), ldmatrix_row(4)

    def received(row: int, col: int) -> tuple[int, int]:
        """The lane that receives A(row,col), and the cell of the register half: nine cells a lane."""
        matrix = tile.blocks.index((row // 8 * 8, col // 8 * 8))
        lane, reg, half = load.receiver(matrix, row % 8, col % 8)
        return lane, 9 * lane + 1 + 2 * reg + half

    def python_has(*words: str) -> None:
        """Run the cell that prints the traits until it prints these words: messages take a moment."""
        end = time.monotonic() + 10
        while time.monotonic() < end:
            run(2)
            page.wait_for_timeout(300)
            said = page.evaluate("document.body.innerText").rpartition("python has")[2].partition("\n")[0]
            if all(word in said for word in words):
                return
        pytest.fail(f"Python has {said}, not {words}")

    def page_has(name: str) -> None:
        page.wait_for_function(
            "(name) => [...document.querySelectorAll('.lanes-view')].every((view) => "
            "view.querySelector('[aria-selected=true]')?.getAttribute('aria-label').startsWith(name))",
            arg=name,
        )

    run(0, 1)
    page.wait_for_selector(".lanes-view")
    page.wait_for_timeout(500)
    assert page.locator(".lanes-view").count() == 1
    assert page.locator(".lanes-mount").count() == 0, "the static form stands beside the live one"

    # The mouse shows; it does not select.
    memory, registers = (page.locator(".lanes-pane").nth(at) for at in range(2))
    memory.locator('[data-cell="29"]').hover()  # A(1,9): line 1, behind two badges
    lane, cell = received(1, 9)
    assert f"lane {lane} receives" in page.locator(".lanes-said").inner_text().lower()
    python_has("A(0,9)", "'x4'", "0", " 8." if LAB else " 7.7.")

    # The page selects, and Python knows.
    registers.locator(f'[data-cell="{cell}"]').click()
    python_has(f"lane {lane}, reg")

    # Python selects, and the page follows; then Python changes the variant, and the selection is still there.
    run(3)
    page_has("lane 7")
    run(4)
    page.wait_for_function("document.querySelector('[role=radio][aria-checked=true]').textContent === 'x2'")
    page_has("lane 7")
    python_has("lane 7", "['x2', '.trans', 'padded']")

    # A button of the page changes Python's variant.
    page.get_by_role("radio", name="x4").click()
    python_has("['x4', '.trans', 'padded']")

    # A slider of ipywidgets moves the steps.
    handle = page.locator(".noUi-handle, .ui-slider-handle").first
    handle.focus()
    handle.press("ArrowRight")
    page.wait_for_function("document.querySelector('.lanes-step').textContent.startsWith('step 1')")
    python_has("'padded'] 1")

    # A second view of the same model follows the first.
    run(5)
    page.wait_for_function("document.querySelectorAll('.lanes-view').length === 2")
    page.locator(".lanes-view").last.locator('.lanes-pane:last-child [data-cell="0"]').click()
    page_has("lane 0")
    python_has("lane 0 ")


CLASSIC_READY = (
    "window.Jupyter?.notebook?.kernel?.is_connected() && Jupyter.WidgetManager?._managers.length > 0"
)
LAB_READY = """async () => {
  const panel = jupyterapp.shell.currentWidget;
  await panel.context.ready;
  await panel.sessionContext.ready;
  await panel.sessionContext.session.kernel.info;
  await panel.revealed;
}"""
LAB_RUN = """async (at) => {
  jupyterapp.shell.currentWidget.content.activeCellIndex = at;
  await jupyterapp.commands.execute("notebook:run-cell");
}"""
