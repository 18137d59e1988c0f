"""Strings -> places: offsets, lines, sentences, locators, folded forms, names from content."""
