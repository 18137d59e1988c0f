"""PATH… -> the files they mean, and a file -> its bytes. Follows no link, opens no device."""

from cytat.sources.files import SIZE_LIMIT_BYTES, FileBytes, read_file
from cytat.sources.walking import FileState, FoundFiles, find_files, state_of_file
from cytat.sources.watching import Settled, Watch

__all__ = [
    "SIZE_LIMIT_BYTES",
    "FileBytes",
    "FileState",
    "FoundFiles",
    "Settled",
    "Watch",
    "find_files",
    "read_file",
    "state_of_file",
]
