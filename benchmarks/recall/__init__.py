"""Recall: how often the suite finds the turn that answers a question, beside plain baselines."""
