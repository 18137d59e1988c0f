"""A moment -> the gate in force: what the corpus was calibrated to, unless it no longer fits."""

from cytat.answering import Gate, calibrated_gate, gate_hash, shipped_gate
from cytat.protocols import Moment
from cytat.records import Calibration
from cytat.text.notes import Note, NoteKind, note


def gate_in_force(moment: Moment) -> tuple[Gate, Note | None]:
    """Return the gate that answers are decided by, and why it is not the calibrated one."""
    calibration, misfit = stored_calibration(moment)
    if calibration is None or misfit is not None:
        return shipped_gate(), misfit
    return calibrated_gate(calibration), None


def stored_calibration(moment: Moment) -> tuple[Calibration | None, Note | None]:
    """Return the corpus' calibration, and why it does not fit the corpus as it is."""
    calibration = moment.calibration()
    if calibration is None:
        return None, None
    space = moment.space()
    if space is None or space.weights != calibration.weights:
        return calibration, note(NoteKind.CALIBRATED_WITH_OTHER_ENCODER)
    is_other = calibration.gate != gate_hash()
    return calibration, note(NoteKind.CALIBRATED_WITH_OTHER_GATE) if is_other else None
