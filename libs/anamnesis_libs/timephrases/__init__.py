"""Time phrases: finding words of time in English and Chinese text, and resolving them.

`find.find_times` is the way in; `model` holds what it answers with. A relative phrase is resolved
against the moment at which it was said, on the speaker's clock. What cannot be resolved is left
out: an empty answer is better than a guess.
"""
