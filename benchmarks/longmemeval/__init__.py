"""LongMemEval's released files through the suite: recall, contexts, and answers that are judged."""
