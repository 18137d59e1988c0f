"""Gold sets: read from files, found in a corpus, and drafted for a person to fill in."""
