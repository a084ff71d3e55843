"""Ends that a new fact brings to what is held: who can't stand jazz any more does not like it.

The store ends a fact by another of its own line, the same subject and predicate. Here an end is
found for facts of other lines, and for things that are named more loosely than they are held. Only
what is held is ended: nothing is said of what was never learned. `plans` knows when a plan was
carried out or called off.
"""
