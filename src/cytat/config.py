"""Flags, environment, file -> Settings. What a person may change, typed; unknown keys are refused.

Order: flags, then the environment, then the settings file, then defaults. The file is the one
named by `--config` or `CYTAT_CONFIG`, else `config.toml` in the platform's configuration folder;
none is read from the folders being indexed or from the current one.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from cytat.errors import SettingsError

_NO_FILE = (FileNotFoundError, NotADirectoryError, IsADirectoryError)
DEFAULT_EMBEDDER = "e5-small"
SMALLEST_CHUNK_TOKENS = 16
"""A heading path and one short sentence; below it nothing can be cut sensibly."""


_URL = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)


def default_cache() -> Path:
    """Return where the encoder's files are made when no other place is set."""
    import platformdirs  # noqa: PLC0415 - the package is imported by programs that set nothing

    return Path(platformdirs.user_cache_dir("cytat", appauthor=False))


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything a person may set. None means: not set, decided where it is needed.

    Keys, and addresses, which may hold a password, are not part of its `repr`.
    """

    corpus: Path | str = Path("cytat.db")
    """A file, or the URL of a corpus that another back-end keeps."""
    embedder: str | None = None
    """None: the embedder the corpus was made with, else `DEFAULT_EMBEDDER`."""
    chunking: str | None = None
    """None: the way the corpus is cut, else "structure"."""
    chunk_tokens: int | None = None
    evidence: int = 8
    """Passages given to a generator."""
    model: str | None = None
    base_url: str | None = field(default=None, repr=False)
    api_key: str | None = field(default=None, repr=False)
    embeddings_model: str | None = None
    embeddings_base_url: str | None = field(default=None, repr=False)
    embeddings_api_key: str | None = field(default=None, repr=False)
    judge: str | None = None
    """A chat model that judges answers in `eval run`."""
    judge_base_url: str | None = field(default=None, repr=False)
    """None: the server of `model`."""
    judge_api_key: str | None = field(default=None, repr=False)
    timeout_s: float = 120.0
    labels: tuple[str, ...] | None = None
    """Those of the reader this is; None: the owner, who reads everything."""
    cache: Path = field(default_factory=default_cache)

    def __post_init__(self) -> None:
        wrong = list(_invalid(self))
        if wrong:
            raise SettingsError("; ".join(wrong), hint="correct the settings named here")

    @property
    def judge_server(self) -> str | None:
        """The address of the judge."""
        return self.judge_base_url or self.base_url

    def contacts(self) -> tuple[str, ...]:
        """Return the addresses that these settings let the program contact."""
        named = []
        if self.model and self.base_url:
            named.append(self.base_url)
        if self.embeddings_model and self.embeddings_base_url:
            named.append(self.embeddings_base_url)
        if self.judge and self.judge_server:
            named.append(self.judge_server)
        return tuple(dict.fromkeys(named))


ENVIRONMENT: Mapping[str, str] = {
    "CYTAT_CORPUS": "corpus",
    "CYTAT_EMBEDDER": "embedder",
    "CYTAT_CHUNKING": "chunking",
    "CYTAT_CHUNK_TOKENS": "chunk_tokens",
    "CYTAT_EVIDENCE": "evidence",
    "CYTAT_TIMEOUT_S": "timeout_s",
    "CYTAT_CACHE": "cache",
    "CYTAT_LABELS": "labels",
    "CYTAT_JUDGE": "judge",
    "CYTAT_JUDGE_BASE_URL": "judge_base_url",
    "CYTAT_JUDGE_API_KEY": "judge_api_key",
    "OPENAI_MODEL": "model",
    "OPENAI_BASE_URL": "base_url",
    "OPENAI_API_KEY": "api_key",
    "EMBEDDINGS_MODEL": "embeddings_model",
    "EMBEDDINGS_BASE_URL": "embeddings_base_url",
    "EMBEDDINGS_API_KEY": "embeddings_api_key",
}


def default_file() -> Path:
    """Return where the settings file is looked for when none is named."""
    import platformdirs  # noqa: PLC0415 - see `default_cache`

    return Path(platformdirs.user_config_dir("cytat", appauthor=False)) / "config.toml"


def load_settings(
    flags: Mapping[str, object],
    *,
    environment: Mapping[str, str] | None = None,
    file: Path | None = None,
) -> Settings:
    """Return the settings in force.

    Args:
        flags: field name -> value; a None counts as not given.
        environment: the process environment by default.
        file: a settings file that must exist; None looks in the usual place.
    """
    env = os.environ if environment is None else environment
    named = file or (Path(env["CYTAT_CONFIG"]) if env.get("CYTAT_CONFIG") else None)
    given: dict[str, object] = dict(_read_file(named))
    given.update(
        (field, env[name])
        for name, field in ENVIRONMENT.items()
        if env.get(name) or _counts_empty(name, env)
    )
    given.update((key, value) for key, value in flags.items() if value is not None)
    typed: dict[str, Any] = {key: _typed(key, value) for key, value in given.items()}
    return replace(Settings(), **typed)


def _read_file(named: Path | None) -> Mapping[str, object]:
    path = named or default_file()
    try:
        content = path.read_bytes()
    except OSError as error:
        if named is None and isinstance(error, _NO_FILE):
            return {}
        raise SettingsError(
            f"the settings file {path} cannot be read: {error.strerror}",
            hint="name another with --config FILE, or leave it out",
        ) from error
    import difflib  # noqa: PLC0415 - most people have no settings file
    import tomllib  # noqa: PLC0415

    try:
        given = tomllib.loads(content.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"the settings file {path} is not TOML: {error}", hint="correct that line"
        ) from error
    known = {field.name for field in fields(Settings)}
    for key in given:
        if key not in known:
            near = difflib.get_close_matches(key, known, n=1, cutoff=0.0)[0]
            raise SettingsError(
                f"unknown setting {key!r} in {path}", hint=f"the nearest known key is {near!r}"
            )
    return given


def _typed(key: str, value: object) -> object:
    """Return the value as its field's type; files and the environment give strings and numbers."""
    if key in {"corpus", "cache"} and not str(value):
        raise SettingsError(f"{key} is empty", hint="name a path, or leave the setting out")
    if key == "labels":
        return _labels(value)
    try:
        if key == "corpus":
            named = corpus_name(str(value))
            return named.expanduser() if isinstance(named, Path) else named
        if key == "cache":
            return Path(str(value)).expanduser()
        if key in {"chunk_tokens", "evidence"}:
            return int(str(value))
        if key == "timeout_s":
            return float(str(value))
    except ValueError:
        raise SettingsError(
            f"{key} = {value!r} is not a number", hint=f"give {key} a number"
        ) from None
    return str(value)


