"""How well near duplicates of lessons are told: with and without the guard, by threshold."""
