"""HTML -> Document: the text that a person reads, in page order."""