def corpus_name(text: str) -> Path | str:
    """Return a corpus as a person named it: a URL as it is, anything else as a path."""
    return text if _URL.match(text) else Path(text)


def _counts_empty(name: str, env: Mapping[str, str]) -> bool:
    """Say whether an empty variable counts: a reader whose labels got lost is not the owner."""
    return name == "CYTAT_LABELS" and name in env


def _labels(value: object) -> tuple[str, ...]:
    """Return labels given as "a,b" or as a list; none at all is a reader without labels."""
    if not isinstance(value, str | list | tuple):
        raise SettingsError(f"labels = {value!r} is not a list of labels", hint='write "hr,board"')
    parts = value.split(",") if isinstance(value, str) else value
    return tuple(filter(None, (str(part).strip() for part in parts)))


def _invalid(settings: Settings) -> list[str]:
    """Return a sentence for each invalid value, all of them at once."""
    wrong = []
    if settings.chunk_tokens is not None and settings.chunk_tokens < SMALLEST_CHUNK_TOKENS:
        wrong.append(f"chunk_tokens = {settings.chunk_tokens} is below {SMALLEST_CHUNK_TOKENS}")
    if settings.evidence < 1:
        wrong.append(f"evidence = {settings.evidence} is below 1")
    if not settings.timeout_s > 0:
        wrong.append(f"timeout_s = {settings.timeout_s} is not above 0")
    return wrong
