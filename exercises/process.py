"""Start a worker for an answer, listen to it within limits, and kill it with all that it started."""

import contextlib
import io
import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cloudpickle

WORKER = Path(__file__).with_name("worker.py")
START_SECONDS = 60  # for the imports, which may come from a slow disk
RESULT_BYTES = 2**20
PRINTED_BYTES = 2**20
KEPT_BYTES = 4000  # of what an answer printed
ANSWER_BYTES = 2**24
TOKEN = "LANES_EXERCISE"  # in the environment of the worker and of whatever it starts


class CheckError(RuntimeError):
    """The check itself could not run: nothing is said about the answer."""


@dataclass(frozen=True)
class Outcome:
    """What came of an answer: `values`, lists of integers that nobody has judged, or a `mistake` and a sentence."""

    values: list[Any] | None = None
    mistake: str | None = None
    sentence: str = ""
    place: tuple[str, int] | None = None
    printed: str = ""


class _Pickler(cloudpickle.Pickler):  # type: ignore[misc]
    """Cloudpickle, with the device functions of `kernels.ptx` by name: numba knows them by identity."""

    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file)
        ptx = sys.modules.get("kernels.ptx")
        self.names = {id(getattr(ptx, name)): name for name in getattr(ptx, "__all__", [])}

    def persistent_id(self, value: Any) -> str | None:
        return self.names.get(id(value))


def packed(answer: Any, inputs: tuple[Any, ...]) -> bytes | Outcome:
    """Return the answer and its inputs as bytes for the worker, or why that cannot be."""
    file = io.BytesIO()
    try:
        _Pickler(file).dump((answer, inputs))
    except Exception as error:
        with contextlib.suppress(Exception):
            return Outcome(
                mistake="not-sendable",
                sentence=f"It uses something that cannot be sent to the checking process: {error}.",
            )
        return Outcome(
            mistake="not-sendable", sentence="It uses something that cannot be sent to the checking process."
        )
    if file.tell() > ANSWER_BYTES:
        return Outcome(
            mistake="not-sendable",
            sentence=f"It carries {file.tell() // 2**20} MiB of other variables with it; wanted at most "
            f"{ANSWER_BYTES // 2**20}.",
        )
    return file.getvalue()


