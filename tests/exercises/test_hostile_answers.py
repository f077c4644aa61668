"""Answers that go wrong in every way: each ends in a sentence, in time, and nothing of it is left."""

import contextlib
import ctypes
import functools
import io
import json
import os
import pickletools
import re
import signal
import subprocess
import sys
import textwrap
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from exercises import EXERCISES, CheckError, check
from exercises.process import WORKER, packed
from exercises.worker import _Unpickler

SECONDS = 9  # for one check; a quarter of a second is usual


def right(lane):
    return lane % 16, lane // 16 * 8


@pytest.fixture(autouse=True)
def _in_time_and_nothing_is_left(tmp_path, monkeypatch):
    """No process and no file of a worker is left, and the next right answer passes."""
    folder = tmp_path / "workers"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    before = children()
    yield
    assert list(folder.iterdir()) == []
    assert children() <= before


def children():
    """The processes that this one has started and that are still there; a browser of other tests may be one."""
    return set(Path(f"/proc/self/task/{os.getpid()}/children").read_text().split())


def fails(answer, mistake, sentence="", *, name="supplied-row", seconds=2):
    start = time.monotonic()
    result = replace(EXERCISES[name], seconds=seconds).check(answer)
    assert time.monotonic() - start < SECONDS
    assert not result.passed
    assert result.mistake == mistake, result
    assert re.search(sentence, result.sentence), result
    assert "\n" not in result.sentence
    return result


# Too long, too much


def test_a_loop_for_ever_is_stopped():
    def answer(lane):
        while True:
            pass

    fails(answer, "too-slow", "still running after 2 seconds")


def test_the_limit_of_the_exercises_is_below_ten_seconds():
    assert all(exercise.seconds <= 5 for exercise in EXERCISES.values())


def test_sleep_without_end_is_stopped_though_signals_are_ignored():
    def answer(lane):
        import signal
        import time

        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGALRM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        while True:
            time.sleep(1)

    fails(answer, "too-slow")


def test_a_process_that_stops_itself_is_ended():
    def answer(lane):
        os.kill(os.getpid(), signal.SIGSTOP)

    fails(answer, "too-slow")


def test_memory_eaten_at_once():
    def answer(lane):
        return bytearray(2**42)

    fails(
        answer, "too-much-memory", r"more memory than an answer may\. That was in line \d+: return bytearray"
    )


def test_memory_eaten_bit_by_bit():
    def answer(lane):
        kept = []
        while True:
            kept.append(bytearray(2**24))

    fails(answer, "too-much-memory", seconds=5)


def test_memory_eaten_to_the_last_byte_and_kept():
    """Saying so takes some memory too."""
    kept = []

    def answer(lane):
        for size in (2**24, 2**18, 2**12, 2**8, 0):
            with contextlib.suppress(MemoryError):
                while True:
                    kept.append(bytearray(size))
        kept.append(bytearray(2**24))

    fails(answer, "too-much-memory", "more memory than an answer may", seconds=8)


def test_a_file_without_end():
    def answer(lane):
        with open("big", "wb") as file:
            while True:
                file.write(bytes(2**20))

    fails(answer, "raises", "File too large")


def test_a_file_that_an_answer_writes_is_gone_afterwards(tmp_path):
    def answer(lane):
        Path("note").write_text("here")
        return right(lane)

    assert check("supplied-row", answer).passed
    assert not Path("note").exists()


@pytest.mark.parametrize("how", ["print", "descriptor", "stderr"])
def test_gigabytes_printed(how):
    def answer(lane):
        while True:
            if how == "print":
                print("x" * 10000)
            elif how == "stderr":
                print("x" * 10000, file=sys.stderr)
            else:
                os.write(1, b"x" * 10000)

    result = fails(answer, "prints-too-much", "more than 1 MiB")
    assert len(result.printed) <= 2000


def test_what_is_printed_is_shown():
    def answer(lane):
        print("lane", lane)
        return right(lane)

    result = check("supplied-row", answer)
    assert result.passed
    assert result.printed.splitlines() == [f"lane {lane}" for lane in range(32)]


# Exceptions


def test_an_exception_is_shown_with_the_readers_own_line():
    def divide(lane):
        return lane // (lane - 3)  # the line to be shown

    def answer(lane):
        return divide(lane), 0

    sentence = (
        r"It raised ZeroDivisionError: .* That was in line (\d+): return lane // \(lane - 3\)  # the line"
    )
    result = fails(answer, "raises", sentence)
    line = int(re.search(sentence, result.sentence)[1])
    assert "return lane // (lane - 3)" in Path(__file__).read_text().splitlines()[line - 1]


