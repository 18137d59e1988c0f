"""Damaged PDFs in a folder: nothing hangs, each is accounted for, and the others are untouched."""

from pathlib import Path

import pytest
from tests.faults.wrecked_folder import bring_in

SEED = 20


def test_a_dozen_damaged_copies_in_a_folder_cost_the_other_files_nothing(tmp_path: Path) -> None:
    run = bring_in(tmp_path, copies=12, seed=SEED)
    assert min(run.states["partial"], run.states["failed"]) > 0
    assert run.codes.keys() == {"unreadable"}
    assert run.pages > 12


@pytest.mark.slow
def test_three_hundred_damaged_copies_in_a_folder_cost_the_other_files_nothing(
    tmp_path: Path,
) -> None:
    assert bring_in(tmp_path, copies=300, seed=SEED).copies == 300
