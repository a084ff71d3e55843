"""The best hits read again by a model, within a time; off unless it is configured and asked for."""
