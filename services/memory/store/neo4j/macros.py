"""What stands for text that many statements share: types of edges, and who may see what.

`:EDGE` stands for one type of edge, with a statement for each, `:ANY_EDGE` for all of them;
`SEEN(m)` for the condition that a memory or a session is in one of `$scopes` (none: all are);
`LAST_US(m)` for when something happened to it; `:PART` for being part of an entity, over a few
mergers or none; `IN_PLACE` for the conditions of `FactWhere` and `FactPlace`.
"""

import re
from collections.abc import Mapping

from services.memory.edges import EdgeType

MERGERS_MAX = 32
"""How long a chain of entities that are each part of the next is followed."""

_SEEN = re.compile(r"\bSEEN\((\w+)\)")
_LAST_US = re.compile(r"\bLAST_US\((\w+)\)")
_OF_SCOPE = """($scopes IS NULL OR CASE {0}.visibility WHEN 'shared' THEN 'shared'
    WHEN 'private_to_agent' THEN 'agent:' + {0}.agent_id
    ELSE 'user:' + {0}.user_id END IN $scopes)"""
_IN_PLACE = """\
CASE WHEN v.from_us <> $after_from_us THEN v.from_us > $after_from_us
    WHEN v.to_us <> $after_to_us THEN v.to_us > $after_to_us
    WHEN v.fact_key <> $after_key THEN v.fact_key > $after_key
    ELSE v.fact_id > $after_fact_id END
  AND ($subjects IS NULL OR v.of_subject IN $subjects)
  AND ($predicate = '' OR v.of_predicate = $predicate)
  AND ($object = '' OR v.of_object = $object)
  AND ($as_of_us IS NULL OR (v.from_us <= $as_of_us AND v.to_us > $as_of_us))
  AND (v.known_to_us IS NULL OR v.known_to_us > $known_at_us)
  AND ($known_at_us IS NULL OR v.known_from_us <= $known_at_us)
  AND ($scopes IS NULL OR v.scope IN $scopes)
  AND ($entity_ids IS NULL OR EXISTS {
    MATCH (v)-[:VERSION_OF]->(named:Memory {ns: $ns})-[:MENTIONS]->(asked:Entity {ns: $ns})
    WHERE asked.entity_id IN $entity_ids
  })"""


def spelled_out(queries: Mapping[str, str]) -> Mapping[str, str]:
    """Statements with what stands for something put in, one for each type of `:EDGE`.

    A type is no parameter, for one that is known only at run time is looked for in no index.
    """
    any_edge = ":" + "|".join(edge.name for edge in EdgeType)
    told: dict[str, str] = {}
    for name, statement in queries.items():
        text = _shared(statement).replace(":ANY_EDGE", any_edge)
        if ":EDGE" in text:
            told |= {f"{name}_{edge}": text.replace(":EDGE", f":{edge.name}") for edge in EdgeType}
        else:
            told[name] = text
    return told


def _shared(statement: str) -> str:
    text = _SEEN.sub(lambda found: _OF_SCOPE.format(found[1]), statement)
    text = _LAST_US.sub(r"coalesce(\1.event_time_us, \1.create_time_us)", text)
    text = text.replace(":PART]", f":MERGED_INTO*0..{MERGERS_MAX}]")
    return text.replace("IN_PLACE", _IN_PLACE)
