// The statements of one namespace about the life of memories; `neo4j.cypher` says what holds.
// `:EDGE` stands for one type of edge, with a statement for each; `:ANY_EDGE` for all of them.
// Edges are `explicit`: so they differ from the order of drawers and the place in a session.

// name: put_vitals
UNWIND $rows AS row
MATCH (m:Memory {ns: $ns, memory_id: row.memory_id})
SET m.hit_count = row.hit_count, m.last_hit_us = row.last_hit_us,
    m.stability_days = row.stability_days, m.review_us = row.review_us, m.tier = row.tier,
    m.centrality = row.centrality

// name: put_edges
UNWIND $rows AS row
MATCH (a:Memory {ns: $ns, memory_id: row.source_id})
MATCH (b:Memory {ns: $ns, memory_id: row.target_id})
MERGE (a)-[edge:EDGE {explicit: true}]->(b)
ON CREATE SET edge.create_time_us = row.create_time_us
SET edge.weight = row.weight, edge.update_time_us = row.update_time_us, edge.detail = row.detail

// name: delete_edges
UNWIND $rows AS row
MATCH (a:Memory {ns: $ns, memory_id: row.source_id})-[edge:EDGE {explicit: true}]
      ->(b:Memory {ns: $ns, memory_id: row.target_id})
DELETE edge

// name: edges_of
UNWIND $ids AS id
MATCH (m:Memory {ns: $ns, memory_id: id})-[edge:ANY_EDGE]-(other:Memory {ns: $ns})
WHERE edge.explicit AND ($types IS NULL OR toLower(type(edge)) IN $types)
WITH DISTINCT edge, startNode(edge).memory_id AS source_id, endNode(edge).memory_id AS target_id,
     toLower(type(edge)) AS type
RETURN edge {.*, source_id: source_id, target_id: target_id, type: type} AS row
ORDER BY edge.weight DESC, source_id, target_id, type LIMIT $limit

// name: list_edges
// The source's index gives the order; only what begins at one source is sorted.
MATCH (a:Memory {ns: $ns})
USING INDEX SEEK a:Memory(ns, memory_id)
WHERE a.memory_id >= $after_source
WITH a ORDER BY a.ns, a.memory_id
MATCH (a)-[edge:ANY_EDGE]->(b:Memory {ns: $ns})
WHERE edge.explicit AND ($types IS NULL OR toLower(type(edge)) IN $types)
  AND (a.memory_id <> $after_source OR b.memory_id > $after_target
       OR (b.memory_id = $after_target AND toLower(type(edge)) > $after_type))
RETURN edge {.*, source_id: a.memory_id, target_id: b.memory_id, type: toLower(type(edge))} AS row
ORDER BY a.ns, a.memory_id, b.memory_id, toLower(type(edge)) LIMIT $limit

// name: all_edges
MATCH (a:Memory {ns: $ns})
USING INDEX SEEK a:Memory(ns, memory_id)
WHERE a.memory_id >= ''
WITH a ORDER BY a.ns, a.memory_id
MATCH (a)-[edge:ANY_EDGE]->(b:Memory {ns: $ns})
WHERE edge.explicit
RETURN edge {.*, source_id: a.memory_id, target_id: b.memory_id, type: toLower(type(edge))} AS row
ORDER BY a.ns, a.memory_id, b.memory_id, toLower(type(edge))

// name: oldest_by_digest
UNWIND $digests AS digest
MATCH (m:Memory {ns: $ns, digest: digest})
USING INDEX SEEK m:Memory(ns, digest)
WHERE m.status = 'active'
WITH digest, min(m.memory_no) AS memory_no
MATCH (m:Memory {ns: $ns, memory_no: memory_no})
RETURN m {.*} AS row

// name: lessons_behind
MATCH (m:Memory {ns: $ns})
USING INDEX SEEK m:Memory(ns, revision)
WHERE m.revision > $after AND m.kind = 'learning'
OPTIONAL MATCH (v:Embedding {ns: $ns, memory_id: m.memory_id})
RETURN m {.*, pieces: v.pieces, vectors: v.vectors} AS row

// name: put_copies
UNWIND $rows AS row
MATCH (m:Memory {ns: $ns, memory_id: row.memory_id})
MERGE (c:Copy {ns: $ns, copy_id: row.copy_id})
SET c += row
WITH m, c
CALL (m, c) {
    MATCH (c)-[link:HANGS_ON]->(other:Memory {ns: $ns})
    WHERE other.memory_id <> m.memory_id
    DELETE link
}
MERGE (c)-[:HANGS_ON]->(m)

// name: delete_copies
UNWIND $ids AS id
MATCH (c:Copy {ns: $ns, copy_id: id})
DETACH DELETE c

// name: delete_copies_of_memories
UNWIND $ids AS id
MATCH (m:Memory {ns: $ns, memory_id: id})<-[:HANGS_ON]-(c:Copy {ns: $ns})
DETACH DELETE c

// name: get_copies_of
UNWIND $ids AS id
MATCH (m:Memory {ns: $ns, memory_id: id})<-[:HANGS_ON]-(c:Copy {ns: $ns})
RETURN c {.*} AS row

