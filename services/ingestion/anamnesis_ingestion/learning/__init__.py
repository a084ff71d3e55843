"""From the events of a task to what it teaches: facts, lessons and procedures."""
