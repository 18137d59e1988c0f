"""How many documents are lost or halved in a thousand kills?

    python benchmarks/kill_sweep.py --kills 1000 --seed 7

Prints one JSON value; stops at the first loss with the seed that shows it.
"""

import argparse
import json
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # the sweep itself lives with the tests

from tests.crashes import Sweep


def sweep(place: Path, *, kills: int, seed: int) -> dict[str, float]:
    """Return what was interrupted and acknowledged; AssertionError at the first loss."""
    run = Sweep(place, random.Random(seed))  # noqa: S311 - moments, not secrets
    started = time.monotonic()
    run.begin()
    for number in range(kills):
        run.round(number)
    run.finish()
    return {
        "kills": kills,
        "seed": seed,
        "interrupted": run.interrupted,
        "acknowledged": run.acknowledged,
        "lost": 0,
        "halved": 0,
        "seconds": round(time.monotonic() - started, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        print(json.dumps(sweep(Path(place), kills=options.kills, seed=options.seed)))


if __name__ == "__main__":
    main()
