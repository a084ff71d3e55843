"""The resources of a fleet for many users, added up from costs that were measured."""
