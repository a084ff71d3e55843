"""Macros: text that many statements share, such as types of edges and who may see what.

`:EDGE` stands for one type of edge, with a statement for each, `:ANY_EDGE` for all of them;
`SEEN(m)` for the condition that a memory or a session is in one of `$scopes` (none: all are),
`IN_SCOPES(v)` for the same of what carries its scope; `TOGETHER(v.owner)` for that several own it
whose mark is among `$scopes` (`participants`); `VISIBLE(m)` for being seen by the
caller, `OF_USER(m, $user, $among)` for being a user's, alone or with others; `LAST_US(m)` for when
something happened to it; `:PART` for being part of an entity, over a few mergers or none;
`IN_PLACE` for the conditions of `FactWhere` and `FactPlace`.
"""

import re
from collections.abc import Mapping

from anamnesis_memory.model.edges import EdgeType

MERGERS_MAX = 32
"""The longest chain of merged entities, each part of the next, that is followed."""

_OF_CALL = {
    r"\bSEEN\((\w+)\)": r"""($scopes IS NULL OR CASE \1.visibility WHEN 'shared' THEN 'shared'
    WHEN 'private_to_agent' THEN 'agent:' + \1.agent_id
    ELSE 'user:' + \1.user_id END IN $scopes
  OR \1.visibility = 'private_to_user' AND TOGETHER(\1.user_id))""",
    r"\bIN_SCOPES\((\w+)\)": r"""($scopes IS NULL OR \1.scope IN $scopes
  OR TOGETHER(\1.scope))""",
    r"\bTOGETHER\((\w+\.\w+)\)": (
        r"any(own IN $scopes WHERE own STARTS WITH '␟' AND \1 CONTAINS own)"
    ),
    r"\bVISIBLE\((\w+)\)": r"""(\1.visibility = 'shared'
  OR (\1.visibility = 'private_to_agent' AND $caller_agent <> '' AND \1.agent_id = $caller_agent)
  OR (\1.visibility = 'private_to_user' AND OF_USER(\1, $caller_user, $of_caller)))""",
    r"\bOF_USER\((\w+), (\$\w+), (\$\w+)\)": r"""(\2 <> ''
    AND (\1.user_id = \2 OR \1.user_id CONTAINS \3))""",
    r"\bLAST_US\((\w+)\)": r"coalesce(\1.event_time_us, \1.create_time_us)",
}
_IN_PLACE = """\
CASE WHEN v.from_us <> $after_from_us THEN v.from_us > $after_from_us
    WHEN v.to_us <> $after_to_us THEN v.to_us > $after_to_us
    WHEN v.fact_key <> $after_key THEN v.fact_key > $after_key
    ELSE v.fact_id > $after_fact_id END
  AND ($subjects IS NULL OR v.of_subject IN $subjects)
  AND ($predicates IS NULL OR v.of_predicate IN $predicates)
  AND ($object = '' OR v.of_object = $object)
  AND ($as_of_us IS NULL OR (v.from_us <= $as_of_us AND v.to_us > $as_of_us))
  AND (v.known_to_us IS NULL OR v.known_to_us > $known_at_us)
  AND ($known_at_us IS NULL OR v.known_from_us <= $known_at_us)
  AND IN_SCOPES(v)
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
    text = statement.replace("IN_PLACE", _IN_PLACE)
    for call, told in _OF_CALL.items():
        text = re.sub(call, told, text)
    return text.replace(":PART]", f":MERGED_INTO*0..{MERGERS_MAX}]")
