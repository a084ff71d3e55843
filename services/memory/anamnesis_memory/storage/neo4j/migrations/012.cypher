// Facts are relationships between the entities that they name; those of before are drawn here.

// name: fact_edge
CREATE INDEX fact_edge IF NOT EXISTS
FOR ()-[fact:FACT]-() ON (fact.ns, fact.fact_id)

// name: draw_facts
// Some at a time, until none is left that could be drawn.
MATCH (v:FactVersion)-[:VERSION_OF]->(m:Memory) WHERE v.known_to_us IS NULL
MATCH (m)-[about:MENTIONS]->(one:Entity)
WHERE about.name = v.subject OR toLower(about.name) = v.of_subject
MATCH (m)-[named:MENTIONS]->(other:Entity)
WHERE (named.name = v.object OR toLower(named.name) = v.of_object) AND other <> one
  AND NOT EXISTS { (one)-[fact:FACT]->(other) WHERE fact.fact_id = v.fact_id }
WITH DISTINCT v, m, one, other LIMIT 10000
CREATE (one)-[:FACT {ns: v.ns, fact_id: v.fact_id, memory_id: m.memory_id, scope: v.scope,
                     predicate: v.predicate, from_us: v.from_us, to_us: v.to_us}]->(other)
WITH count(*) AS drawn WHERE drawn > 0
RETURN {drawn: drawn} AS row
