"""A store of another package: corpora of the scheme `cellar`, kept by the back-end in memory."""

from collections.abc import Collection

from cytat import plugins
from cytat.protocols import Store


class Cellar:
    """Opens `cellar://NAME`; see `cytat.protocols.OpenStore`."""

    engine = "cellar 1.0"

    def __call__(self, name: str, *, create: bool, labels: Collection[str] | None) -> Store:
        """Open a corpus for its owner, or for a user with labels."""
        kept = name.replace("cellar://", "memory://cellar/", 1)
        return plugins.open_store(kept, create=create, labels=labels)


open_store = Cellar()
