"""How many documents are lost or halved in a thousand kills?

    python -m benchmarks.kill_sweep --kills 1000 --seed 7
    python -m benchmarks.kill_sweep --upkeep 60 --seed 7

The first kills `add`. The second kills each verb of upkeep so often, does it again after each kill
and compares with a run that was not disturbed; `before` and `after` count what the kills left: the
verb still to be done, or done. Prints one JSON value; stops at the first loss with the seed that
shows it.
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
from tests.faults.kills import VERBS, UpkeepSweep


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


def sweep_upkeep(place: Path, *, rounds: int, seed: int) -> dict[str, object]:
    """Return for each verb what the kills left; AssertionError at the first loss."""
    started = time.monotonic()
    verbs = {}
    for name in VERBS:
        folder = place / name
        folder.mkdir()
        run = UpkeepSweep(folder, name, random.Random(seed))  # noqa: S311 - moments, not secrets
        run.begin()
        for _ in range(rounds):
            run.round()
        verbs[name] = {
            "kills": run.kills,
            "before": run.before,
            "after": run.after,
            "lost": 0,
            "halved": 0,
        }
        print(name, verbs[name], file=sys.stderr, flush=True)
    seconds = round(time.monotonic() - started, 1)
    return {"rounds": rounds, "seed": seed, "verbs": verbs, "seconds": seconds}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--upkeep", type=int, metavar="ROUNDS", help="kill the verbs of upkeep")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        found = (
            sweep(Path(place), kills=options.kills, seed=options.seed)
            if options.upkeep is None
            else sweep_upkeep(Path(place), rounds=options.upkeep, seed=options.seed)
        )
        print(json.dumps(found))


if __name__ == "__main__":
    main()
