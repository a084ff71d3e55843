"""The records of the memory service; they import nothing of it but each other."""
