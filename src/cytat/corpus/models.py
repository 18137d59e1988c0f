"""Settings -> the embedder and the generator they name, opened when first needed."""

import threading

from cytat import plugins
from cytat.config import DEFAULT_EMBEDDER, Settings
from cytat.errors import BackendError, ModelMissingError, SettingsError
from cytat.protocols import Embedder, Generator, ModelOptions
from cytat.records import VectorSpace

SERVER = "openai"
"""The back-end for any OpenAI-compatible server."""


class EmbedderChoice:
    """The embedder in force: the one that is set, else the corpus' own, else the default.

    May be used from several threads: they share what is opened.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._opened: dict[str, Embedder] = {}
        self._lock = threading.Lock()

    def embedder(self, space: VectorSpace | None) -> Embedder:
        """Return the embedder for a corpus with vectors of `space`, opened once.

        Another program may have switched the corpus to another encoder since the last call.
        """
        name = self.name(space)
        with self._lock:
            if name not in self._opened:
                self._opened[name] = plugins.load_embedder(name, self._options())
            return self._opened[name]

    def embedder_if_there(self, space: VectorSpace | None) -> Embedder | None:
        """Return the embedder, or None where it is not installed or cannot be reached."""
        try:
            return self.embedder(space)
        except (BackendError, ModelMissingError):
            return None

    def name(self, space: VectorSpace | None) -> str:
        """Return the back-end's name. A stamp such as "openai:model" begins with it."""
        settings = self._settings
        if settings.embedder:
            return settings.embedder
        if settings.embeddings_model:
            return SERVER
        return space.embedder.partition(":")[0] if space else DEFAULT_EMBEDDER

    def _options(self) -> ModelOptions:
        settings = self._settings
        return ModelOptions(
            cache=settings.cache,
            model=settings.embeddings_model,
            base_url=settings.embeddings_base_url,
            api_key=settings.embeddings_api_key,
            timeout_s=settings.timeout_s,
        )


def open_chat_generator(settings: Settings) -> Generator | None:
    """Return the chat model that the settings name; None when they name none.

    An API key alone calls nobody, and no address is guessed.
    """
    if not settings.model:
        return None
    if not settings.base_url:
        raise SettingsError(
            f"the model {settings.model!r} has no server",
            hint="name one: --base-url http://127.0.0.1:11434/v1, or OPENAI_BASE_URL",
        )
    options = ModelOptions(
        cache=settings.cache,
        model=settings.model,
        base_url=settings.base_url,
        api_key=settings.api_key,
        timeout_s=settings.timeout_s,
    )
    return plugins.load_generator(SERVER, options)


def open_judge(settings: Settings) -> Generator | None:
    """Return the chat model that judges answers; None where the settings name none.

    The key of the answering model goes to its own server and to no other.
    """
    server = settings.judge_server
    if not settings.judge:
        return None
    if not server:
        raise SettingsError(
            f"the judge {settings.judge!r} has no server",
            hint="name one: --judge-base-url http://127.0.0.1:11434/v1",
        )
    own_key = settings.api_key if server == settings.base_url else None
    options = ModelOptions(
        cache=settings.cache,
        model=settings.judge,
        base_url=server,
        api_key=settings.judge_api_key or own_key,
        timeout_s=settings.timeout_s,
    )
    return plugins.load_generator(SERVER, options)
