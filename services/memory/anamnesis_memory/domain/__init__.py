"""Pure rules: facts over time, names of entities, the lifecycle of memories."""
