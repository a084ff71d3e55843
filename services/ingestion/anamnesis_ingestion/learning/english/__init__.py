"""English read by its grammar: a dependency parser decides, frames name what is said.

| file | does |
|---|---|
| `weights` | loads the parser, checked by hash |
| `cleaning` | takes out of a text what the parser cannot read |
| `plainer` | ways of saying that go round about, made plain |
| `left_out` | sentences that leave out the speaker, said whole |
| `vocabulary`, `*.tsv`, `words.toml` | the frames and word lists, as data |
| `mending` | tags put right that the spelling of a word forbids |
| `tree` | small questions to a parsed sentence |
| `clauses`, `marks` | one verb with its subject: mood, polarity, tense, speaker |
| `values` | the text of an object, without time, place and role |
| `times` | when a clause holds |
| `frames`, `needs`, `slots`, `kinds` | which fact a clause states |
| `respects` | attributes of the speaker: "in terms of health, I'm fine" |
| `reversals` | tastes that turn, and what strikes somebody so |
| `esteem` | what matters to the speaker, helps or inspires them |
| `others` | what others call the speaker, or say of them |
| `turns_of_life` | ends and beginnings that a noun tells: "my former job at Siemens" |
| `called_off` | what only ends: plans that come to nothing, deaths |
| `presupposed` | what a sentence takes for granted: "my sister Lena" |
| `apposed` | what stands beside a name: "Yusuf, a baker" |
| `between` | ties of two who talk: "you're my best friend" |
| `subjects` | whom a clause is about |
| `wording` | the statement, in the third person |
| `telling` | what is told on of a deed, in its sentence and the next |
| `worth` | which facts are kept |
| `passing` | what an agent is told of the work at hand, and is over with it |
| `reader` | from turns to claims |
| `learned` | turns out of events, learned facts out of claims |

Only `learned` is imported by the suite; the parser, which takes 150 MB, is loaded in the process
that learns (`libs/anamnesis_libs/run/worker.py`) when the first English comes.
"""
