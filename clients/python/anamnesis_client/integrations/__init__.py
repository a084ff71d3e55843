"""Adapters for agent frameworks, one file each; each needs its framework, and nothing else does.

An adapter never raises into an agent: where the memory fails, that is logged and the agent goes on
as if nothing were remembered. Texts are never logged.
"""
