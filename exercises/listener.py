"""Listen to a worker: its messages, what is printed, how long it takes and how it ends.

Everything that arrives may be forged by the answer that runs over there. So what is read is bounded, it is JSON and
nothing else, and what does not have the expected form is "garbled".
"""

import contextlib
import json
import os
import selectors
import signal
import subprocess
import time
from dataclasses import dataclass, replace
from typing import Any

START_SECONDS = 60  # for the imports, which may come from a slow disk
RESULT_BYTES = 2**20
PRINTED_BYTES = 2**20
KEPT_BYTES = 4000  # of what an answer printed
BLOCK = 2**16


class CheckError(RuntimeError):
    """The check itself could not run: nothing is said about the answer."""


@dataclass(frozen=True)
class Outcome:
    """What came of an answer: `values`, JSON that nobody has judged, or a `mistake` and a sentence.

    place: the file and line of the reader's that raised, if one did. printed: the beginning of what was printed.
    """

    values: list[Any] | None = None
    mistake: str | None = None
    sentence: str = ""
    place: tuple[str, int] | None = None
    printed: str = ""


GARBLED = Outcome(mistake="garbled", sentence="What came back from its process cannot be read.")


class Listener:
    """Reads the two pipes of a worker. `channel` is where its messages come, one a line."""

    def __init__(self, worker: subprocess.Popen[bytes], channel: int, seconds: int, gpu_seconds: int) -> None:
        assert worker.stdout is not None
        self.worker, self.channel, self.output = worker, channel, worker.stdout.fileno()
        self.limits = {False: seconds, True: gpu_seconds}
        self.limit, self.ready = START_SECONDS, False
        self.received, self.printed, self.count = bytearray(), bytearray(), 0

    def outcome(self) -> Outcome:
        """Listen until there is a result, or until there will be none. Raises CheckError if it cannot start."""
        found = self._result()
        os.set_blocking(self.output, False)
        with contextlib.suppress(
            BlockingIOError
        ):  # what was printed before the result is in the pipe already
            while self.count <= PRINTED_BYTES and self._hear():
                pass
        return replace(found, printed=self.printed.decode(errors="replace"))

    def _result(self) -> Outcome:
        deadline = time.monotonic() + self.limit
        with selectors.DefaultSelector() as selector:
            selector.register(self.channel, selectors.EVENT_READ)
            selector.register(self.output, selectors.EVENT_READ)
            while (left := deadline - time.monotonic()) > 0:
                # A process that the worker left behind can hold the pipes open, so its end is looked for too.
                ended = self.worker.poll() is not None
                events = [key.fd for key, _ in selector.select(0 if ended else min(left, 0.1))]
                if self.output in events and not self._hear():
                    selector.unregister(self.output)
                if self.count > PRINTED_BYTES:
                    sentence = f"It printed more than {PRINTED_BYTES // 2**20} MiB."
                    return Outcome(mistake="prints-too-much", sentence=sentence)
                was_ready = self.ready
                found = self._message() if self.channel in events else None
                if found is not None:
                    return found
                if ended and not events:
                    return self._dead()
                if self.ready and not was_ready:
                    deadline = time.monotonic() + self.limit
        if not self.ready:
            raise CheckError(f"the checking process did not start within {self.limit} seconds")
        return Outcome(mistake="too-slow", sentence=f"It was still running after {self.limit} seconds.")

    def _hear(self) -> bool:
        """Read some of what is printed; False at its end."""
        part = os.read(self.output, BLOCK)
        self.count += len(part)
        self.printed += part[: max(0, KEPT_BYTES - len(self.printed))]
        return bool(part)

    def _message(self) -> Outcome | None:
        """Read some of the channel; return the result once it is there."""
        part = os.read(self.channel, BLOCK)
        self.received += part
        while b"\n" in self.received:
            line, _, self.received = self.received.partition(b"\n")
            message = _parsed(bytes(line))
            if self.ready or message.get("kind") != "ready":
                return _outcome(message)
            self.ready, self.limit = True, self.limits[message.get("gpu") is True]
        if len(self.received) > RESULT_BYTES:
            return GARBLED
        return None if part else self._dead()

    def _dead(self) -> Outcome:
        """Say how a worker ended that has sent no result."""
        try:
            code = self.worker.wait(1)
        except subprocess.TimeoutExpired:  # it closed the channel and lives on
            return GARBLED
        if not self.ready:
            raise CheckError(f"the checking process ended with code {code} before it was ready")
        if code == -signal.SIGXCPU:
            return Outcome(mistake="too-slow", sentence="It used more processor time than an answer may.")
        how = f"ended its process with code {code}"
        if code < 0:
            how = f"was ended by {signal.Signals(-code).name if -code in list(signal.Signals) else f'signal {-code}'}"
        return Outcome(mistake="ends-the-process", sentence=f"It {how}, and returned nothing.")


def _parsed(line: bytes) -> dict[str, Any]:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return message if isinstance(message, dict) else {}


def _outcome(message: dict[str, Any]) -> Outcome:
    """Make an outcome of a message that may hold anything. Raises CheckError if the worker could not start."""
    match message:
        case {"kind": "broken", "sentence": str(sentence)}:
            raise CheckError(f"the checking process could not start: {sentence}")
        case {"kind": "returned", "values": list(values)}:
            return Outcome(values=values)
        case {"kind": "raised", "error": str(error), "text": str(text), "mistake": mistake, "place": place}:
            where = None
            match place:
                case [str(file), int(line)]:
                    where = file, line
            mistake, sentence = (mistake, text) if isinstance(mistake, str) else _raised(error, text)
            return Outcome(mistake=mistake, sentence=sentence, place=where)
    return GARBLED


def _raised(error: str, text: str) -> tuple[str, str]:
    """Name an exception of the answer's."""
    if error == "MemoryError":
        return "too-much-memory", "It took more memory than an answer may."
    if error == "SystemExit":
        return "ends-the-process", "It calls sys.exit in place of returning."
    if error == "ValueError" and "read-only" in text:
        return "edits-its-input", "It writes into its input; wanted a new array."
    return "raises", f"It raised {error}: {text.rstrip('.')}." if text else f"It raised {error}."
