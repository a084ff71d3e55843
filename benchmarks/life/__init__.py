"""A year in the life of memories, by a clock that the benchmark sets; and sleep under searches."""
