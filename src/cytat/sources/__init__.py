"""PATH… -> the files they mean, and a file -> its bytes. Follows no link, opens no device."""

from cytat.sources.files import SIZE_LIMIT_BYTES, FileBytes, read_file
from cytat.sources.walking import Found, find_files

__all__ = ["SIZE_LIMIT_BYTES", "FileBytes", "Found", "find_files", "read_file"]