def run(answer: Any, inputs: tuple[Any, ...], runner: str, *, seconds: int, gpu_seconds: int) -> Outcome:
    """Run ``runner.run(answer, *inputs)`` in a fresh process and return what came of it.

    runner: a module. seconds: how long the answer may take, from when the worker is ready; gpu_seconds where its
    backend is a GPU, on which kernels are compiled first. The answer may take 1 GiB of memory (on Linux) and print
    1 MiB.

    Raises CheckError if the worker cannot start. Nothing of the worker is left, whatever is raised in here.
    """
    payload = packed(answer, inputs)
    if isinstance(payload, Outcome):
        return payload
    token = uuid.uuid4().hex
    with tempfile.TemporaryDirectory(prefix="exercise-", ignore_cleanup_errors=True) as folder:
        here = Path(folder, "here")
        here.mkdir()
        Path(folder, "answer").write_bytes(payload)
        job = {
            "runner": runner,
            "path": [os.path.abspath(entry) for entry in sys.path],
            "seconds": seconds,
            "gpu_seconds": gpu_seconds,
            "alarm": START_SECONDS + gpu_seconds + 10,
        }
        Path(folder, "job.json").write_text(json.dumps(job))
        ours, theirs = os.pipe()
        try:
            worker = subprocess.Popen(
                [sys.executable, "-P", str(WORKER), folder, str(theirs)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                pass_fds=(theirs,),
                start_new_session=True,
                cwd=here,
                env=_environment(token),
            )
            os.close(theirs)
            theirs = -1
            try:
                return _Listener(worker, ours, seconds, gpu_seconds).outcome()
            finally:
                _end(worker, token)
        finally:
            os.close(ours)
            if theirs >= 0:
                os.close(theirs)


class _Listener:
    """Reads the two pipes of a worker: its messages, and what is printed."""

    def __init__(self, worker: subprocess.Popen[bytes], channel: int, seconds: int, gpu_seconds: int) -> None:
        assert worker.stdout is not None
        self.worker, self.channel, self.output = worker, channel, worker.stdout.fileno()
        self.seconds, self.gpu_seconds = seconds, gpu_seconds
        self.printed, self.count = bytearray(), 0

    def outcome(self) -> Outcome:
        """Listen until there is a result, or until there will be none."""
        found = self._result()
        os.set_blocking(self.output, False)
        with contextlib.suppress(BlockingIOError):
            while self.count <= PRINTED_BYTES and self._hear():
                pass
        printed = self.printed.decode(errors="replace")
        return Outcome(found.values, found.mistake, found.sentence, found.place, printed)

    def _result(self) -> Outcome:
        ready, limit, deadline = False, START_SECONDS, time.monotonic() + START_SECONDS
        received = bytearray()
        with selectors.DefaultSelector() as selector:
            selector.register(self.channel, selectors.EVENT_READ)
            selector.register(self.output, selectors.EVENT_READ)
            while True:
                left = deadline - time.monotonic()
                if left <= 0:
                    if not ready:
                        raise CheckError(f"the checking process did not start within {limit} seconds")
                    return Outcome(mistake="too-slow", sentence=f"It was still running after {limit} seconds.")
                # A process that the worker left behind can hold the pipes open, so its end is looked for too.
                ended = self.worker.poll() is not None
                events = selector.select(0 if ended else min(left, 0.1))
                if ended and not events:
                    return self._dead(ready)
                for key, _ in events:
                    if key.fd == self.output:
                        if not self._hear():
                            selector.unregister(self.output)
                        if self.count > PRINTED_BYTES:
                            return Outcome(
                                mistake="prints-too-much",
                                sentence=f"It printed more than {PRINTED_BYTES // 2**20} MiB.",
                            )
                        continue
                    part = os.read(self.channel, 65536)
                    received += part
                    if len(received) > RESULT_BYTES:
                        return _garbled()
                    if b"\n" not in received:
                        if not part:
                            return self._dead(ready)
                        continue
                    line, _, received = received.partition(b"\n")
                    message = _parsed(bytes(line))
                    if ready or message.get("kind") != "ready":
                        return _outcome(message)
                    ready = True
                    limit = self.gpu_seconds if message.get("gpu") is True else self.seconds
                    deadline = time.monotonic() + limit

    def _hear(self) -> bool:
        part = os.read(self.output, 65536)
        self.count += len(part)
        self.printed += part[: max(0, KEPT_BYTES - len(self.printed))]
        return bool(part)

    def _dead(self, ready: bool) -> Outcome:
        try:
            code = self.worker.wait(1)
        except subprocess.TimeoutExpired:
            return _garbled()
        if not ready:
            raise CheckError(f"the checking process ended with code {code} before it was ready")
        if code == -signal.SIGXCPU:
            return Outcome(mistake="too-slow", sentence="It used more processor time than an answer may.")
        if code < 0:
            with contextlib.suppress(ValueError):
                return Outcome(
                    mistake="ends-the-process",
                    sentence=f"Its process was ended by {signal.Signals(-code).name}, and returned nothing.",
                )
        return Outcome(
            mistake="ends-the-process", sentence=f"It ended its process, with code {code}, and returned nothing."
        )


def _parsed(line: bytes) -> dict[str, Any]:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return message if isinstance(message, dict) else {}


def _outcome(message: dict[str, Any]) -> Outcome:
    """Make an outcome of a message that may hold anything."""
    match message:
        case {"kind": "broken", "sentence": str(sentence)}:
            raise CheckError(f"the checking process could not start: {sentence}")
        case {"kind": "returned", "values": list(values)}:
            return Outcome(values=values)
        case {"kind": "raised", "error": str(error), "text": str(text), "mistake": mistake, "place": place}:
            match place:
                case [str(file), int(line)]:
                    where = file, line
                case _:
                    where = None
            if isinstance(mistake, str):
                return Outcome(mistake=mistake, sentence=text, place=where)
            if error == "MemoryError":
                return Outcome(mistake="too-much-memory", sentence="It took more memory than an answer may.", place=where)
            if error == "SystemExit":
                return Outcome(mistake="ends-the-process", sentence="It calls sys.exit in place of returning.", place=where)
            if error == "ValueError" and "read-only" in text:
                return Outcome(mistake="edits-its-input", sentence="It writes into its input; wanted a new array.", place=where)
            return Outcome(mistake="raises", sentence=f"It raised {error}: {text.rstrip('.')}.", place=where)
        case _:
            return _garbled()


def _garbled() -> Outcome:
    return Outcome(mistake="garbled", sentence="What came back from its process cannot be read.")


def _environment(token: str) -> dict[str, str]:
    """This process's environment, with the backend that it has already chosen, and one thread for linear algebra."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONWARNINGS"}
    environment |= {TOKEN: token, "PYTHONUNBUFFERED": "1"}
    environment |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    backend = sys.modules.get("kernels.backend")
    fixed = backend.fixed() if backend is not None else None
    if fixed in ("gpu", "simulator"):
        environment |= {"LANES_BACKEND": fixed, "NUMBA_ENABLE_CUDASIM": str(int(fixed == "simulator"))}
    return environment


def _end(worker: subprocess.Popen[bytes], token: str) -> None:
    """Kill the worker and what it started: its process group, then whoever left that but has the token (Linux)."""
    # Not waited for before: so the number of the group is still this worker's.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(worker.pid, signal.SIGKILL)
    marked = f"{TOKEN}={token}".encode()
    for _ in range(20):  # a child may be starting another one
        strays = [int(entry.parent.name) for entry in Path("/proc").glob("[0-9]*/environ") if _holds(entry, marked)]
        for stray in strays:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(stray, signal.SIGKILL)
        if not strays:
            break
    if worker.stdout is not None:
        worker.stdout.close()
    worker.wait()


def _holds(environ: Path, marked: bytes) -> bool:
    try:
        return marked in environ.read_bytes()
    except OSError:  # another user's, or just gone
        return False
