"""Times of calls at each size of a memory, beside lower bounds measured in the same run."""
