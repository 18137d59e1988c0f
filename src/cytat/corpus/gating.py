"""A store -> the gate in force: what the corpus was calibrated to, unless it no longer fits."""

from contextlib import closing
from dataclasses import dataclass

from cytat.answering import Gate, calibrated_gate, gate_hash, shipped_gate
from cytat.config import Settings
from cytat.corpus.parts import check_owner, open_store
from cytat.protocols import Store
from cytat.records import Calibration, CalibrationReset


@dataclass(frozen=True, slots=True)
class Misfit:
    """Why a calibration is kept and not used, for people, in the languages of refusals."""

    texts: dict[str, str]

    def text(self, language: str) -> str:
        """Return the reason in a language, or in English."""
        return self.texts.get(language, self.texts["en"])


OTHER_ENCODER = Misfit(
    {
        "en": "The calibration was made with another encoder and is not used: run `cytat eval "
        "calibrate` again.",
        "pl": "Kalibrację wykonano z innym koderem i nie jest używana: uruchom ponownie `cytat "
        "eval calibrate`.",
    }
)
OTHER_GATE = Misfit(
    {
        "en": "The calibration was made with another version of cytat and is not used: run `cytat "
        "eval calibrate` again.",
        "pl": "Kalibrację wykonano inną wersją cytat i nie jest używana: uruchom ponownie `cytat "
        "eval calibrate`.",
    }
)


def gate_in_force(store: Store) -> tuple[Gate, Misfit | None]:
    """Return the gate that answers are decided by, and why it is not the calibrated one."""
    calibration, misfit = stored_calibration(store)
    if calibration is None or misfit is not None:
        return shipped_gate(), misfit
    return calibrated_gate(calibration), None


def stored_calibration(store: Store) -> tuple[Calibration | None, Misfit | None]:
    """Return the corpus' calibration, and why it does not fit the corpus as it is."""
    with store.moment() as moment:
        calibration, space = moment.calibration(), moment.space()
    if calibration is None:
        return None, None
    if space is None or space.weights != calibration.weights:
        return calibration, OTHER_ENCODER
    return calibration, None if calibration.gate == gate_hash() else OTHER_GATE


def reset_calibration(settings: Settings) -> CalibrationReset:
    """Put the shipped gate in force again; NotAllowedError for a reader."""
    check_owner(settings)
    with closing(open_store(settings)) as store, store.writing() as writing:
        before = writing.calibration()
        writing.set_calibration(None)
    return CalibrationReset(before)
