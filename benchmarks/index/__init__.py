"""The best form of vectors by their number: time, memory and recall of each form."""
