"""Size of a file -> what reading it may cost. Pure; the figures are bounds, not expectations."""

import math
import sys
from dataclasses import dataclass

_MIB = 1024 * 1024

CPU_BASE_S = 60
CPU_PER_MIB_S = 40
CPU_MOST_S = 1200
"""At least twice what the densest honest files took, tables and headings of a word or two in
Markdown; prose takes a twentieth of that: benchmarks/results/reading_isolation.json."""
WALL_PER_CPU = 3
"""Other programs use the processor too; a file must not fail because the machine is busy."""
MEMORY_BASE_BYTES = 1024 * _MIB
MEMORY_PER_BYTE = 300
MEMORY_MOST_BYTES = 4096 * _MIB
"""Dense Markdown took up to 400 times its size, prose 25 times: same place. The most is less than
what most machines have, so that the file fails and not the machine."""
REPLY_BASE_BYTES = 64 * _MIB
REPLY_PER_BYTE = 8
REPLY_MOST_BYTES = 1024 * _MIB
"""The text in UTF-8 with its blocks. Compressed text seldom grows more than eightfold."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What reading one file may cost. Only the wall clock and the reply are held everywhere."""

    wall_s: float
    cpu_s: int
    """Held where the system can: everywhere but on Windows."""
    memory_bytes: int
    """Address space beyond what an idle reader has. Held on Linux."""
    reply_bytes: int
    """Of the document that comes back."""


def limits_for(size_bytes: int) -> Limits:
    """Return the limits for a file of this size."""
    cpu_s = min(CPU_BASE_S + math.ceil(CPU_PER_MIB_S * size_bytes / _MIB), CPU_MOST_S)
    return Limits(
        wall_s=WALL_PER_CPU * cpu_s,
        cpu_s=cpu_s,
        memory_bytes=min(MEMORY_BASE_BYTES + MEMORY_PER_BYTE * size_bytes, MEMORY_MOST_BYTES),
        reply_bytes=min(REPLY_BASE_BYTES + REPLY_PER_BYTE * size_bytes, REPLY_MOST_BYTES),
    )


def held_here(platform: str = sys.platform) -> str:
    """Return which limits the system can hold, in words."""
    if platform == "linux":
        return "time, processor time, memory, size of the text"
    if platform == "win32":
        return "time, size of the text"
    return "time, processor time, size of the text"
