"""Cold start: a namespace begins with what others learned, and can be rid of it again."""