def test_an_exception_inside_a_library_shows_the_line_that_called_it():
    def answer(rows, trans):
        return np.concatenate(rows, axis=9)

    fails(
        answer,
        "raises",
        r"That was in line \d+: return np.concatenate\(rows, axis=9\)",
        name="numpy-ldmatrix",
    )


def test_an_exception_whose_text_is_hostile():
    class Unreadable(Exception):
        def __str__(self):
            raise KeyError("again")

    class Silent(Exception):
        def __str__(self):
            while True:
                time.sleep(1)
            return ""

    def unreadable(lane):
        raise Unreadable

    def silent(lane):
        raise Silent

    def loud(lane):
        raise ValueError("\x1b[2J\u202e<script>alert(1)</script>\n" + "x" * 10**6)

    fails(unreadable, "raises", "It raised Unreadable")
    fails(silent, "too-slow", seconds=1)
    result = fails(loud, "raises", "<script>")
    assert len(result.sentence) <= 700
    assert result.sentence.isprintable()
    assert "<" not in result._repr_markdown_()


def test_recursion_without_end():
    def answer(lane):
        return answer(lane)

    fails(answer, "raises", "RecursionError")


def test_an_answer_with_other_parameters():
    fails(lambda: (0, 0), "raises", "TypeError")


def test_input_has_nothing_to_read():
    fails(lambda lane: input(), "raises", "EOFError")


# Not what was asked for


@pytest.mark.parametrize(
    ("returned", "mistake", "sentence"),
    [
        (None, "wrong-type", r"supplied_row\(0\) returned None; wanted \(row, col\)"),
        (3, "wrong-type", "returned a int"),
        ("ab", "wrong-type", "returned a str in it; wanted whole numbers"),
        ((0, 0.0), "wrong-type", "returned a float in it"),
        ((0,), "wrong-shape", "returned 1 numbers"),
        ((0, 0, 0), "wrong-shape", "returned more than 2 numbers"),
        ((10**5000, 0), "wrong-type", "a number beyond 32 bits"),
        (np.zeros((2, 2), int), "wrong-type", "returned a ndarray in it"),
        ({}, "wrong-shape", "returned 0 numbers"),
    ],
)
def test_places_of_another_form(returned, mistake, sentence):
    result = fails(lambda lane: returned, mistake, sentence)
    assert "That was in line" not in result.sentence  # no line of the answer's raised anything


@pytest.mark.parametrize(
    ("change", "mistake", "sentence"),
    [
        (lambda held: held[:, :, :1], "wrong-shape", r"shape \(32, 4, 1\); wanted \(32, 4, 2\)"),
        (lambda held: held.astype(float), "wrong-dtype", "returned float64; wanted uint16"),
        (lambda held: held.astype(object), "wrong-dtype", "returned object"),
        (lambda held: held.view(np.int16), "wrong-dtype", "returned int16"),
        (lambda held: held.tolist(), "wrong-type", "returned a list; wanted an array"),
        (lambda held: np.broadcast_to(held, (10**9, 32, 4, 2)), "wrong-shape", r"shape \(1000000000, 32"),
        (lambda held: np.zeros((10**9, 8), np.uint16), "too-much-memory", "took more memory"),
        (lambda held: np.zeros_like(held), "constant", "Every slot holds one and the same value"),
    ],
)
def test_registers_of_another_form(change, mistake, sentence):
    solution = EXERCISES["numpy-ldmatrix"].answers("solution")["numpy_ldmatrix"]
    fails(lambda rows, trans: change(solution(rows, trans)), mistake, sentence, name="numpy-ldmatrix")


def test_an_iterator_without_end():
    def answer(lane):
        while True:
            yield 0

    fails(answer, "wrong-shape", "more than 2 numbers")


@pytest.mark.parametrize("answer", [None, 3, "supplied_row", right(3)])
def test_an_answer_that_is_no_function(answer):
    fails(answer, "not-callable", "wanted the function supplied_row itself")


@pytest.mark.parametrize("edit", [lambda rows: rows.fill(0), lambda rows: rows.sort()])
def test_an_answer_that_edits_its_input(edit):
    def answer(rows, trans):
        edit(rows)

    fails(answer, "edits-its-input", "wanted a new array", name="numpy-ldmatrix")


