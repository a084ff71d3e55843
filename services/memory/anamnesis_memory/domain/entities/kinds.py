"""The kinds of entities. Two of different kinds are never one, whatever their names."""

from enum import StrEnum


class EntityKind(StrEnum):
    """The kinds of things that a memory can be about."""

    UNKNOWN = ""
    PERSON = "person"
    PROJECT = "project"
    ORGANISATION = "organisation"
    TECHNOLOGY = "technology"
    PLACE = "place"
    ITEM = "item"
    EVENT = "event"
    TOPIC = "topic"
    AGENT = "agent"
