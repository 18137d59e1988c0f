"""Bytes -> Document: one canonical text with blocks, heading paths, parts and a ledger."""
