"""Tags that say of a drawer whom and what it is about, and when it was: `@p:Mara`, `@t:2026-03-16`.

| tag | is |
|---|---|
| `@t` | the day of the drawer, on the clock of who said it |
| `@p` | a person |
| `@l` | a place |
| `@e` | an event |
| `@i` | an item |

They are made of what the drawer mentions, spelled as it spells it, behind the tags that it has.
What is of another kind, or of none that is known, has no sign. All that it mentions are its
`entities` too, by which searches are narrowed.
"""

from collections.abc import Sequence
from dataclasses import replace

from anamnesis_libs.zones import day_on_clock
from anamnesis_memory.domain.entities.kinds import EntityKind
from anamnesis_memory.domain.entities.names import Named
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.model.tags import unite_tags

TAG_CHARS_MAX = 128
"""As of any tag; longer names give none."""

ENTITIES_MAX = 100
"""Names that a drawer is labelled with; it may mention more."""

SIGNS = {
    EntityKind.PERSON: "@p",
    EntityKind.PLACE: "@l",
    EntityKind.EVENT: "@e",
    EntityKind.ITEM: "@i",
}
TIME = "@t"


def labelled(drawer: Memory, mentioned: Sequence[Named]) -> Memory:
    """A drawer with tags and entities of what it mentions; kinds are those that are known now."""
    made = [_time_tag(drawer), *map(_tag, mentioned)]
    tags = unite_tags(drawer.tags, [tag for tag in made if tag and len(tag) <= TAG_CHARS_MAX])
    names = dict.fromkeys((*drawer.entities, *(one.name for one in mentioned)))
    return replace(drawer, tags=tags, entities=tuple(names)[:ENTITIES_MAX])


def _tag(named: Named) -> str:
    sign = SIGNS.get(named.kind)
    return f"{sign}:{' '.join(named.name.split())}" if sign else ""


def _time_tag(drawer: Memory) -> str:
    if drawer.event_time_us is None:
        return ""
    return f"{TIME}:{day_on_clock(drawer.event_time_us, drawer.utc_offset_minutes).isoformat()}"
