"""Names in what is said: people, places, organisations and other things, by rules, with kinds."""
