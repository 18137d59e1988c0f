"""Plain text and Markdown -> Document; what text formats share: encodings and paragraphs."""
