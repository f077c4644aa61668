"""Start a worker for an answer, and kill it with all that it started, whatever came of it."""

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import types
import uuid
from collections import ChainMap
from pathlib import Path
from typing import Any

import cloudpickle

from exercises.listener import START_SECONDS, Listener, Outcome

WORKER = Path(__file__).with_name("worker.py")
ANSWER_BYTES = 2**24
TOKEN = "LANES_EXERCISE"  # in the environment of the worker and of whatever it starts


def run(answer: Any, inputs: tuple[Any, ...], runner: str, *, seconds: int, gpu_seconds: int) -> Outcome:
    """Run ``runner.run(answer, *inputs)`` in a fresh process and return what came of it.

    runner: a module. seconds: how long the answer may take, counted from when the worker is ready; gpu_seconds where
    its backend is a GPU, on which kernels are compiled first. The answer may take 1 GiB of memory (limited on Linux)
    and print 1 MiB.

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
        with contextlib.ExitStack() as stack:
            ours, theirs = os.pipe()
            stack.callback(os.close, ours)
            with os.fdopen(theirs, "wb"):
                worker = subprocess.Popen(
                    [sys.executable, "-P", str(WORKER), folder, str(theirs)],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    pass_fds=(theirs,),
                    start_new_session=True,  # a group of its own; Ctrl-C goes to this process alone
                    cwd=here,
                    env=_environment(token),
                )
                stack.callback(_end, worker, token)
            return Listener(worker, ours, seconds, gpu_seconds).outcome()


def packed(answer: Any, inputs: tuple[Any, ...]) -> bytes | Outcome:
    """Return the answer and its inputs as bytes for the worker, or why that cannot be."""
    file = io.BytesIO()
    try:
        _Pickler(file).dump((_undecorated(answer), inputs))
    except (Exception, SystemExit) as error:
        sentence = "It uses something that cannot be sent to the checking process"
        with contextlib.suppress(Exception):
            sentence = f"{sentence}: {error}"
        return Outcome(mistake="not-sendable", sentence=f"{sentence}.")
    if file.tell() > ANSWER_BYTES:
        sentence = f"It uses variables of {file.tell() // 2**20} MiB; wanted at most {ANSWER_BYTES // 2**20}."
        return Outcome(mistake="not-sendable", sentence=sentence)
    return file.getvalue()


def _undecorated(answer: Any) -> Any:
    """The function in numba's dispatcher, which holds what cannot be sent; a worker compiles the function anew."""
    numbas = type(answer).__module__.partition(".")[0] == "numba"
    return getattr(answer, "py_func", answer) if numbas else answer


def with_file(parts: tuple[Any, ...], file: str) -> types.CodeType:
    """In the worker: the code object of these parts, which says that it is from that file."""
    return types.CodeType(*parts).replace(co_filename=file)


def _code(code: types.CodeType) -> tuple[Any, ...]:
    """Reduce a code object as cloudpickle does, which drops its file, and keep that: it shows the reader's own line."""
    _, parts = cloudpickle.Pickler.dispatch_table[types.CodeType](code)
    return with_file, (parts, code.co_filename)


class _Pickler(cloudpickle.Pickler):  # type: ignore[misc]
    """Cloudpickle, with the device functions of `kernels.ptx` by name: numba knows them by identity."""

    def __init__(self, file: io.BytesIO) -> None:
        # Read once, by the constructor.
        self.dispatch_table = ChainMap({types.CodeType: _code}, cloudpickle.Pickler.dispatch_table)
        super().__init__(file)
        ptx = sys.modules.get("kernels.ptx")
        self.names = {id(getattr(ptx, name)): name for name in getattr(ptx, "__all__", [])}

    def persistent_id(self, value: Any) -> str | None:
        return self.names.get(id(value))


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
    # Linux gives a number to nobody else while a group has it, so this reaches a dead worker's children too.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(worker.pid, signal.SIGKILL)
    worker.wait()
    if worker.stdout is not None:
        worker.stdout.close()
    marked = f"{TOKEN}={token}".encode()
    for _ in range(50):  # one that is just being killed is still there, and another may be starting one more
        strays = [entry for entry in Path("/proc").glob("[0-9]*/environ") if _holds(entry, marked)]
        for stray in strays:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(int(stray.parent.name), signal.SIGKILL)
        if not strays:
            return


def _holds(environ: Path, marked: bytes) -> bool:
    try:
        return marked in environ.read_bytes()
    except OSError:  # another user's, or just gone
        return False
