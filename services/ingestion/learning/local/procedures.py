"""Procedures."""


def procedures_of(events):
    return []
