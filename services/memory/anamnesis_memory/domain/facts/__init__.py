"""Facts over time, as pure rules: no I/O, no clock, no protobuf, no store.

| file | decides |
|---|---|
| `key` | what one statement is, and which line it stands on |
| `interval` | when it holds: half-open, in microseconds; what a date covers |
| `predicates` | which predicates have one object at a time |
| `versions` | what a store keeps: tellings, and the recorded lives of facts |
| `settling` | which facts follow from the tellings of a line |
| `transitions` | what a telling or a retraction changes: one table |
| `erasing` | what it changes that a telling goes as if it had never been |
| `asof` | what held when, and what was known when |
| `review` | what was derived from a fact that was closed or taken back |

The rules are those of `tests/data/story/README.md` and `tests/data/cascade/README.md`.
"""
