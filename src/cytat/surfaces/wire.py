"""Records <-> JSON values. The one place that knows field names, shared by every interface.

Field names are those of the records; a top-level value also has `kind` and `format`. Optional
values are present as null. Reading back what was written gives an equal record.
"""

import json
import re
import types
import typing
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import StrEnum

from cytat.errors import CytatError
from cytat.records import (
    Answer,
    Backup,
    CalibrationReport,
    CalibrationReset,
    Citation,
    CorpusStatus,
    Diagnosis,
    DocumentText,
    DroppedStatement,
    EvalReport,
    EvalSweep,
    Export,
    GoldDraft,
    IngestReport,
    JudgeAgreement,
    ModelList,
    Ranking,
    Refusal,
    RunComparison,
    SpanBoxes,
    Statement,
    Trace,
    Verification,
)

FORMAT = 1

_STEERING = re.compile(
    r"[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]"
)
"""Control and direction marks above U+001F, and what else has no width; JSON escapes the rest."""

Json: typing.TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"

KINDS: Mapping[type, str] = {
    IngestReport: "ingest-report",
    Ranking: "ranking",
    Answer: "answer",
    Refusal: "refusal",
    CorpusStatus: "status",
    DocumentText: "document",
    SpanBoxes: "boxes",
    Trace: "trace",
    Diagnosis: "doctor",
    Verification: "verify",
    Backup: "backup",
    Export: "export",
    ModelList: "models",
    EvalReport: "eval-report",
    RunComparison: "eval-comparison",
    GoldDraft: "eval-init",
    JudgeAgreement: "eval-judge",
    CalibrationReport: "eval-calibration",
    CalibrationReset: "eval-calibration-reset",
    EvalSweep: "eval-sweep",
    # Parts of an answer, streamed before the whole.
    Statement: "statement",
    DroppedStatement: "dropped",
    Citation: "citation",
}


def to_json(record: object) -> dict[str, Json]:
    """Return a top-level record as a JSON value."""
    body = _encode(record)
    if not isinstance(body, dict):
        raise TypeError(f"not a top-level record: {type(record).__name__}")
    return {"kind": KINDS[type(record)], "format": FORMAT, **body}


def from_json(value: Mapping[str, Json]) -> object:
    """Return the record that `to_json` made `value` from."""
    kinds = {kind: record for record, kind in KINDS.items()}
    body = {key: item for key, item in value.items() if key not in {"kind", "format"}}
    return _decode(kinds[str(value["kind"])], body)


def error_to_json(error: CytatError) -> dict[str, Json]:
    """Return an error as the JSON value that replaces a result."""
    return {
        "kind": "error",
        "format": FORMAT,
        "code": error.code,
        "message": _encode(error.message),
        "hint": _encode(error.hint),
    }


def dumps(value: Mapping[str, Json]) -> str:
    """Return the one JSON text of a value: equal values give equal bytes.

    Marks that steer a terminal or turn the order of letters are written by their numbers.
    """
    text = json.dumps(value, ensure_ascii=False, separators=(", ", ": "), allow_nan=False)
    return _STEERING.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)


def _encode(value: object) -> Json:
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        # File names may hold bytes that are not UTF-8; JSON cannot.
        return str(value).encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    if isinstance(value, Mapping):
        return {str(key): _encode(item) for key, item in value.items()}
    if is_dataclass(value):
        return {field.name: _encode(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, list | tuple):
        return [_encode(item) for item in value]
    raise TypeError(f"no JSON form for {type(value).__name__}")


def _decode(kind: typing.Any, value: Json) -> object:  # noqa: ANN401, PLR0911 (a type form)
    """Return `value` as the type form `kind`: a record, tuple, mapping, optional or scalar."""
    if isinstance(kind, typing.NewType):
        return value
    origin = typing.get_origin(kind)
    if origin in {typing.Union, types.UnionType}:
        if value is None:
            return None
        (inner,) = (arm for arm in typing.get_args(kind) if arm is not type(None))
        return _decode(inner, value)
    if origin is tuple and isinstance(value, list):
        return tuple(_decode(typing.get_args(kind)[0], item) for item in value)
    if origin is not None and isinstance(value, dict):
        return {key: _decode(typing.get_args(kind)[1], item) for key, item in value.items()}
    if isinstance(kind, type) and is_dataclass(kind) and isinstance(value, dict):
        hints = typing.get_type_hints(kind)
        return kind(**{name: _decode(hints[name], item) for name, item in value.items()})
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return kind(str(value))
    return float(value) if kind is float and isinstance(value, int) else value
