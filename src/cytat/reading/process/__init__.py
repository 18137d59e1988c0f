"""Readers in child processes with limits: a pool, its workers, and what passes between them."""
