"""Views: what memories tell together, computed at each call from what is there."""
