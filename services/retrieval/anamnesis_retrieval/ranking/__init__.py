"""The order of what was found: terms, floors, versions, speakers."""
