"""Addresses -> what they mean, and the bytes of each. Follows no link, opens no device."""

from cytat.sources.files import SIZE_LIMIT_BYTES, FileSource, Sources
from cytat.sources.watching import Settled, Watch

__all__ = ["SIZE_LIMIT_BYTES", "FileSource", "Settled", "Sources", "Watch"]
