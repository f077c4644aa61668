"""Results go to a file whole or not at all, and to nothing that is not a file."""

import os
import tempfile
from pathlib import Path


def check_target(path: Path) -> None:
    """Say before the work, not after it, that a result could not be written there.

    A link is followed. Raises ValueError for a folder, a device, a pipe, or a place that cannot be written.

    >>> check_target(Path(os.devnull))
    Traceback (most recent call last):
    ValueError: /dev/null: wanted a file in a folder that exists
    """
    try:
        target = path.resolve()
        if not target.parent.is_dir() or (path.exists() and not target.is_file()):
            raise ValueError(f"{path}: wanted a file in a folder that exists")
        with tempfile.TemporaryFile(dir=target.parent):
            pass
    except OSError as error:
        raise ValueError(f"{path}: it cannot be written ({error.strerror})") from None


def write_whole(path: Path, content: bytes) -> None:
    """Write a file, or leave what was there. Raises ValueError as `check_target` does, and OSError on a full disk."""
    check_target(path)
    target = path.resolve()
    handle, unfinished = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:100]}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(unfinished, target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask())
        os.replace(unfinished, target)
    except BaseException:
        os.unlink(unfinished)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
