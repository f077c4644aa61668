"""The process in which an answer runs. `exercises.process` starts this file as a program, and kills it afterwards.

It never has the expected values: it sends back what the answer returned, as integers in JSON, and the comparison is
made in the process that started it. So whatever an answer does in here, to this module, to NumPy or to the model,
it can only spoil its own result.

The limits are against accidents, not against an attacker: it is the reader's own code on the reader's own machine.
"""

import contextlib
import importlib
import json
import os
import pickle
import signal
import sys
from pathlib import Path
from typing import Any, NoReturn

MEMORY_BYTES = 2**30  # what an answer may take beyond what the worker has
GPU_MEMORY_BYTES = 2**32  # the driver and the compiler live in here too
RESERVE_BYTES = 2**26  # kept back for saying that it took too much
FILE_BYTES = 2**24
GPU_FILE_BYTES = 2**30  # the driver keeps what it compiled
STARTS = ("os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system", "os.exec", "subprocess.Popen")


class _Unpickler(pickle.Unpickler):
    """Names the device functions of `kernels.ptx`, which numba knows by identity and pickle cannot carry."""

    def persistent_load(self, name: str) -> Any:
        return getattr(importlib.import_module("kernels.ptx"), name)


def main(folder: str, channel: int) -> NoReturn:
    """Run the job in `folder`, and write a line of JSON when ready and one with what came out."""
    job = json.loads(Path(folder, "job.json").read_text())
    signal.alarm(job["alarm"])  # in case nobody is left to kill this process
    sys.path[:] = job["path"]

    def send(**message: Any) -> None:
        os.write(channel, json.dumps(message).encode() + b"\n")

    try:
        runner = importlib.import_module(job["runner"])
        importlib.import_module("cloudpickle")
        backend = sys.modules.get("kernels.backend")
        gpu = backend is not None and backend.fixed() == "gpu"
    except Exception as error:
        send(kind="broken", sentence=f"{type(error).__name__}: {error}")
        os._exit(1)
    lift = _limit(job["gpu_seconds" if gpu else "seconds"], gpu=gpu)
    send(kind="ready", gpu=gpu)
    answer = None
    try:
        with open(Path(folder, "answer"), "rb") as file:
            answer, inputs = _Unpickler(file).load()
        values = [array.tolist() for array in runner.run(answer, *inputs)]
        message = {"kind": "returned", "values": values}
    except BaseException as error:
        lift()
        message = _described(error, answer)
    line = json.dumps(message).encode() + b"\n"
    while line:  # a pipe takes a part at a time
        line = line[os.write(channel, line) :]
    os._exit(0)


def _described(error: BaseException, answer: Any) -> dict[str, Any]:
    """What an exception says, as far as it lets itself be asked."""
    frame, place = error.__traceback__, None
    own = {"__main__"}
    with contextlib.suppress(BaseException):
        own.add(answer.__module__)
    while frame is not None:  # the last frame that is the reader's
        code, name = frame.tb_frame.f_code, frame.tb_frame.f_globals.get("__name__")
        if name in own and code.co_filename != __file__:
            place = [code.co_filename, frame.tb_lineno]
        frame = frame.tb_next
    try:
        text = f"{error}"[:1000]
    except BaseException:
        text = "(its text cannot be read)"
    notes = [note for note in getattr(error, "__notes__", []) if type(note) is str]
    return {
        "kind": "raised",
        "mistake": getattr(error, "mistake", None) if type(error).__name__ == "Refusal" else None,
        "error": f"{type(error).__name__}"[:100],
        "text": "; ".join([text, *notes]),
        "place": place,
    }


def _limit(seconds: int, *, gpu: bool) -> Any:
    """Set the limits of this process; return a function that gives back the reserve of memory."""
    import resource
    import time

    from exercises.returned import Refusal

    def soften(kind: int, most: int) -> None:
        with contextlib.suppress(ValueError, OSError):  # macOS refuses some
            resource.setrlimit(kind, (most, most))

    soften(resource.RLIMIT_CORE, 0)
    soften(resource.RLIMIT_FSIZE, GPU_FILE_BYTES if gpu else FILE_BYTES)
    # A process that nobody watches any more, in a loop. Several threads use it up faster.
    soften(resource.RLIMIT_CPU, int(time.process_time()) + 4 * (seconds + 2))
    # On a GPU the driver reserves more addresses than there is memory, so only what is written to is counted.
    kind = resource.RLIMIT_DATA if gpu else resource.RLIMIT_AS
    try:
        pages = Path("/proc/self/statm").read_text().split()
        used = int(pages[5 if gpu else 0]) * resource.getpagesize()
        most = used + (GPU_MEMORY_BYTES if gpu else MEMORY_BYTES)
        resource.setrlimit(kind, (most, most + RESERVE_BYTES))
    except (OSError, ValueError):  # no /proc, as on macOS: memory is not limited there

        def lift() -> None: ...
    else:

        def lift() -> None:
            resource.setrlimit(kind, (most + RESERVE_BYTES, most + RESERVE_BYTES))

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        if event in STARTS:
            raise Refusal("starts-processes", "It starts another process, which an answer may not.")

    if not gpu:  # the compiler for a GPU may look for its parts with programs of its own
        sys.addaudithook(watch)
    return lift


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
