"""Data files of models: found in packages and in the cache, fetched, verified, removed."""

from cytat.model_files.fetching import fetch_model
from cytat.model_files.places import (
    built_folder,
    check_file,
    find_file,
    is_in_package,
    model_status,
    remove_model,
)

__all__ = [
    "built_folder",
    "check_file",
    "fetch_model",
    "find_file",
    "is_in_package",
    "model_status",
    "remove_model",
]
