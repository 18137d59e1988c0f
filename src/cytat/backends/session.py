"""What encoders on onnxruntime share: a session that runs a graph, and batches of like lengths."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from cytat.protocols import Vectors

LEAST_FILLED = 0.75
"""A text shorter than this share of the longest in its batch starts a new batch, since padding
costs time."""


class Session(Protocol):
    """What is used of an onnxruntime session."""

    def run(
        self, outputs: list[str] | None, inputs: Mapping[str, NDArray[np.generic]]
    ) -> list[Vectors]:
        """Return the outputs asked for."""
        ...


def open_session(graph: Path) -> Session:
    """Return a session that computes on the cores this process may use.

    The library's wheels report to their maker as soon as they are loaded, unless this is set;
    its own call to switch that off comes too late.
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime  # noqa: PLC0415 - see above

    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = _cores()
    settings.inter_op_num_threads = 1
    # Threads that spin while they wait take the processor from others and make a batch no faster.
    settings.add_session_config_entry("session.intra_op.allow_spinning", "0")
    settings.log_severity_level = 3
    session: Session = onnxruntime.InferenceSession(
        str(graph), settings, providers=["CPUExecutionProvider"]
    )
    return session


def batches_by_length(lengths: Sequence[int], *, most: int) -> Iterator[list[int]]:
    """Yield positions in `lengths`, each once, at most `most` at a time, longest first. Pure.

    Longest first: memory is at its peak at the start, so a run that does not fit fails early.
    """
    batch: list[int] = []
    for position in sorted(range(len(lengths)), key=lambda at: -lengths[at]):
        if batch and (len(batch) == most or lengths[position] < LEAST_FILLED * lengths[batch[0]]):
            yield batch
            batch = []
        batch.append(position)
    if batch:
        yield batch


def _cores() -> int:
    """Return how many cores this process may use; all of them where the system does not say."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
