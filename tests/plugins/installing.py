"""Packages of plug-ins, installed into a folder as pip would, without a build and a network."""

import shutil
import tomllib
from pathlib import Path

PACKAGES = Path(__file__).parent


def install(package: str, target: Path) -> Path:
    """Put a package beside this file into `target` with its metadata; return `target`."""
    target.mkdir(exist_ok=True)
    folder = PACKAGES / package
    described = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
    for module in folder.glob("*.py"):
        shutil.copy(module, target)
    lines = []
    for group, entries in described["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in entries.items()), ""]
    register(target, described["name"], described["version"], "\n".join(lines))
    return target


def register(target: Path, name: str, version: str, entry_points: str) -> None:
    """Write the metadata of an installed distribution."""
    info = target / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir()
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    (info / "METADATA").write_text(metadata, "utf-8")
    (info / "entry_points.txt").write_text(entry_points, "utf-8")
    (info / "RECORD").write_text("", "utf-8")
