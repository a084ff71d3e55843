"""The four services; each is a package with its own model, ports and wiring."""
