"""What a call asks of SQLite: its statements, and how much work they are."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import apsw


@dataclass
class Asked:
    """Statements that have run, in order; `steps` are those of SQLite's virtual machine.

    The number of steps does not depend on how busy the computer is.
    """

    statements: list[str] = field(default_factory=list)
    steps: int = 0


@contextmanager
def asked_of_sqlite() -> Iterator[Asked]:
    """Collect what is asked through connections that are opened within."""
    asked = Asked()

    def note(event: dict[str, Any]) -> None:
        asked.statements.append(event["sql"].strip())
        asked.steps += event["stmt_status"]["SQLITE_STMTSTATUS_VM_STEP"]

    def watch(connection: apsw.Connection) -> None:
        connection.trace_v2(apsw.SQLITE_TRACE_PROFILE, note)

    apsw.connection_hooks.append(watch)
    try:
        yield asked
    finally:
        apsw.connection_hooks.remove(watch)
