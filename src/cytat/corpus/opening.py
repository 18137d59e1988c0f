"""Settings -> a Store that shows what the settings' labels let be read: the one way to a corpus."""

from cytat.config import Settings
from cytat.errors import NotAllowedError
from cytat.store import Store


def open_store(settings: Settings, *, create: bool = False) -> Store:
    """Return the corpus of the settings, for its owner or for a reader with labels."""
    if settings.labels is not None:
        return Store.open(settings.corpus).restricted(settings.labels)
    return Store.open_or_create(settings.corpus) if create else Store.open(settings.corpus)


def check_owner(settings: Settings) -> None:
    """Refuse a reader what would change the corpus or tell of all of it."""
    if settings.labels is not None:
        raise NotAllowedError(
            "only the owner of a corpus may do that", hint="leave out --as, or the labels"
        )
