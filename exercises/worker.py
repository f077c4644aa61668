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
ADDRESS_BYTES = 2**34  # threads reserve many more addresses than they use
TEXT = 1000  # characters of an exception
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
    _limit(job["gpu_seconds" if gpu else "seconds"], gpu=gpu)
    send(kind="ready", gpu=gpu)
    answer = None
    try:
        with open(Path(folder, "answer"), "rb") as file:
            answer, inputs = _Unpickler(file).load()
        values = [array.tolist() for array in runner.run(answer, *inputs)]
        message = {"kind": "returned", "values": values}
    except BaseException as error:
        message = _described(error, answer)
    line = json.dumps(message).encode() + b"\n"
    while line:  # a pipe takes a part at a time
        line = line[os.write(channel, line) :]
    os._exit(0)


def _described(error: BaseException, answer: Any) -> dict[str, Any]:
    """What an exception says, as far as it lets itself be asked."""
    said: dict[str, Any] = {
        "kind": "raised",
        "error": "an exception",
        "text": "",
        "mistake": None,
        "place": None,
    }
    with contextlib.suppress(BaseException):
        from exercises.returned import Refusal

        said["error"] = f"{type(error).__name__}"[:TEXT]
        said["place"] = _place(error, {"__main__", str(getattr(answer, "__module__", None))})
        if isinstance(error, Refusal):
            said["mistake"] = str(error.mistake)
        notes = [note for note in getattr(error, "__notes__", []) if type(note) is str]
        said["text"] = "; ".join([f"{error}"[:TEXT], *notes])[:TEXT]
    return said


def _place(error: BaseException, modules: set[str]) -> list[Any] | None:
    """File and line of the last frame that is the reader's."""
    entry, place = error.__traceback__, None
    while entry is not None:
        file = entry.tb_frame.f_code.co_filename
        if str(entry.tb_frame.f_globals.get("__name__")) in modules and file != __file__:
            place = [file, entry.tb_lineno]
        entry = entry.tb_next
    return place


def _limit(seconds: int, *, gpu: bool) -> None:
    """Set the limits of this process."""
    import resource
    import time

    from exercises.returned import Refusal

    def cap(kind: int, most: int) -> None:
        with contextlib.suppress(ValueError, OSError):  # macOS refuses some
            resource.setrlimit(kind, (most, most))

    cap(resource.RLIMIT_CORE, 0)
    cap(resource.RLIMIT_FSIZE, GPU_FILE_BYTES if gpu else FILE_BYTES)
    # A process that nobody watches any more, in a loop. Several threads use it up faster.
    cap(resource.RLIMIT_CPU, int(time.process_time()) + 4 * (seconds + 2))
    if not gpu:  # a GPU's driver reserves more addresses than there is memory
        cap(resource.RLIMIT_AS, ADDRESS_BYTES)
    with contextlib.suppress(OSError):  # no /proc, as on macOS: memory is not limited there
        pages = int(Path("/proc/self/statm").read_text().split()[5])
        most = GPU_MEMORY_BYTES if gpu else MEMORY_BYTES
        cap(resource.RLIMIT_DATA, pages * resource.getpagesize() + most)

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        if event in STARTS:
            raise Refusal("starts-processes", "It starts another process, which an answer may not.")

    if not gpu:  # the compiler for a GPU may look for its parts with programs of its own
        sys.addaudithook(watch)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
