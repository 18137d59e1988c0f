"""Graph file -> a session that runs it. The names by which the two know each other."""

import os
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from cytat.protocols import Vectors

VECTORS, MASK, POOLED = "vectors", "mask", "pooled"
"""Inputs of shape (texts, tokens, hidden) and (texts, tokens); output (texts, hidden)."""


class Precision(StrEnum):
    """How the matrices are kept and multiplied."""

    BLOCKS = "blocks"
    """4-bit blocks as they are, products in float32."""
    BLOCKS_INT8 = "blocks-int8"
    """4-bit blocks, activations rounded to 8 bits in blocks of their own."""
    FLOAT = "float"
    """Numbers in float32."""


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
    # Threads that wait actively take the processor from others while a batch is no sooner done.
    settings.add_session_config_entry("session.intra_op.allow_spinning", "0")
    settings.log_severity_level = 3
    session: Session = onnxruntime.InferenceSession(
        str(graph), settings, providers=["CPUExecutionProvider"]
    )
    return session


def _cores() -> int:
    """Return how many cores this process may use; all of them where the system does not say."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
