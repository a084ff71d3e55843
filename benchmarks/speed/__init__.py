"""How long calls take at each size of a memory, beside what nobody could do in less."""
