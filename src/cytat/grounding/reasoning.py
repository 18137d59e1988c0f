"""Draft pieces -> draft pieces without the reasoning that some models print between tags.

Tags may be nested, of any case, opened only (the rest is reasoning) or closed only (what came
before was reasoning: a `Restart`). A tag between quotation marks or back-ticks is text, so a
document that is about such tags can be quoted.
"""

import re
from dataclasses import dataclass

_TAG = re.compile(r"<(/?)\s*(?:think(?:ing)?|thoughts?|reasoning)\s*>", re.IGNORECASE)
_LONGEST_TAG = 16
_QUOTES = frozenset("\"'`„”“«»‘’‚")


@dataclass(frozen=True, slots=True)
class Restart:
    """Everything the draft has said so far was reasoning and is not part of it."""


class ReasoningFilter:
    """Takes a draft in pieces of any size; gives the same text whatever the pieces were."""

    def __init__(self) -> None:
        self._held = ""
        self._before = ""
        self._depth = 0

    def feed(self, piece: str) -> list[str | Restart]:
        """Return what is certain now: visible text, and restarts."""
        self._held += piece
        return self._release(at_end=False)

    def finish(self) -> list[str | Restart]:
        """Return what was held back; the draft has ended."""
        return self._release(at_end=True)

    def _release(self, *, at_end: bool) -> list[str | Restart]:
        events: list[str | Restart] = []
        while match := _TAG.search(self._held):
            if match.end() == len(self._held) and not at_end:
                break  # the character after it decides whether it is quoted
            events.extend(self._pass_tag(match))
        match = _TAG.search(self._held)
        certain = match.start() if match else self._certain(at_end=at_end)
        events.extend(self._visible(self._held[:certain]))
        self._held = self._held[certain:]
        return events

    def _pass_tag(self, match: re.Match[str]) -> list[str | Restart]:
        """Take the text up to and with one tag."""
        text, tag, rest = self._held[: match.start()], match[0], self._held[match.end() :]
        before = (self._before + text)[-1:]
        self._held = rest
        if before in _QUOTES and rest[:1] in _QUOTES and before and rest:
            return self._visible(text + tag)
        events = self._visible(text)
        self._before = ""
        if not match[1]:
            self._depth += 1
        elif self._depth:
            self._depth -= 1
        else:
            events = [Restart()]
        return events

    def _visible(self, text: str) -> list[str | Restart]:
        if not text:
            return []
        self._before = text[-1]
        return [] if self._depth else [text]

    def _certain(self, *, at_end: bool) -> int:
        """Return how many held characters cannot belong to a tag that is still arriving."""
        if at_end:
            return len(self._held)
        start = self._held.rfind("<")
        torn = (
            start >= 0 and len(self._held) - start < _LONGEST_TAG and ">" not in self._held[start:]
        )
        return start if torn else len(self._held)
