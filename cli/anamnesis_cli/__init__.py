"""The command line: thin clients of the API, one file a command, and `serve`."""
