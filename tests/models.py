"""Machines that lack a package: what is installed here is hidden from look-ups."""

import importlib.metadata

import pytest


def hide_packages(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Let look-ups of installed packages find none of these."""
    known = importlib.metadata.distribution

    def without(name: str) -> importlib.metadata.Distribution:
        if name in names:
            raise importlib.metadata.PackageNotFoundError(name)
        return known(name)

    monkeypatch.setattr(importlib.metadata, "distribution", without)
