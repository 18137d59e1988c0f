"""A small volume of one's own, really full or really read-only: tmpfs in a mount namespace.

Needs a Linux that lets a process make namespaces; elsewhere these tests are skipped, and the disks
of `tests.faults.disks` fail in their place.
"""

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PATIENCE_S = 120.0
MOUNT = 'mount -t tmpfs -o size="$1" tmpfs "$2" && shift 2 && exec "$@"'


@cache
def can_be_made() -> bool:
    """Say whether a volume can be mounted here."""
    if shutil.which("unshare") is None:
        return False
    tried = ["unshare", "-rm", "sh", "-c", "mount -t tmpfs tmpfs /mnt"]
    return subprocess.run(tried, check=False, capture_output=True).returncode == 0


def run_on(folder: Path, function: str, *, size: str) -> str:
    """Run a function of `tests.faults.on_volumes` on a volume at `folder`; return what it prints.

    It is a process of its own, which is the only one that sees the volume.
    """
    command = [sys.executable, "-c", f"from tests.faults import on_volumes as v; v.{function}()"]
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", MOUNT, "sh", size, str(folder), *command],
        check=False,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        cwd=ROOT,
        env={
            **os.environ,
            "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}",
            "VOLUME": str(folder),
        },
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
