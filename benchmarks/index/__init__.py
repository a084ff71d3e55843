"""How vectors are best held, by how many there are: time, memory and recall of each form."""
