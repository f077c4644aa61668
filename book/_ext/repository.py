"""Put the repository's address into the theme: from CI's environment, else from the git remote.

Without either, the placeholder of _config.yml stays and no button is shown: no page links to an address that
does not exist.
"""

import os
import re
import subprocess
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.config import Config


def from_environment(environment: dict[str, str]) -> str | None:
    """The address that the CI service tells, if one does."""
    server, name = environment.get("GITHUB_SERVER_URL"), environment.get("GITHUB_REPOSITORY")
    return f"{server}/{name}" if server and name else environment.get("CI_PROJECT_URL")


def from_remote(remote: str) -> str | None:
    """The web address of a git remote; None for a path on this machine.

    >>> from_remote("git@host.example:group/book.git")
    'https://host.example/group/book'
    >>> from_remote("/srv/git/book.git") is None
    True
    """
    host = r"(?:https://|ssh://)?(?:[^@/]+@)?([\w-]+(?:\.[\w-]+)+)(?::\d+)?"
    found = re.fullmatch(host + r"[:/](.+?)(?:\.git)?/?", remote)
    return f"https://{found[1]}/{found[2]}" if found else None


def git_remote(root: Path) -> str:
    command = ["git", "-C", str(root), "remote", "get-url", "origin"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def set_address(app: Sphinx, config: Config) -> None:
    address = from_environment(dict(os.environ)) or from_remote(git_remote(Path(app.srcdir)))
    if address:
        config.html_theme_options["repository_url"] = address
    else:
        config.html_theme_options.update(use_repository_button=False, use_issues_button=False)


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("config-inited", set_address)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
