"""Law: after a kill at any moment each document is in its old or its new version, whole.

What was acknowledged is there. `benchmarks/kill_sweep.py` does the same a thousand times.
"""

import os
import random
import time
from pathlib import Path

from tests.crashes import Sweep

KILLS = 50
MOST_KILLS = 200
"""Where the machine's speed changes meanwhile, fifty can all come too early or too late."""


def test_fifty_kills_lose_nothing_acknowledged_and_leave_nothing_half(tmp_path: Path) -> None:
    seed = int(os.environ.get("KILL_SEED", time.time_ns() % 10**6))
    print(f"KILL_SEED={seed}")
    sweep = Sweep(tmp_path, random.Random(seed))  # noqa: S311 - moments, not secrets
    sweep.begin()
    for number in range(MOST_KILLS):
        if number >= KILLS and sweep.interrupted > KILLS // 4 and sweep.acknowledged:
            break
        sweep.round(number)
    sweep.finish()
    assert sweep.interrupted > KILLS // 4, "the kills came too late to prove anything"
    assert sweep.acknowledged > 0, "the kills came too early to prove anything"
