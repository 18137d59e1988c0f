"""The models of this machine -> lines on a terminal."""

from cytat.records import ModelList, ModelStatus
from cytat.surfaces.terminal.printing import line, talk

MEGABYTE = 1_000_000
SEVERAL = "about 100 languages"
"""What is written for a multilingual model."""


def model_list(found: ModelList) -> None:
    """Print a table of the models; below a row how to get what is missing, and what was done."""
    rows = [_row(model) for model in found.models]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row, model in zip(rows, found.models, strict=True):
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        line("  ".join(cells).rstrip())
        for file in model.files:
            if file.path is not None:
                line(f"    {file.state}: {file.path}")
        if model.hint is not None:
            line(f"    {model.hint}")
    for note in found.notes:
        talk(note)


def _row(model: ModelStatus) -> tuple[str, ...]:
    languages = SEVERAL if model.languages is None else ", ".join(model.languages)
    size = f"{model.size_bytes / MEGABYTE:.1f} MB"
    return model.name, str(model.state), size, model.licence, languages, model.task
