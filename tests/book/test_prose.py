"""The prose: commands that exist, words that belong, cells that are short."""

import re
import shlex
import statistics
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from bs4 import BeautifulSoup

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = sorted((ROOT / "book").glob("*.md"))
PROSE = [*CHAPTERS, *sorted(ROOT.glob("*.md"))]

# The only hosts that a reader is sent to.
HOSTS = {"creativecommons.org", "docs.nvidia.com", "keepachangelog.com", "semver.org", "docs.python.org"}
HOST = re.compile(r"\b((?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|ai))\b")
STRANGE = re.compile(
    r"/(?:home|root|tmp|work|mnt)/|\bissue\s+#?\d|(?<![\w&(])#\d+\b|\bsessions?\b|\bTODO\b|\bFIXME\b|\bblazing|\bseamless",
    re.IGNORECASE,
)


@pytest.mark.parametrize("file", PROSE, ids=lambda file: file.name)
def test_words(file: Path) -> None:
    text = file.read_text()
    assert STRANGE.findall(text) == []
    assert set(HOST.findall(text)) - HOSTS == set()


def commands(file: Path) -> list[str]:
    """Lines of the shell blocks, and inline code that runs a module or a script."""
    text = file.read_text()
    blocks = re.findall(r"```(?:bash|sh|console)\n(.*?)```", text, re.DOTALL)
    lines = [line.partition("#")[0].strip() for block in blocks for line in block.splitlines()]
    inline = re.findall(r"`((?:python -m|\./ci/)[^`]*)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    return [line for line in lines + inline if line]


@pytest.mark.parametrize("file", PROSE, ids=lambda file: file.name)
def test_scripts_and_modules_in_the_prose_exist(file: Path) -> None:
    for line in commands(file):
        words = shlex.split(line)
        if words[0].startswith("./"):
            assert (ROOT / words[0]).is_file(), line
        elif words[:2] == ["python", "-m"]:
            assert (ROOT / words[2] / "__main__.py").is_file(), line


def runnable() -> list[str]:
    found = {line for file in PROSE for line in commands(file) if line.startswith("python -m ")}
    return sorted(line for line in found if len(line.split()) > 3)


@pytest.mark.parametrize("line", runnable())
def test_commands_in_the_prose_run(line: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, *shlex.split(line)[1:]], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout


def cells(file: Path) -> list[str]:
    """The code of each cell, without its options."""
    bodies = re.findall(r"^```{code-cell}[^\n]*\n(.*?)^```", file.read_text(), re.DOTALL | re.MULTILINE)
    return [
        re.sub(r"\A(?::[^\n]*\n)+|\A---\n.*?\n---\n", "", body, flags=re.DOTALL).strip() for body in bodies
    ]


@pytest.mark.parametrize("file", CHAPTERS, ids=lambda file: file.name)
def test_cells_are_short(file: Path) -> None:
    lengths = [body.count("\n") + 1 for body in cells(file)]
    assert all(length <= 30 for length in lengths), lengths
    if lengths:
        assert statistics.median(lengths) <= 10, lengths


@pytest.mark.parametrize("file", CHAPTERS, ids=lambda file: file.name)
def test_cells_bind_each_name_once(file: Path) -> None:
    """A reader who runs one cell again must not find that another has taken its names."""
    seen: dict[str, int] = {}
    for number, body in enumerate(cells(file)):
        for name in set(re.findall(r"^(\w+(?:, \w+)*) = ", body, re.MULTILINE)):
            for one in name.split(", "):
                assert seen.setdefault(one, number) == number, (
                    f"{one} is bound in cells {seen[one]} and {number}"
                )


@pytest.mark.parametrize("file", CHAPTERS, ids=lambda file: file.name)
def test_chapters_excerpt_code_that_is_there(file: Path) -> None:
    """Every marker of an excerpt is in its file: told here at once, before the build tells it."""
    for block in re.findall(r"```{literalinclude} (\S+)\n(.*?)```", file.read_text(), re.DOTALL):
        source = (file.parent / block[0]).resolve()
        assert source.is_file(), source.name
        for marker in re.findall(r"^:(?:start|end)-\w+: (.+)$", block[1], re.MULTILINE):
            text = yaml.safe_load(marker) if marker.startswith('"') else marker
            assert text in source.read_text(), f"{source.name} has no {text}"


@pytest.mark.parametrize(
    ("source", "first", "last"),
    [
        ("hgemm/reference.py", "s_a = cuda.shared.array", "    return hgemm_reference"),
        ("baseline/reference.cu", "__shared__ alignas(16) half s_a", None),
    ],
)
def test_chapter_7_leaves_no_line_of_the_kernel_out(
    site: Path, source: str, first: str, last: str | None
) -> None:
    """Between the first excerpt and the last, a line that no excerpt shows would be a hole in the kernel."""
    text = (ROOT / "kernels" / source).read_text()
    body = text[text.index(first) : text.index(last) if last else None]
    page = BeautifulSoup((site / "book" / "07-the-whole-kernel.html").read_text(), "html.parser")
    shown = {
        line.strip()
        for listing in page.select(".sd-tab-content pre")
        for line in listing.get_text().split("\n")
    }
    assert [line for line in body.splitlines() if line.strip() not in shown and line.strip()] == []
