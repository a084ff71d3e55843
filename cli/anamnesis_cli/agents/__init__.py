"""Coding agents: the hook that they run, and its entries in their files of settings."""
