"""What a corpus' gate was calibrated to, kept in `meta`."""

import json
from dataclasses import asdict

import apsw

from cytat.records import Calibration, GateWeights
from cytat.store.rows import dump_json
from cytat.store.spaces import SELECT_META, UPSERT_META

CALIBRATION_KEY = "calibration"

DELETE_META = "delete from meta where key = :key"


def read_calibration(connection: apsw.Connection) -> Calibration | None:
    """Return the calibration; None where there was none."""
    value = connection.execute(SELECT_META, {"key": CALIBRATION_KEY}).get
    if value is None:
        return None
    read = json.loads(value)
    refitted = read["refitted"]
    return Calibration(
        **{**read, "refitted": None if refitted is None else GateWeights(**refitted)}
    )


def write_calibration(connection: apsw.Connection, calibration: Calibration) -> None:
    """Put a calibration in place of the one before; documents and vectors stay as they are."""
    value = dump_json(asdict(calibration))
    connection.execute(UPSERT_META, {"key": CALIBRATION_KEY, "value": value})


def delete_calibration(connection: apsw.Connection) -> None:
    """Go back to the gate that is shipped."""
    connection.execute(DELETE_META, {"key": CALIBRATION_KEY})
