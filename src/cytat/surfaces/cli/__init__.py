"""The command line, a module for each group of verbs."""

from cytat.surfaces.cli.commands import main, run

__all__ = ["main", "run"]
