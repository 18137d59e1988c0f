"""Embedders and generators on models and servers; each is reached by name, through `plugins`."""