def test_the_input_cannot_be_made_writeable():
    def answer(rows, trans):
        rows.setflags(write=True)

    fails(answer, "raises", "cannot set WRITEABLE flag", name="numpy-ldmatrix")


# The end of the process, and others


@pytest.mark.parametrize(
    ("end", "sentence"),
    [
        (lambda: sys.exit(), "calls sys.exit"),
        (lambda: sys.exit(0), "calls sys.exit"),
        (lambda: os._exit(0), "ended its process with code 0"),
        (lambda: os.kill(os.getpid(), signal.SIGKILL), "was ended by SIGKILL"),
        (lambda: os.kill(os.getpid(), signal.SIGTERM), "was ended by SIGTERM"),
        (lambda: os.kill(os.getpid(), 42), "was ended by signal 42"),
        (lambda: ctypes.string_at(1), "was ended by SIGSEGV"),
        (lambda: os.killpg(0, signal.SIGKILL), "was ended by SIGKILL"),
    ],
)
def test_an_answer_that_ends_its_process(end, sentence):
    def answer(lane):
        end()

    fails(answer, "ends-the-process", sentence)


def test_an_answer_that_closes_everything():
    def answer(lane):
        os.closerange(0, 256)
        while True:
            pass

    fails(answer, "garbled", "cannot be read")


@pytest.mark.parametrize(
    "start",
    [
        lambda: os.fork(),
        lambda: subprocess.run(["true"], check=False),
        lambda: os.system("true"),
        lambda: os.execv("/bin/true", ["true"]),
        lambda: os.posix_spawn("/bin/true", ["true"], {}),
    ],
)
def test_an_answer_may_not_start_processes(start):
    def answer(lane):
        while True:
            start()

    fails(answer, "starts-processes", "starts another process")


@pytest.mark.parametrize("leave", ["the group", "the session"])
def test_a_process_started_behind_pythons_back_does_not_outlive_the_check(tmp_path, leave):
    file = tmp_path / "pid"

    def answer(lane):
        if lane == 0 and ctypes.CDLL(None).fork() == 0:
            if leave == "the session":
                os.setsid()
            file.write_text(str(os.getpid()))
            while True:
                time.sleep(1)
        while not file.exists():
            time.sleep(0.01)
        return right(lane)

    assert check("supplied-row", answer).passed
    stat = Path("/proc", file.read_text(), "stat")
    deadline = time.monotonic() + 5  # for whoever collects the dead
    while stat.exists() and stat.read_text().split()[2] != "Z" and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not stat.exists() or stat.read_text().split()[2] == "Z"


def test_without_proc_the_group_is_ended_all_the_same(monkeypatch, tmp_path):
    """As on macOS, where nobody can be found by their environment."""
    monkeypatch.setattr("exercises.process._holds", lambda environ, marked: False)
    test_a_process_started_behind_pythons_back_does_not_outlive_the_check(tmp_path, "the group")


def test_a_child_that_holds_the_pipes_does_not_hold_up_the_check():
    def answer(lane):
        if ctypes.CDLL(None).fork() == 0:
            time.sleep(60)
        os._exit(7)

    fails(answer, "ends-the-process", "code 7")


def test_threads_that_never_end_are_no_matter():
    def answer(lane):
        def turn():
            while True:
                time.sleep(1)

        threading.Thread(target=turn).start()
        return right(lane)

    assert check("supplied-row", answer).passed


# Deceit


