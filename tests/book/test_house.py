"""The repository's house: scripts, pins, licences, citation and the laws of imports."""

import ast
import json
import re
import stat
import subprocess
import sys
import tomllib
from datetime import date
from importlib.metadata import version
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = [*sorted((ROOT / "ci").glob("*.sh")), ROOT / ".ci" / "run"]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def bash(script: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a line of bash with the setup functions, and an environment that holds only PATH and what is given."""
    environment = {"PATH": "/usr/bin:/bin", "HOME": "/nowhere", **environment}
    command = ["bash", "-c", f"set -euo pipefail; source ci/setup.sh; {script}"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=environment, check=False)


def pins(name: str) -> dict[str, str]:
    """Package and exact version of every line of a requirements file; a line of another form fails."""
    found = {}
    for line in (ROOT / name).read_text().splitlines():
        line = line.partition("#")[0].strip()
        if line and not line.startswith("-c "):
            exact = re.fullmatch(r"([\w.-]+)(?:\[\w+\])?==([\w.]+)", line)
            assert exact, f"{name}: {line} is not an exact pin"
            found[exact[1].lower().replace("_", "-")] = exact[2]
    return found


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_scripts_pass_shellcheck(script: Path) -> None:
    shellcheck = Path(sys.executable).parent / "shellcheck"
    checked = subprocess.run(
        [shellcheck, "--external-sources", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout
    if script.name != "setup.sh":
        assert script.stat().st_mode & stat.S_IXUSR, "not executable"


def test_python_is_found_behind_a_shim_that_answers_no(tmp_path: Path) -> None:
    """A version manager's python3.12 can be on the PATH and end with an error."""
    shim = tmp_path / "python3"
    shim.write_text("#!/bin/sh\necho 'python3: command not found' >&2\nexit 127\n")
    shim.chmod(0o755)
    real = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    (tmp_path / real).symlink_to(sys._base_executable)  # type: ignore[attr-defined]
    found = bash("find_python", PATH=f"{tmp_path}:/usr/bin:/bin", PYENV_ROOT="/nowhere")
    assert found.returncode == 0, found.stderr
    path = Path(found.stdout.strip())
    assert path.is_absolute()
    assert subprocess.run([path, "-c", ""], check=False).returncode == 0


@pytest.mark.parametrize(
    ("call", "environment", "sentence"),
    [
        ("find_python 3.99", {}, "None of the Pythons 3.99"),
        ("find_python", {"PYTHON": "/bin/false"}, "PYTHON is /bin/false"),
    ],
)
def test_a_missing_python_is_one_sentence(call: str, environment: dict[str, str], sentence: str) -> None:
    done = bash(call, **environment)
    assert done.returncode == 1
    assert done.stdout == ""
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_missing_chromium_fails_with_one_sentence() -> None:
    """Without root nothing is installed, and nothing is skipped."""
    done = bash("id() { echo 1000; }; find_chromium() { return 1; }; need_chromium")
    assert done.returncode == 1
    assert done.stderr.startswith("Chromium was not found: install it")
    assert done.stderr.count("\n") == 1


def test_setup_installs_again_only_after_a_change(tmp_path: Path) -> None:
    """The second run of make_environment installs nothing; a changed requirements file makes it install."""
    wanted = tmp_path / "requirements.txt"
    wanted.write_text("# nothing\n")
    environment = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    # In place of pip: say that it was called.
    pip = (
        environment
        / "lib"
        / f"python{sys.version_info[0]}.{sys.version_info[1]}"
        / "site-packages"
        / "pip.py"
    )
    pip.write_text("print('pip was called')\n")
    call = f"make_environment {environment} {wanted}"
    assert "pip was called" in bash(call).stdout
    assert bash(call).stdout == ""
    wanted.write_text("# something\n")
    assert "pip was called" in bash(call).stdout


def test_every_requirement_is_exact_installed_and_explained() -> None:
    direct, locked = pins("requirements.txt"), pins("ci/lock.txt")
    section = (ROOT / "CONTRIBUTING.md").read_text().partition("## Dependencies")[2]
    explained = re.findall(r"^- `([\w-]+)`: \S", section, re.MULTILINE)
    assert sorted(name.replace("_", "-") for name in explained) == sorted(direct)
    different = {name: locked[name] for name in direct.keys() & locked.keys() if locked[name] != direct[name]}
    assert different == {}
    installed = {name: version(name) for name in direct}
    assert installed == direct


def test_colab_pins_are_exact() -> None:
    assert pins("ci/colab.txt")["numba-cuda"] == "0.22.2"


def test_every_part_of_the_newer_toolkit_is_taken_away_for_older_drivers() -> None:
    """A part that stays would be loaded in place of its CUDA 12 twin. The disassembler is a program, not loaded."""
    parts = {name for name in pins("ci/lock.txt") if name.startswith("nvidia-")} - {"nvidia-cuda-nvdisasm"}
    script = (ROOT / "ci" / "cuda12.sh").read_text()
    assert parts == set(re.findall(r"\bnvidia-[\w-]+", script))
    assert "./ci/cuda12.sh" in (ROOT / "README.md").read_text()


def test_citation_is_valid_and_agrees_with_the_package() -> None:
    """The required keys of CFF 1.2.0 and their types, and one version everywhere."""
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation["cff-version"] == "1.2.0"
    assert citation["type"] in {"software", "dataset"}
    for key in ("message", "title", "abstract", "license", "version"):
        assert isinstance(citation[key], str), key
    assert date.fromisoformat(citation["date-released"])
    assert all(
        author.keys() <= {"name", "given-names", "family-names", "orcid"} for author in citation["authors"]
    )
    assert citation["authors"]
    assert citation["version"] == PROJECT["project"]["version"]
    assert citation["license"] == PROJECT["project"]["license"]
    config = yaml.safe_load((ROOT / "_config.yml").read_text())
    assert citation["title"].startswith(config["title"])


def test_hooks_fetch_nothing() -> None:
    repositories = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    assert [repository["repo"] for repository in repositories] == ["local"]
    for hook in repositories[0]["hooks"]:
        assert hook["language"] == "system"
        assert (ROOT / hook["entry"].split()[0]).exists() or not (ROOT / ".venv").exists()


# What each package may import beside the standard library and itself. A part named here is no longer its package's.
ALLOWED = {
    "lanes": {"numpy", "ml_dtypes"},
    "lanes/view": {"numpy", "ml_dtypes", "anywidget", "traitlets", "matplotlib"},
    # torch and cupy: only where they were imported already, or on a machine that measures.
    "kernels": {"numpy", "ml_dtypes", "numba", "llvmlite", "cuda", "greenlet", "lanes", "torch", "cupy"},
    "exercises": {"numpy", "cloudpickle", "lanes", "kernels"},
}


@pytest.mark.parametrize("package", ALLOWED)
def test_packages_import_only_what_the_laws_allow(package: str) -> None:
    broken = []
    parts = [part for part in ALLOWED if part.startswith(f"{package}/")]
    for file in sorted((ROOT / package).rglob("*.py")):
        if any(file.is_relative_to(ROOT / part) for part in parts):
            continue
        for node in ast.walk(ast.parse(file.read_text())):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module or ""]
            tops = {name.partition(".")[0] for name in names}
            outside = tops - sys.stdlib_module_names - ALLOWED[package] - {package.partition("/")[0]}
            broken += [f"{file.name}: {name}" for name in sorted(outside)]
    assert broken == []


