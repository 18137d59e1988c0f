"""Power cuts, failing operations, a full disk, flipped bits: quick ones, by fixed seeds.

`benchmarks/fault_sweep.py` does the same many times.
"""

from pathlib import Path

import apsw
import pytest
from tests.faults.disks import Fault, Power
from tests.faults.sweeps import Scene, count_operations, fail_at, flip, power_cut

from cytat.errors import CytatError

CUTS = 20
FLIPS = 12
STEP = 17
"""Of the operations of a run, every so many fails here; the longer sweep fails each."""


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    made = Scene(tmp_path)
    made.make()
    return made


def test_twenty_power_cuts_lose_nothing_acknowledged(scene: Scene) -> None:
    operations = count_operations(scene, Power())
    acknowledged = sum(power_cut(scene, seed, operations=operations) for seed in range(CUTS))
    assert acknowledged > 0, "the cuts came too early to prove anything"


def test_on_a_disk_that_lies_about_writing_the_same_cuts_lose_something(scene: Scene) -> None:
    operations = count_operations(scene, Power())

    def cut_all() -> None:
        for seed in range(CUTS):
            power_cut(scene, seed, operations=operations, is_honest=False)

    with pytest.raises((AssertionError, CytatError, apsw.Error)):
        cut_all()


@pytest.mark.parametrize("lasting", ["once", "from then on"])
@pytest.mark.parametrize("error", [apsw.FullError, apsw.IOError])
def test_an_operation_that_fails_leaves_each_document_old_or_new(
    scene: Scene, error: type[apsw.Error], lasting: str
) -> None:
    stays = lasting != "once"
    last = count_operations(scene, Fault(error, stays=stays, of_reads=False))
    told = [
        fail_at(scene, Fault(error, stays=stays, of_reads=False, at=at))
        for at in range(1, last, STEP)
    ]
    assert any(told)


def test_a_flipped_bit_in_text_or_vectors_is_noticed(scene: Scene) -> None:
    flips = [flip(scene, seed) for seed in range(FLIPS)]
    assert any(one.is_harm for one in flips)
    assert all(one.by_full for one in flips if one.is_harm)
