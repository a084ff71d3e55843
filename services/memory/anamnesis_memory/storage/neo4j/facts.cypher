// The statements of one namespace about facts: who told what, what was held true from when until
// when, and what is to be looked at again for it. `neo4j.cypher` says what holds for each.
// `known_to_us` is not there while a telling stands and a version is what is known now; `single_line`
// is the line of a standing telling that says that it has one object at a time.
// `IN_PLACE` stands for the condition that a list of facts goes on behind a place, and narrows.

// name: put_tellings
UNWIND $rows AS row
MATCH (m:Memory {ns: $ns, fact_id: row.fact_id})
MERGE (t:Telling {ns: $ns, telling_id: row.telling_id})
SET t += row
MERGE (t)-[:TELLS]->(m)

// name: delete_tellings
UNWIND $ids AS id
MATCH (t:Telling {ns: $ns, telling_id: id})
DETACH DELETE t

// name: put_versions
UNWIND $rows AS row
MATCH (m:Memory {ns: $ns, fact_id: row.fact_id})
MERGE (v:FactVersion {ns: $ns, fact_id: row.fact_id, known_from_us: row.known_from_us})
SET v += row
MERGE (v)-[:VERSION_OF]->(m)

// name: delete_versions
UNWIND $rows AS row
MATCH (v:FactVersion {ns: $ns, fact_id: row.fact_id, known_from_us: row.known_from_us})
DETACH DELETE v

// name: forget_closings
// Of a fact that no memory holds any more, nothing says that it has closed another. `closed_by` is
// a JSON list of ids.
UNWIND $ids AS id
WITH id WHERE NOT EXISTS { MATCH (:Memory {ns: $ns, fact_id: id}) }
CALL (id) {
    MATCH (t:Telling {ns: $ns, fact_id: id})
    RETURN t.line_id AS line_id
    UNION
    MATCH (v:FactVersion {ns: $ns, fact_id: id})
    WHERE v.known_from_us IS NOT NULL
    RETURN v.line_id AS line_id
}
MATCH (v:FactVersion {ns: $ns, line_id: line_id})
USING INDEX v:FactVersion(ns, line_id, fact_key, known_from_us)
WHERE v.fact_key IS NOT NULL AND v.known_from_us IS NOT NULL AND v.closed_by CONTAINS id
WITH v, id, split(substring(v.closed_by, 1, size(v.closed_by) - 2), ', ') AS closing
SET v.closed_by = '[' + reduce(kept = '', one IN [each IN closing WHERE each <> '"' + id + '"'] |
    kept + CASE kept WHEN '' THEN '' ELSE ', ' END + one) + ']'

// name: delete_tellings_of_facts
UNWIND $ids AS id
MATCH (t:Telling {ns: $ns, fact_id: id})
DETACH DELETE t

// name: delete_versions_of_facts
UNWIND $ids AS id
MATCH (v:FactVersion {ns: $ns, fact_id: id})
WHERE v.known_from_us IS NOT NULL
DETACH DELETE v

// name: held_facts
UNWIND $ids AS id
MATCH (m:Memory {ns: $ns, fact_id: id})
RETURN {fact_id: id} AS row

// name: move_facts
// No two may hold one fact, not even for a moment: what is moved is taken from its holder first.
UNWIND $rows AS row
MATCH (m:Memory {ns: $ns, fact_id: row.fact_id})
USING INDEX SEEK m:Memory(ns, fact_id)
WHERE m.memory_id <> row.memory_id AND m.memory_id IN $losers
REMOVE m.fact_id

// name: hang_facts
// A memory may take a fact over from another.
UNWIND $ids AS id
MATCH (m:Memory {ns: $ns, fact_id: id})
CALL (m, id) {
    MATCH (t:Telling {ns: $ns, fact_id: id})
    WHERE NOT EXISTS { (t)-[:TELLS]->(m) }
    OPTIONAL MATCH (t)-[link:TELLS]->(other:Memory {ns: $ns})
    DELETE link
    CREATE (t)-[:TELLS]->(m)
}
CALL (m, id) {
    MATCH (v:FactVersion {ns: $ns, fact_id: id})
    WHERE v.known_from_us IS NOT NULL AND NOT EXISTS { (v)-[:VERSION_OF]->(m) }
    OPTIONAL MATCH (v)-[link:VERSION_OF]->(other:Memory {ns: $ns})
    DELETE link
    CREATE (v)-[:VERSION_OF]->(m)
}

