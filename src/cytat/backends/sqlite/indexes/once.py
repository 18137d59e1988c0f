"""A value that several threads want and one of them makes."""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Once(Generic[Value]):
    """Made when it is first asked for; whoever asks meanwhile waits."""

    def __init__(self) -> None:
        """Begin without it."""
        self._lock = threading.Lock()
        self._made: list[Value] = []

    def get(self, make: Callable[[], Value]) -> Value:
        """Return the value; `make` is called by the first who asks, and again if it failed."""
        if not self._made:
            with self._lock:
                if not self._made:
                    self._made.append(make())
        return self._made[0]

    @property
    def made(self) -> Value | None:
        """The value if it is there."""
        return self._made[0] if self._made else None
