"""Whether a namespace is the same in every store: moved, verified, searched; with the times."""
