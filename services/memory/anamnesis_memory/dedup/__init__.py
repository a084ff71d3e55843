"""Near duplicates of lessons: what is the same lesson, and what only looks like it. No I/O."""
