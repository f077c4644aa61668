"""Where a recorded run came from: what every file under `results/` starts with."""

from __future__ import annotations

import datetime
import os
import subprocess
from pathlib import Path
from typing import Any

from kernels import backend, machine

ROOT = Path(__file__).parents[1]


def provenance() -> dict[str, Any]:
    """Backend, GPU, driver, versions, date (UTC) and commit, ready for JSON.

    The commit is ``LANES_COMMIT`` if that is set, for a copy of the tree without its history; it ends in "+" if the
    tree differs from it.
    """
    this = machine.examine()
    return {
        "backend": backend.fix(),
        "gpu": this.gpus[0].name if this.gpus else None,
        "capability": this.gpus[0].capability if this.gpus else None,
        "driver": _driver_release(),
        "cuda_driver": this.driver,
        "toolkit": this.toolkit,
        "python": this.python,
        "packages": this.packages,
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "commit": os.environ.get("LANES_COMMIT") or _commit(),
    }


def _driver_release() -> str | None:
    """The driver's own version, as "580.159.04"."""
    return output("nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader", "--id=0")


def _commit() -> str | None:
    revision = output("git", "-C", str(ROOT), "rev-parse", "--short=12", "HEAD")
    return revision and revision + "+" * bool(output("git", "-C", str(ROOT), "status", "--porcelain"))


def output(*command: str) -> str | None:
    """What a program prints; None if it is not there, fails, or prints nothing."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() or None
    except (OSError, subprocess.CalledProcessError):
        return None
