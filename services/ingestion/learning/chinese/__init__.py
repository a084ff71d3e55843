"""Chinese read by tagged words: mood, speaker and polarity are decided first, frames speak last.

| file | does |
|---|---|
| `script` | simplified characters for the rules, as long as the text |
| `vocabulary`, `frames.tsv`, `predicates.tsv`, `words.toml` | frames and word lists, as data |
| `sentences` | sentences and clauses, bounded in length |
| `mood` | which clauses assert something |
| `tagging` | words with their parts of speech |
| `piece` | a part of a clause that knows where it stands |
| `subjects` | whom a clause is about |
| `clause` | one clause without subject, adverbs and time; its polarity |
| `values` | what may be an object |
| `frames` | the facts that a clause states |
| `ties` | relatives, friends and pets by name |
| `settings` | slots with one value at a time: the time of a meeting |
| `orders` | lasting wishes to an agent |
| `wording` | the statement that reads by itself |
| `reader` | from an event to its facts |
"""
