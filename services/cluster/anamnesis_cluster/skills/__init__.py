"""Skills: what a topic's lessons come to, written, checked against them, and kept by version."""
