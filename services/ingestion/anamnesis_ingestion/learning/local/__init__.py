"""Learning by rules: no model, no network, English and Chinese."""
