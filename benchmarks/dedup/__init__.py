"""Recognition of near duplicates of lessons: with and without the guard, by threshold."""
