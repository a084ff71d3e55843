"""Many clients on one namespace: what they wait, and whether all is right afterwards."""
