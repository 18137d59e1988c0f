"""Runs, sweeps and calibrations -> HTML pages that need nothing beside themselves."""
