"""What a busy server asks for -> how many seconds to wait before the next attempt; bounded."""

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

FIRST_WAIT_S = 0.5
"""Doubled at each attempt; three waits last about 3.5 s, if the server asks for none."""
LONGEST_WAIT_S = 30.0
"""What a server may ask for with Retry-After; a longer wait is cut to this."""


@dataclass(frozen=True, slots=True)
class Clock:
    """Time as a client of a server sees it; tests bring their own."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    jitter: Callable[[], float] = random.random
    wall: Callable[[], float] = time.time
    """Seconds since 1970."""


def wait_s(attempt: int, asked_s: float | None, clock: Clock) -> float:
    """Return how long to wait: what the server asks for, else doubling, with jitter."""
    own_s = FIRST_WAIT_S * (1 << (attempt - 1)) * (0.5 + clock.jitter())
    return min(max(own_s, asked_s or 0.0), LONGEST_WAIT_S)


def asked_wait_s(headers: Mapping[str, str], clock: Clock) -> float | None:
    """Return the seconds that a reply's Retry-After asks to wait; None without a valid one.

    A date is compared with the server's own clock, its Date header, where it sends one.

    Source:
        RFC 9110, section 10.2.3 "Retry-After".
    """
    header = headers.get("Retry-After")
    if header is None:
        return None
    try:
        seconds = float(header)
    except ValueError:
        until = _seconds_of_date(header)
        now = _seconds_of_date(headers.get("Date")) or clock.wall()
        seconds = max(0.0, until - now) if until is not None else -1.0
    return seconds if 0 <= seconds < float("inf") else None


def _seconds_of_date(header: str | None) -> float | None:
    try:
        date = parsedate_to_datetime(header or "")
    except (TypeError, ValueError, OverflowError):  # what the parser raises depends on the release
        return None
    return (date if date.tzinfo else _in_utc(date)).timestamp()


def _in_utc(date: datetime) -> datetime:
    return date.replace(tzinfo=UTC)
