"""Contexts: one block of text for a prompt, made of the best of a ranking.

`build` is the verb. `asked` reads the prompt, `evidence` says how much speaks for a memory and
whether to speak at all, `standing` finds the rules that concern it, `choosing` says which memories
are shown and `telling` how much of each, `excerpts` cuts long texts, `packing` fills the budget,
`versions` puts what holds before what held, `writing` writes it down.
"""