// name: facts_of_memories
UNWIND $ids AS id
MATCH (m:Memory {ns: $ns, memory_id: id}) WHERE m.fact_id IS NOT NULL
RETURN {fact_id: m.fact_id} AS row

// name: undraw_facts
UNWIND $ids AS id
MATCH (one:Entity {ns: $ns})-[fact:FACT {ns: $ns, fact_id: id}]->(other:Entity {ns: $ns})
USING INDEX SEEK fact:FACT(ns, fact_id)
DELETE fact

// name: draw_facts
// From whom a fact is about to what its object names, as its memory mentions them. What nobody
// says any more has no version that is known now.
UNWIND $ids AS id
MATCH (v:FactVersion {ns: $ns, fact_id: id})
USING INDEX SEEK v:FactVersion(ns, fact_id, known_from_us)
WHERE v.known_from_us IS NOT NULL AND v.known_to_us IS NULL
MATCH (m:Memory {ns: $ns, fact_id: id})
MATCH (m)-[about:MENTIONS]->(one:Entity {ns: $ns})
WHERE about.name = v.subject OR toLower(about.name) = v.of_subject
MATCH (m)-[named:MENTIONS]->(other:Entity {ns: $ns})
WHERE (named.name = v.object OR toLower(named.name) = v.of_object) AND other <> one
WITH DISTINCT v, m, one, other
CREATE (one)-[:FACT {ns: $ns, fact_id: v.fact_id, memory_id: m.memory_id, scope: v.scope,
                     predicate: v.predicate, from_us: v.from_us, to_us: v.to_us}]->(other)

// name: single_lines
// Lines of which all is wanted, because a telling that stands says so.
UNWIND $ids AS id
CALL (id) {
    MATCH (t:Telling {ns: $ns, single_line: id})
    RETURN count(*) > 0 AS single
}
WITH id WHERE single
RETURN {line_id: id} AS row

// name: see_lines
// What stands, and when it last changed. No keys: all of the line.
UNWIND $rows AS row
CALL (row) {
    CALL (row) {
        WITH row WHERE row.keys IS NULL
        MATCH (t:Telling {ns: $ns, line_id: row.line_id})
        USING INDEX SEEK t:Telling(ns, line_id, fact_key, known_from_us)
        WHERE t.fact_key IS NOT NULL AND t.known_from_us IS NOT NULL
        RETURN t
        UNION ALL
        WITH row UNWIND row.keys AS key
        MATCH (t:Telling {ns: $ns, line_id: row.line_id, fact_key: key})
        USING INDEX SEEK t:Telling(ns, line_id, fact_key, known_from_us)
        WHERE t.known_from_us IS NOT NULL
        RETURN t
    }
    RETURN collect(CASE WHEN t.known_to_us IS NULL THEN t {.*} END) AS tellings,
           max(coalesce(t.known_to_us, t.known_from_us)) AS told_us
}
CALL (row) {
    CALL (row) {
        WITH row WHERE row.keys IS NULL
        MATCH (v:FactVersion {ns: $ns, line_id: row.line_id})
        USING INDEX SEEK v:FactVersion(ns, line_id, fact_key, known_from_us)
        WHERE v.fact_key IS NOT NULL AND v.known_from_us IS NOT NULL
        RETURN v
        UNION ALL
        WITH row UNWIND row.keys AS key
        MATCH (v:FactVersion {ns: $ns, line_id: row.line_id, fact_key: key})
        USING INDEX SEEK v:FactVersion(ns, line_id, fact_key, known_from_us)
        WHERE v.known_from_us IS NOT NULL
        RETURN v
    }
    RETURN collect(CASE WHEN v.known_to_us IS NULL THEN v {.*} END) AS versions,
           max(coalesce(v.known_to_us, v.known_from_us)) AS held_us
}
RETURN {line_id: row.line_id, tellings: tellings, versions: versions, told_us: told_us,
        held_us: held_us} AS row

// name: memories_of_facts
UNWIND $ids AS id
MATCH (m:Memory {ns: $ns, fact_id: id})
RETURN collect(m {.*}) AS row

// name: list_facts
MATCH (v:FactVersion {ns: $ns})
USING INDEX SEEK v:FactVersion(ns, from_us, to_us, fact_key, fact_id)
WHERE v.from_us >= $after_from_us
  AND v.to_us IS NOT NULL AND v.fact_key IS NOT NULL AND v.fact_id IS NOT NULL
WITH v ORDER BY v.ns, v.from_us, v.to_us, v.fact_key, v.fact_id
WHERE IN_PLACE
RETURN v {.*} AS row ORDER BY v.ns, v.from_us, v.to_us, v.fact_key, v.fact_id LIMIT $limit

