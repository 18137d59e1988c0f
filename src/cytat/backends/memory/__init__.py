"""A corpus in memory: dictionaries and brute force. For tests, trials, and to compare others with.

Opened by name through `plugins`; nobody imports it.
"""

from cytat.backends.memory.store import MemoryStore, open_store

__all__ = ["MemoryStore", "open_store"]
