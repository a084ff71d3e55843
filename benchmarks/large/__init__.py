"""One large namespace: what a search costs exactly, approximately, and right after a write."""
