"""Open namespaces and what follows their stores: indexes, loops, claims, bells."""
