"""`model.json` of this package -> fitted weights. Made by `benchmarks/fit_gate.py`."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources


@dataclass(frozen=True, slots=True)
class Weights:
    """A linear model over named signals; every signal it knows has to be given."""

    intercept: float
    of: Mapping[str, float]

    def sum(self, seen: Mapping[str, float]) -> float:
        """Return intercept + sum over signals of weight * value."""
        return self.intercept + math.fsum(weight * seen[name] for name, weight in self.of.items())

    def probability(self, seen: Mapping[str, float]) -> float:
        """Return 1 / (1 + exp(-sum))."""
        total = max(-30.0, min(30.0, self.sum(seen)))
        return 1.0 / (1.0 + math.exp(-total))


@dataclass(frozen=True, slots=True)
class FittedModel:
    """What is shipped: weights for choosing sentences, weights and thresholds for refusing."""

    sentence: Weights
    gate: Weights
    gate_without_words: Weights
    threshold: float
    threshold_without_words: float
    fitted_on: str


def log_odds(probability: float) -> float:
    """Return ln(p / (1 - p))."""
    return math.log(probability / (1.0 - probability))


@cache
def shipped_model() -> FittedModel:
    """Return the model of the package."""
    text = resources.files("cytat.answering").joinpath("model.json").read_text("utf-8")
    return parse_model(text)


def parse_model(text: str) -> FittedModel:
    """Return the model that a JSON text describes; KeyError when a part is missing."""
    read = json.loads(text)
    return FittedModel(
        sentence=_weights(read["sentence"]),
        gate=_weights(read["gate"]),
        gate_without_words=_weights(read["gate_without_words"]),
        threshold=float(read["gate"]["threshold"]),
        threshold_without_words=float(read["gate_without_words"]["threshold"]),
        fitted_on=str(read["fitted_on"]),
    )


def _weights(read: Mapping[str, object]) -> Weights:
    of = read["weights"]
    if not isinstance(of, dict):
        raise TypeError("weights are not an object")
    return Weights(float(str(read["intercept"])), {str(k): float(v) for k, v in of.items()})
