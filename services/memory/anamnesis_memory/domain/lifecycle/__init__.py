"""The life of a memory: use, rank, retention, forgetting. Pure: no I/O, no clock, no protobuf."""
