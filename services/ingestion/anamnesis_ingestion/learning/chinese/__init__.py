"""Chinese read by tagged words: mood, speaker and polarity are decided first, frames speak last.

| file | does |
|---|---|
| `script` | simplified characters for the rules, as long as the text |
| `vocabulary`, `frames.tsv`, `predicates.tsv`, `words.toml` | frames and word lists, as data |
| `sentences` | sentences and clauses, bounded in length |
| `runons` | clauses that run on without a comma |
| `signs` | signs of what is done, comes again, was so then |
| `mood` | which clauses assert something |
| `tagging` | words with their parts of speech |
| `piece` | a part of a clause that knows where it stands |
| `newcomers` | clauses about somebody who was just told of, with their subject |
| `subjects` | whom a clause is about |
| `clause` | one clause without subject, adverbs and time; its polarity |
| `wordorder` | a clause in the plain order: topics, voices and agents put back |
| `values`, `cutting`, `employers`, `tastes` | what may be an object |
| `times` | words of time, and when a fact holds |
| `frames` | the facts that a clause states |
| `ties` | relatives, friends and pets by name |
| `habits` | what somebody does day by day, by the words of how often and when before it |
| `standing` | what stands by the form of a clause, where no frame knows its words |
| `attributes` | any noun of the speaker's with its value |
| `plans` | what somebody means to do |
| `settings` | slots with one value at a time: the time of a meeting |
| `orders` | lasting wishes to an agent |
| `wording` | the statement that reads by itself |
| `found` | a fact, and which subjects and times its predicate goes with |
| `reader` | from what one person says to its facts |
| `learned` | from a lecture's events to learned facts |
"""
