"""PDF -> Document: words with boxes become lines, tables, paragraphs and headings."""
