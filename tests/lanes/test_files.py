"""A result is written whole or not at all, and replaces nothing but a file."""

import os
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from lanes.cli import main
from lanes.files import check_target, write_whole

REFUSED = "wanted a file in a folder that exists"


def test_a_new_file_has_the_usual_rights_and_an_old_one_keeps_its_own(tmp_path):
    new, old = tmp_path / "new", tmp_path / "old"
    old.write_bytes(b"old")
    old.chmod(0o640)
    mask = os.umask(0o027)
    try:
        write_whole(new, b"a")
        write_whole(old, b"b")
    finally:
        os.umask(mask)
    assert (new.read_bytes(), old.read_bytes()) == (b"a", b"b")
    assert [stat.S_IMODE(file.stat().st_mode) for file in (new, old)] == [0o640, 0o640]
    assert sorted(tmp_path.iterdir()) == [new, old]


def test_a_link_is_followed_and_stays_a_link(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"old")
    link.symlink_to(target)
    write_whole(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


@pytest.mark.parametrize("kind", ["pipe", "socket", "device", "folder", "link to a device", "nowhere"])
def test_what_is_no_file_is_refused_and_left_as_it_was(kind, tmp_path, monkeypatch, capsys):
    """Root could replace a device by a file, and no machine works without /dev/null."""
    place = tmp_path / "place"
    if kind == "pipe":
        os.mkfifo(place)
    elif kind == "socket":
        monkeypatch.chdir(tmp_path)  # the path of a socket is short
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(place.name)
    elif kind == "device":
        place = Path("/dev/null")
    elif kind == "folder":
        place.mkdir()
    elif kind == "link to a device":
        place.symlink_to("/dev/null")
    else:
        place = tmp_path / "no" / "place"
    before = place.lstat() if kind != "nowhere" else None
    with pytest.raises(ValueError, match=REFUSED):
        check_target(place)
    assert main(["view", "mma", "--format", "csv", "--output", str(place)]) == 2
    assert capsys.readouterr().err == f"--output {place}: {REFUSED}\n"
    if before:
        assert (place.lstat().st_mode, place.lstat().st_ino) == (before.st_mode, before.st_ino)


def test_a_full_disk_leaves_the_old_file(tmp_path, monkeypatch):
    old = tmp_path / "old"
    old.write_bytes(b"old")

    def full(*places):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        write_whole(old, b"new")
    assert old.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [old]


def test_a_probe_cannot_be_recorded_in_a_pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    command = [sys.executable, "-m", "kernels", "probe", "--record", str(tmp_path / "pipe")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"python -m kernels: --record {tmp_path}/pipe: {REFUSED}\n"
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)
