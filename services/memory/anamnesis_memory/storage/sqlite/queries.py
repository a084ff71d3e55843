"""The statements of a namespace's file, by name, with what stands for text that many share.

`SEEN(m)` stands for the condition that a memory or a session is in one of `:scopes` (none: all
are); `IN_SCOPES(v)` for the same of what carries its scope; `TOGETHER(v.owner)` for that several
own it whose mark is among `:scopes` (`participants`); `VISIBLE(m)` for being seen by
the caller, `OF_USER(m, :user, :among)` for being a user's, alone or with others; `LAST_US(m)` for
when something happened to it; `AFTER_PLACE` and `AS_ASKED` for the conditions of `FactPlace` and
`FactWhere`.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from anamnesis_libs.storage.queries import load_queries

FILES = (
    "namespace",
    "pipeline",
    "retention",
    "uploads",
    "life",
    "knowledge",
    "palace",
    "json_documents",
)

_HERE = Path(__file__).parent
_OF_CALL = {
    r"SEEN\((\w+)\)": r"""(:scopes IS NULL OR CASE \1.visibility WHEN 'shared' THEN 'shared'
    WHEN 'private_to_agent' THEN 'agent:' || \1.agent_id
    ELSE 'user:' || \1.user_id END IN (SELECT value FROM json_each(:scopes))
  OR \1.visibility = 'private_to_user' AND TOGETHER(\1.user_id))""",
    r"IN_SCOPES\((\w+)\)": r"""(:scopes IS NULL
  OR \1.scope IN (SELECT value FROM json_each(:scopes)) OR TOGETHER(\1.scope))""",
    r"TOGETHER\((\w+\.\w+)\)": r"""(instr(\1, '␟') > 0 AND EXISTS (
    SELECT 1 FROM json_each(:scopes) AS own
    WHERE own.value LIKE '␟%' AND instr(\1, own.value) > 0))""",
    r"VISIBLE\((\w+)\)": r"""(\1.visibility = 'shared'
  OR (\1.visibility = 'private_to_agent' AND :caller_agent <> '' AND \1.agent_id = :caller_agent)
  OR (\1.visibility = 'private_to_user' AND OF_USER(\1, :caller_user, :of_caller)))""",
    r"OF_USER\((\w+), (:\w+), (:\w+)\)": r"""(\2 <> ''
    AND (\1.user_id = \2 OR instr(\1.user_id, \3) > 0))""",
    r"LAST_US\((\w+)\)": r"coalesce(\1.event_time_us, \1.create_time_us)",
}
_OF_WORD = {
    "AFTER_PLACE": """(v.from_us, v.to_us, v.fact_key, v.fact_id) >
      (:after_from_us, :after_to_us, :after_key, :after_fact_id)""",
    "AS_ASKED": """(:predicates IS NULL
       OR v.of_predicate IN (SELECT value FROM json_each(:predicates)))
  AND (:as_of_us IS NULL OR (v.from_us <= :as_of_us AND v.to_us > :as_of_us))
  AND ((:known_at_us IS NULL AND v.known_to_us IS NULL)
       OR (v.known_from_us <= :known_at_us
           AND (v.known_to_us IS NULL OR v.known_to_us > :known_at_us)))
  AND IN_SCOPES(v)""",
}


def statements(file: str) -> Mapping[str, str]:
    """The statements of one file, spelled out."""
    queries = load_queries(_HERE / f"{file}.sql")
    return {name: _spelled_out(statement) for name, statement in queries.items()}


def _spelled_out(statement: str) -> str:
    for word, text in _OF_WORD.items():
        statement = re.sub(rf"\b{word}\b", text, statement)
    for call, text in _OF_CALL.items():
        statement = re.sub(rf"\b{call}", text, statement)
    return statement


QUERIES = {name: told for file in FILES for name, told in statements(file).items()}
