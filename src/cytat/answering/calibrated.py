"""What a corpus was calibrated to -> the gate in force, and the confidence of its answers."""

import hashlib
import json
import math
from dataclasses import asdict, dataclass, replace

from cytat.answering.weights import FittedModel, Weights, log_odds, shipped_model
from cytat.records import Calibration, Confidence, GateWeights

HASH_DIGITS = 16


@dataclass(frozen=True, slots=True)
class Gate:
    """A model, how much stricter than its threshold it decides, and what that rests on."""

    model: FittedModel
    stricter: float
    calibration: Calibration | None
    """None: as shipped, or let open."""

    def confidence(self, margin: float | None) -> Confidence | None:
        """Return the estimate for an answer; None where no question of the corpus' own tells."""
        if self.calibration is None or margin is None:
            return None
        odds = self.calibration.slope * margin + self.calibration.offset
        chance = 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))
        return Confidence(round(chance, 4), self.calibration.calibrated_on)


def shipped_gate() -> Gate:
    """Return the gate of a corpus that was never calibrated."""
    return Gate(shipped_model(), 0.0, None)


def open_gate() -> Gate:
    """Return a gate that lets through whatever no rule refuses: what a calibration looks at."""
    return Gate(shipped_model(), -math.inf, None)


def calibrated_gate(calibration: Calibration) -> Gate:
    """Return the gate that a corpus was calibrated to."""
    model = shipped_model()
    if calibration.refitted is not None:
        intercept = calibration.refitted.intercept + log_odds(model.threshold)
        model = replace(model, gate=Weights(intercept, calibration.refitted.of))
    return Gate(model, calibration.stricter, calibration)


def margin_weights() -> GateWeights:
    """Return the shipped gate as weights whose sum is the margin above its threshold."""
    model = shipped_model()
    return GateWeights(model.gate.intercept - log_odds(model.threshold), model.gate.of)


def gate_hash() -> str:
    """Return what identifies the shipped gate: margins of another one mean something else."""
    shown = asdict(shipped_model())
    parts = {name: value for name, value in shown.items() if name != "sentence"}
    text = json.dumps(parts, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:HASH_DIGITS]