// name: plain_copies_of
// Without their vectors.
MATCH (m:Memory {ns: $ns, memory_id: $memory_id})<-[:HANGS_ON]-(c:Copy {ns: $ns})
RETURN c {.*, pieces: null, vectors: null} AS row

// name: list_copies
MATCH (c:Copy {ns: $ns, role: $role})
USING INDEX SEEK c:Copy(ns, role, copy_id)
WHERE c.copy_id > $after
RETURN c {.*, pieces: null, vectors: null} AS row ORDER BY c.ns, c.role, c.copy_id LIMIT $limit

// name: list_copies_of_agent
MATCH (c:Copy {ns: $ns, role: $role, agent_id: $subject})
USING INDEX SEEK c:Copy(ns, role, agent_id, copy_id)
WHERE c.copy_id > $after
RETURN c {.*, pieces: null, vectors: null} AS row
ORDER BY c.ns, c.role, c.agent_id, c.copy_id LIMIT $limit

// name: list_copies_of_user
MATCH (c:Copy {ns: $ns, role: $role, user_id: $subject})
USING INDEX SEEK c:Copy(ns, role, user_id, copy_id)
WHERE c.copy_id > $after
RETURN c {.*, pieces: null, vectors: null} AS row
ORDER BY c.ns, c.role, c.user_id, c.copy_id LIMIT $limit

// name: list_copies_of_session
MATCH (c:Copy {ns: $ns, role: $role, session_id: $subject})
USING INDEX SEEK c:Copy(ns, role, session_id, copy_id)
WHERE c.copy_id > $after
RETURN c {.*, pieces: null, vectors: null} AS row
ORDER BY c.ns, c.role, c.session_id, c.copy_id LIMIT $limit

// name: all_copies
MATCH (c:Copy {ns: $ns})
USING INDEX SEEK c:Copy(ns, copy_id)
WHERE c.copy_id >= ''
RETURN c {.*} AS row ORDER BY c.ns, c.copy_id

// name: put_documents
UNWIND $rows AS row
MERGE (d:Document {ns: $ns, collection: row.collection, name: row.name})
SET d += row

// name: delete_documents
UNWIND $rows AS row
MATCH (d:Document {ns: $ns, collection: row.collection, name: row.name})
DELETE d

// name: get_document
MATCH (d:Document {ns: $ns, collection: $collection, name: $name})
RETURN d {.*} AS row

// name: list_documents
MATCH (d:Document {ns: $ns, collection: $collection})
USING INDEX SEEK d:Document(ns, collection, name)
WHERE d.name >= $after
WITH d ORDER BY d.ns, d.collection, d.name
WHERE $after = '' OR d.name <> $after
RETURN d {.*} AS row ORDER BY d.ns, d.collection, d.name LIMIT $limit

// name: documents_of_agent
MATCH (d:Document {ns: $ns, agent_id: $subject})
USING INDEX SEEK d:Document(ns, agent_id, collection, name)
WHERE d.collection >= '' AND d.name IS NOT NULL
RETURN d {.*} AS row ORDER BY d.ns, d.agent_id, d.collection, d.name LIMIT $limit

// name: documents_of_user
MATCH (d:Document {ns: $ns, user_id: $subject})
USING INDEX SEEK d:Document(ns, user_id, collection, name)
WHERE d.collection >= '' AND d.name IS NOT NULL
RETURN d {.*} AS row ORDER BY d.ns, d.user_id, d.collection, d.name LIMIT $limit

// name: documents_of_session
MATCH (d:Document {ns: $ns, session_id: $subject})
USING INDEX SEEK d:Document(ns, session_id, collection, name)
WHERE d.collection >= '' AND d.name IS NOT NULL
RETURN d {.*} AS row ORDER BY d.ns, d.session_id, d.collection, d.name LIMIT $limit

// name: all_documents
MATCH (d:Document {ns: $ns})
USING INDEX SEEK d:Document(ns, collection, name)
WHERE d.collection >= '' AND d.name IS NOT NULL
RETURN d {.*} AS row ORDER BY d.ns, d.collection, d.name

// name: list_unfilled
MATCH (m:Memory {ns: $ns})
USING INDEX SEEK m:Memory(ns, memory_no)
WHERE m.memory_no > $after
WITH m ORDER BY m.ns, m.memory_no
WHERE m.kind <> 'episodic' OR m.status = 'archived'
RETURN m {.*} AS row ORDER BY m.ns, m.memory_no LIMIT $limit

// name: put_archive_times
UNWIND $rows AS row
MATCH (m:Memory {ns: $ns, memory_id: row.memory_id})
WHERE m.status = 'archived' AND m.archive_time_us IS NULL
SET m.archive_time_us = m.update_time_us

// name: put_trigger_keys
UNWIND $rows AS row
MATCH (m:Memory {ns: $ns, memory_id: row.memory_id})
SET m.trigger_keys = row.trigger_keys

// name: note_filled
MATCH (c:Clock {ns: $ns})
SET c.filled = $filled, c.filled_to = $filled_to
