"""What is in memory of a corpus file for ranking, shared by all who ask it in this process.

Who ranks nothing does not wait for numpy to load: `shared` imports it when a snapshot is wanted.
"""

from cytat.backends.sqlite.indexes.shared import SharedIndexes, shared_indexes

__all__ = ["SharedIndexes", "shared_indexes"]
