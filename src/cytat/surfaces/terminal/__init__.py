"""Records and progress -> text for people at a terminal."""
