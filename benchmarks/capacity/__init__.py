"""What a fleet for many users takes, added up from costs that were measured."""