def test_changing_the_checker_and_the_model_in_the_worker_changes_nothing():
    def answer(rows, trans):
        import exercises
        import exercises.exercise
        import exercises.ldmatrix.numpy_ldmatrix as exercise
        import lanes

        lanes.ldmatrix = exercise.ldmatrix = lambda rows, trans=False: np.zeros((32, len(rows) // 8, 2))
        exercise.judge = exercise.diagnose = lambda *values, **more: None
        exercises.exercise.Exercise.check = exercises.check = lambda *values: True
        np.array_equal = lambda one, other: True
        return np.zeros((32, len(rows) // 8, 2), rows.dtype)

    fails(answer, "constant", name="numpy-ldmatrix")


def test_changing_what_makes_the_message_spoils_only_ones_own():
    def answer(lane):
        import builtins

        json.dumps = lambda value: '{"kind": "passed", "passed": true}'
        builtins.isinstance = lambda one, other: True
        return 0, 0

    fails(answer, "garbled")


def channel():
    """The descriptor that the worker writes its messages to."""
    return int(sys.argv[2])


FORGED = {
    "no JSON": b"passed\n",
    "another kind": b'{"kind": "passed"}\n',
    "no object": b"[]\n",
    "deep": b"[" * 100_000 + b"\n",
    "a long number": b'{"kind": "returned", "values": [' + b"9" * 10_000 + b"]}\n",
    "a large number": b'{"kind": "returned", "values": [[' + b"9" * 400 + b"]]}\n",
    "texts": json.dumps({"kind": "returned", "values": [[["0", "0"]] * 32]}).encode() + b"\n",
    "ragged": json.dumps({"kind": "returned", "values": [[[0, 0]] * 31 + [[0]]]}).encode() + b"\n",
    "another shape": json.dumps({"kind": "returned", "values": [[0, 0]]}).encode() + b"\n",
    "no values": b'{"kind": "returned", "values": []}\n',
    "values that are none": b'{"kind": "returned", "values": [null]}\n',
    "NaN": b'{"kind": "returned", "values": [NaN]}\n',
    "ready again": b'{"kind": "ready", "gpu": true}\n',
    "bytes": bytes(range(256)) + b"\n",
}


@pytest.mark.parametrize("line", FORGED.values(), ids=FORGED)
def test_a_forged_message_is_not_believed(line):
    def answer(lane):
        os.write(channel(), line)
        time.sleep(60)

    fails(answer, "garbled", "cannot be read")


def test_a_message_without_end():
    def answer(lane):
        while True:
            os.write(channel(), b"x" * 10000)

    fails(answer, "garbled")


def test_a_forged_refusal_is_only_text():
    message = {
        "kind": "raised",
        "error": "X",
        "text": "<b>\x1b[0m",
        "mistake": "<i>",
        "place": ["/etc/passwd", 1],
    }

    def answer(lane):
        os.write(channel(), json.dumps(message).encode() + b"\n")
        time.sleep(60)

    result = fails(answer, "<i>")
    assert "<i>" not in result._repr_markdown_()
    assert "\x1b" not in repr(result)


def test_objects_that_claim_to_be_equal_to_everything():
    class Yes:
        def __eq__(self, other):
            return True

        def __index__(self):
            return 5

        def __repr__(self):
            os._exit(3)

        __hash__ = None

    fails(lambda lane: (Yes(), Yes()), "constant", r"supplies \(5,5\)")


def test_objects_that_run_code_when_they_are_looked_at():
    class Loop:
        def __index__(self):
            while True:
                time.sleep(1)
            return 0

    def lie(rows, trans):
        class Lie:
            __class__ = type(rows)

            def __array__(self, *arguments, **more):
                raise RuntimeError("never an array")

        return Lie()

    class Sub(np.ndarray):
        def tolist(self):
            return [[[0]]]

    solution = EXERCISES["numpy-ldmatrix"].answers("solution")["numpy_ldmatrix"]
    fails(lambda lane: (Loop(), 0), "too-slow", seconds=1)
    fails(lie, "raises", "never an array", name="numpy-ldmatrix")
    assert check("numpy-ldmatrix", lambda rows, trans: solution(rows, trans).view(Sub)).passed


def test_what_an_answer_returns_is_never_unpickled_here(tmp_path):
    marker = tmp_path / "marker"

    class Bomb:
        def __reduce__(self):
            return os.mkdir, (str(marker),)

    def answer(lane):
        return Bomb()

    fails(answer, "wrong-type", "returned a Bomb")
    assert not marker.exists()


# What can be sent, and what cannot


def test_functions_of_every_kind_can_be_answers():
    table = np.array([right(lane) for lane in range(32)])

    class Lookup:
        def __call__(self, lane):
            return table[lane]

        def method(self, lane):
            return list(table[lane])

    def wide(width, lane):
        return lane % width, lane // width * 8

    for answer in (Lookup(), Lookup().method, functools.partial(wide, 16), right, lambda lane: table[lane]):
        assert check("supplied-row", answer).passed


def test_device_functions_are_sent_by_name():
    """On a GPU they are objects that numba knows by identity: copies would be strangers to it."""
    from kernels import ptx

    for name in ptx.__all__:
        function = getattr(ptx, name)
        payload = packed(lambda: function, ())  # noqa: B023 - packed at once
        assert "BINPERSID" in {code.name for code, _, _ in pickletools.genops(payload)}
        answer, _ = _Unpickler(io.BytesIO(payload)).load()
        assert answer() is function


def test_an_answer_that_holds_what_cannot_be_sent():
    lock = threading.Lock()

    class Evil:
        def __reduce__(self):
            raise SystemExit("no")

    evil = Evil()
    fails(lambda lane: lock, "not-sendable", "cannot be sent to the checking process: cannot pickle")
    fails(lambda lane: evil, "not-sendable", "cannot be sent to the checking process: no")


def test_an_answer_that_holds_too_much():
    large = np.zeros(2**22)
    fails(lambda lane: large[lane], "not-sendable", "variables of 32 MiB; wanted at most 16")


def test_an_answer_that_cannot_be_rebuilt():
    class Sticky:
        def __reduce__(self):
            return int, ("no number",)

    sticky = Sticky()
    fails(lambda lane: sticky, "raises", "ValueError")


# The one who asks


def test_an_interrupt_ends_the_worker_and_is_passed_on(tmp_path):
    program = textwrap.dedent("""
        import os, signal, threading, time
        import exercises

        def answer(lane):
            while True:
                time.sleep(1)

        threading.Timer(1, os.kill, [os.getpid(), signal.SIGINT]).start()
        try:
            exercises.check("supplied-row", answer)
        except KeyboardInterrupt:
            print("passed on", open(f"/proc/self/task/{os.getpid()}/children").read())
        print(exercises.check("supplied-row", lambda lane: (lane % 16, lane // 16 * 8)).passed)
    """)
    start = time.monotonic()
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("passed on \nTrue\n", "")
    assert time.monotonic() - start < SECONDS


def test_a_worker_that_cannot_start_says_nothing_about_the_answer(monkeypatch):
    missing = replace(EXERCISES["supplied-row"], package="exercises.not_there")
    with pytest.raises(
        CheckError, match=r"could not start: ModuleNotFoundError: No module named 'exercises\.not_there'"
    ):
        missing.check(right)
    monkeypatch.setattr("exercises.process.WORKER", Path(__file__).with_name("not_there.py"))
    with pytest.raises(CheckError, match="ended with code 2 before it was ready"):
        check("supplied-row", right)


def test_a_worker_that_does_not_come_to_the_point_is_given_up(monkeypatch, tmp_path):
    sleeper = tmp_path / "sleeper.py"
    sleeper.write_text("import time; time.sleep(60)")
    monkeypatch.setattr("exercises.process.WORKER", sleeper)
    monkeypatch.setattr("exercises.listener.START_SECONDS", 0.5)
    with pytest.raises(CheckError, match=r"did not start within 0\.5 seconds"):
        check("supplied-row", right)


def test_a_worker_whom_nobody_ends_ends_itself(tmp_path):
    """As when the notebook that started it is killed."""
    job = {"runner": "exercises.ldmatrix.supplied_row.run", "path": [*map(os.path.abspath, sys.path)]}
    (tmp_path / "job.json").write_text(json.dumps(job | {"seconds": 60, "gpu_seconds": 60, "alarm": 1}))
    (tmp_path / "answer").write_bytes(packed(lambda lane: time.sleep(60), ()))
    ours, theirs = os.pipe()
    with os.fdopen(ours), os.fdopen(theirs, "w"):
        command = [sys.executable, "-P", str(WORKER), str(tmp_path), str(theirs)]
        done = subprocess.run(command, pass_fds=(theirs,), timeout=SECONDS, check=False)
    assert done.returncode == -signal.SIGALRM


@pytest.mark.simulator
def test_kernels_of_a_reader_that_go_wrong():
    from kernels.ptx import at, ldmatrix_x4

    def outside(registers, tile, lane):
        ldmatrix_x4(at(registers, (0,)), at(tile, (lane * 24,)))

    def misaligned(registers, tile, lane):
        ldmatrix_x4(at(registers, (0,)), at(tile, (lane // 4 * 24 + lane % 4 * 2,)))

    def some_lanes(registers, tile, lane):
        if lane < 16:
            ldmatrix_x4(at(registers, (0,)), at(tile, (0,)))

    fails(outside, "raises", r"tile \(uint16, 384\) has no element \[384\]; thread 16", name="load-padded")
    fails(misaligned, "raises", "wants addresses on multiples of 16 bytes", name="load-padded")
    fails(some_lanes, "raises", "needs all 32 lanes of warp 0 at one place", name="load-padded")


def test_a_device_function_may_be_decorated_already():
    from kernels.adapter import cuda

    solution = EXERCISES["load-padded"].answers("solution")["load_padded"]
    assert check("load-padded", cuda.jit(device=True)(solution)).passed
