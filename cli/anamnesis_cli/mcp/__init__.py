"""The suite as a server of the Model Context Protocol: tools and resources over its API."""