// name: list_facts_of_subjects
UNWIND $subjects AS subject
MATCH (v:FactVersion {ns: $ns, of_subject: subject})
USING INDEX SEEK v:FactVersion(ns, of_subject, from_us)
WHERE v.from_us >= $after_from_us AND IN_PLACE
RETURN v {.*} AS row ORDER BY v.from_us, v.to_us, v.fact_key, v.fact_id LIMIT $limit

// name: list_facts_of_object
MATCH (v:FactVersion {ns: $ns, of_object: $object})
USING INDEX SEEK v:FactVersion(ns, of_object, from_us)
WHERE v.from_us >= $after_from_us AND IN_PLACE
RETURN v {.*} AS row ORDER BY v.from_us, v.to_us, v.fact_key, v.fact_id LIMIT $limit

// name: list_facts_of_entities
UNWIND $entity_ids AS entity_id
MATCH (e:Entity {ns: $ns, entity_id: entity_id})<-[:MENTIONS]-(m:Memory {ns: $ns})
WITH DISTINCT m WHERE m.fact_id IS NOT NULL
MATCH (v:FactVersion {ns: $ns, fact_id: m.fact_id})
USING INDEX SEEK v:FactVersion(ns, fact_id, known_from_us)
WHERE v.known_from_us IS NOT NULL AND v.from_us >= $after_from_us AND IN_PLACE
RETURN v {.*} AS row ORDER BY v.from_us, v.to_us, v.fact_key, v.fact_id LIMIT $limit

// name: derived_from
// One hop of a walk.
UNWIND $ids AS id
MATCH (ground:Memory {ns: $ns, memory_id: id})<-[edge:DERIVED_FROM]-(m:Memory {ns: $ns})
WHERE edge.explicit
WITH DISTINCT m ORDER BY m.memory_id LIMIT $limit
RETURN {memory_id: m.memory_id} AS row

// name: reasons_of_grounds
UNWIND $ids AS id
MATCH (ground:Memory {ns: $ns, memory_id: id})<-[reason:SHAKEN_BY]-(m:Memory {ns: $ns})
RETURN reason {.*, memory_id: m.memory_id, ground_id: id} AS row

// name: put_reasons
UNWIND $rows AS row
MATCH (m:Memory {ns: $ns, memory_id: row.memory_id})
MATCH (ground:Memory {ns: $ns, memory_id: row.ground_id})
MERGE (m)-[reason:SHAKEN_BY {reason_key: row.reason_key}]->(ground)
SET reason.ended_us = row.ended_us

// name: delete_reasons
UNWIND $rows AS row
MATCH (m:Memory {ns: $ns, memory_id: row.memory_id})-[reason:SHAKEN_BY]
      ->(ground:Memory {ns: $ns, memory_id: row.ground_id})
WHERE reason.reason_key = row.reason_key
DELETE reason

// name: forget_reasons
UNWIND $ids AS id
MATCH (m:Memory {ns: $ns, memory_id: id})-[reason:SHAKEN_BY]->(ground:Memory {ns: $ns})
DELETE reason

// name: mark_for_review
UNWIND $ids AS id
MATCH (m:Memory {ns: $ns, memory_id: id})
WITH m, EXISTS { (m)-[:SHAKEN_BY]->(ground:Memory {ns: $ns}) } AS doubted
WHERE m.needs_review <> doubted
SET m.needs_review = doubted, m.update_time_us = $now_us, m.revision = $revision

// name: all_tellings
MATCH (t:Telling {ns: $ns})
USING INDEX SEEK t:Telling(ns, telling_id)
WHERE t.telling_id >= ''
RETURN t {.*} AS row ORDER BY t.ns, t.telling_id

// name: all_fact_versions
MATCH (v:FactVersion {ns: $ns})
USING INDEX SEEK v:FactVersion(ns, fact_id, known_from_us)
WHERE v.fact_id >= '' AND v.known_from_us IS NOT NULL
RETURN v {.*} AS row ORDER BY v.ns, v.fact_id, v.known_from_us

// name: all_reasons
MATCH (m:Memory {ns: $ns})
USING INDEX SEEK m:Memory(ns, memory_id)
WHERE m.memory_id >= ''
WITH m ORDER BY m.ns, m.memory_id
MATCH (m)-[reason:SHAKEN_BY]->(ground:Memory {ns: $ns})
RETURN reason {.*, memory_id: m.memory_id, ground_id: ground.memory_id} AS row
ORDER BY m.ns, m.memory_id, ground.memory_id, reason.reason_key
