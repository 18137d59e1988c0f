"""What do power cuts, failing operations, full disks and flipped bits cost?

    python -m benchmarks.fault_sweep --cuts 200 --flips 300 --seed 1

Stops at the first loss, with the seed that shows it. Writes `results/fault_sweep.json`.
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path

import apsw

sys.path.insert(0, str(Path(__file__).parents[1]))  # the sweeps themselves live with the tests

from tests.faults.disks import Fault, Power
from tests.faults.sweeps import Scene, count_operations, fail_at, flip, power_cut

HERE = Path(__file__).parent


def cut_sweep(scene: Scene, *, cuts: int, seed: int) -> dict[str, int]:
    """Return how many documents were acknowledged before the cuts; all of them were kept."""
    operations = count_operations(scene, Power())
    seeds = range(seed, seed + cuts)
    acknowledged = sum(power_cut(scene, one, operations=operations) for one in seeds)
    return {
        "cuts": cuts,
        "operations": operations,
        "acknowledged": acknowledged,
        "lost": 0,
        "halved": 0,
    }


def failure_sweep(scene: Scene) -> dict[str, dict[str, int]]:
    """Let each operation of a run fail, once or from then on; return how many were told."""
    figures = {}
    for name, error, of_reads in (
        ("disk full", apsw.FullError, False),
        ("write or sync", apsw.IOError, False),
        ("read", apsw.IOError, True),
    ):
        for stays in (False, True):
            last = count_operations(scene, Fault(error, stays=stays, of_reads=of_reads))
            step = max(last // 200, 1)
            told = [
                fail_at(scene, Fault(error, stays=stays, of_reads=of_reads, at=at))
                for at in range(1, last + 1, step)
            ]
            key = f"{name}, {'from then on' if stays else 'once'}"
            figures[key] = {
                "operations": last,
                "failed": len(told),
                "told": sum(told),
                "lost": 0,
                "halved": 0,
            }
            print(key, figures[key], flush=True)
    return figures


def flip_sweep(scene: Scene, *, flips: int, seed: int) -> dict[str, int]:
    """Return how many flipped bits changed what is stored, and how many were noticed."""
    found = [flip(scene, one) for one in range(seed, seed + flips)]
    harm = [one for one in found if one.is_harm]
    return {
        "flips": flips,
        "changed_content": len(harm),
        "noticed_by_verify": sum(one.by_verify for one in harm),
        "noticed_by_verify_full": sum(one.by_full for one in harm),
        "noticed_without_change": sum(one.by_full for one in found) - sum(o.by_full for o in harm),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cuts", type=int, default=200)
    parser.add_argument("--flips", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=HERE / "results" / "fault_sweep.json")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        scene = Scene(Path(place))
        scene.make()
        figures = {
            "seed": given.seed,
            "power_cuts": cut_sweep(scene, cuts=given.cuts, seed=given.seed),
            "flipped_bits": flip_sweep(scene, flips=given.flips, seed=given.seed),
            "failing_operations": failure_sweep(scene),
        }
    given.out.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
