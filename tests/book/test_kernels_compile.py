"""What runs in the simulator also compiles: a page built without a GPU must not break on one."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "tests" / "book" / "compile_kernels.py"


def python(word: str, chapter: str, given: str = "") -> str:
    command = [sys.executable, str(SCRIPT), word, str(ROOT / f"{chapter}.md")]
    environment = os.environ | {"LANES_BACKEND": "simulator"}
    if word == "compile":
        del environment["LANES_BACKEND"]
    done = subprocess.run(
        command, cwd=ROOT / "book", input=given, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_kernels_of_the_cells_compile_for_every_architecture(chapter: str) -> None:
    names = set(re.findall(r"cuda\.jit\((\w+)\)", (ROOT / f"{chapter}.md").read_text()))
    compiled = python("compile", chapter, python("run", chapter)) if names else ""
    assert set(compiled.split()) == names
