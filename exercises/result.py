"""What a check says: one paragraph, in a notebook and in a terminal, whatever the answer put into it."""

import re
import string
from dataclasses import dataclass

SENTENCE = 700  # characters
PRINTED = 2000
COLOURS = re.compile(r"\x1b\[[0-9;]*m")  # as in numba's messages
# As entities, punctuation is text in Markdown and in HTML: it opens no tag, link, formula or list.
ENTITIES = {ord(sign): f"&#{ord(sign)};" for sign in string.punctuation}


@dataclass(frozen=True, repr=False)
class Result:
    """The result of `exercises.check`. True where the answer passed, so that ``assert check(...)`` works.

    exercise: its name. passed. mistake: the name of what is wrong, None where nothing is. sentence: the same in
    words, with the first element that differs. printed: the beginning of what the answer printed.

    >>> Result("supplied-row", False, "constant", "Every lane supplies A(0,0).")
    supplied-row: not yet (constant). Every lane supplies A(0,0).
    """

    exercise: str
    passed: bool
    mistake: str | None
    sentence: str
    printed: str = ""

    def __post_init__(self) -> None:
        """Take out control characters, which can rewrite a terminal, and what is too long."""
        for name, keep, most in (
            ("mistake", "", 60),
            ("sentence", "", SENTENCE),
            ("printed", "\n\t", PRINTED),
        ):
            text = getattr(self, name)
            if text is not None:
                object.__setattr__(self, name, _readable(text, keep, most))

    def __bool__(self) -> bool:
        return self.passed

    @property
    def _verdict(self) -> str:
        return "passed" if self.passed else f"not yet ({self.mistake})"

    def __repr__(self) -> str:
        text = f"{self.exercise}: {self._verdict}. {self.sentence}"
        return f"{text}\nIt printed:\n{self.printed}" if self.printed else text

    def _repr_markdown_(self) -> str:
        text = f"**{_entities(self.exercise)}: {_entities(self._verdict)}.** {_entities(self.sentence)}"
        if self.printed:
            text += f"\n\nIt printed:\n\n<pre>{_entities(self.printed)}</pre>"
        return text


def _readable(text: str, keep: str, most: int) -> str:
    text = COLOURS.sub("", text)
    shown = "".join(
        sign if sign.isprintable() or sign in keep else " " if sign.isspace() else "\N{REPLACEMENT CHARACTER}"
        for sign in text[: most + 1]
    )
    return shown if len(shown) <= most else shown[: most - 4] + " ..."


def _entities(text: str) -> str:
    return text.translate(ENTITIES)
