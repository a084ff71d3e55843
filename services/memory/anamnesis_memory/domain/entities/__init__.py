"""Entities, as pure rules: when two names mean one thing, and above all when they do not.

| file | decides |
|---|---|
| `kinds` | what an entity is |
| `folding` | which spellings of a name are one |
| `words` | titles, forms of companies, countries: what may stand beside a name |
| `forms` | which names are one apart from such words |
| `slips` | which names differ by a slip of the pen |
| `matching` | the verdict on two entities, and which known one a new one is |

A wrong merge mixes two people up and has to be noticed by somebody; a missed one leaves two entries
that can be merged at any time. So each rule says *same* only for a reason that it can name, and all
else is different. The conventions are those of `tests/data/entities/README.md`.
"""