def test_every_source_file_is_packaged() -> None:
    """Kernels are useless without their CUDA C++ files, and the widget without its scripts and its stylesheet."""
    for package, patterns in PROJECT["tool"]["setuptools"]["package-data"].items():
        found = {file for pattern in patterns for file in (ROOT / package).glob(pattern)}
        files = {
            file for file in (ROOT / package).rglob("*") if file.is_file() and "__pycache__" not in file.parts
        }
        assert {file for file in files if file.suffix != ".py"} <= found


def test_repository_address_is_read_from_remotes_only_when_it_is_one() -> None:
    sys.path.insert(0, str(ROOT / "book" / "_ext"))
    try:
        from repository import from_environment, from_remote
    finally:
        sys.path.pop(0)
    address = "https://host.example/group/book"
    for remote in (
        "git@host.example:group/book.git",
        f"{address}.git",
        address,
        "ssh://git@host.example:22/group/book",
    ):
        assert from_remote(remote) == address, remote
    for remote in ("", "/srv/git/book.git", "file:///srv/git/book.git", "../book", "book"):
        assert from_remote(remote) is None, remote
    assert from_environment({}) is None
    assert (
        from_environment({"GITHUB_SERVER_URL": "https://host.example", "GITHUB_REPOSITORY": "group/book"})
        == address
    )


def test_every_recorded_run_says_where_it_comes_from() -> None:
    files = sorted((ROOT / "results").rglob("*.json"))
    assert files
    for file in files:
        provenance = json.loads(file.read_text())["provenance"]
        wanted = ("gpu", "driver", "toolkit", "date", "commit")
        assert [name for name in wanted if not provenance.get(name)] == [], file
