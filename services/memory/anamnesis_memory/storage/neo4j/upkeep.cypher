// All of one namespace, for operators: read in the order of an export, counted, re-embedded and
// removed. Rules are those of neo4j.cypher. The clock's node keeps which model the vectors are of,
// where a switch has changed it (`bound_*`), and which one vectors are made of beside (`staged_*`).

// name: all_wings
MATCH (w:Wing {ns: $ns})
USING INDEX SEEK w:Wing(ns, wing)
WHERE w.wing > 0
RETURN w {.*} AS row ORDER BY w.ns, w.wing

// name: all_sessions
MATCH (s:Session {ns: $ns})
USING INDEX SEEK s:Session(ns, session_id)
WHERE s.session_id >= ''
RETURN s {.*} AS row ORDER BY s.ns, s.session_id

// name: all_segments
MATCH (g:Segment {ns: $ns})
USING INDEX SEEK g:Segment(ns, session_id, first_index)
WHERE g.session_id >= '' AND g.first_index IS NOT NULL
RETURN g {.*} AS row ORDER BY g.ns, g.session_id, g.first_index

// name: all_memories
MATCH (m:Memory {ns: $ns})
USING INDEX SEEK m:Memory(ns, memory_no)
WHERE m.memory_no > 0
WITH m ORDER BY m.ns, m.memory_no
OPTIONAL MATCH (v:Embedding {ns: $ns, memory_id: m.memory_id})
RETURN m {.*, pieces: v.pieces, vectors: v.vectors, pending: m.pending_no IS NOT NULL} AS row
ORDER BY m.ns, m.memory_no

// name: all_stubs
MATCH (x:Stub {ns: $ns})
USING INDEX SEEK x:Stub(ns, session_id, event_index)
WHERE x.session_id >= '' AND x.event_index IS NOT NULL
RETURN x {.*} AS row ORDER BY x.ns, x.session_id, x.event_index

// name: all_events
MATCH (e:Event {ns: $ns})
USING INDEX SEEK e:Event(ns, session_id, event_index)
WHERE e.session_id >= '' AND e.event_index IS NOT NULL
RETURN e {.*, text: coalesce(e.content, '')} AS row ORDER BY e.ns, e.session_id, e.event_index

// name: all_topics
MATCH (t:Topic {ns: $ns})
USING INDEX SEEK t:Topic(ns, topic_id)
WHERE t.topic_id >= ''
RETURN t {.*} AS row ORDER BY t.ns, t.topic_id

// name: all_topic_members
MATCH (t:Topic {ns: $ns})
USING INDEX SEEK t:Topic(ns, topic_id)
WHERE t.topic_id >= ''
MATCH (t)<-[place:IN_TOPIC]-(m:Memory {ns: $ns})
RETURN {memory_id: m.memory_id, topic_id: t.topic_id, held: coalesce(place.held, false)} AS row
ORDER BY t.ns, t.topic_id, m.memory_no

// name: all_deletions
MATCH (d:Deletion {ns: $ns})
USING INDEX SEEK d:Deletion(ns, revision)
WHERE d.revision >= 0
RETURN d {.memory_id, .revision, scope: coalesce(d.scope, '')} AS row ORDER BY d.ns, d.revision, d.memory_id

// name: all_activities
MATCH (a:Activity {ns: $ns})
USING INDEX SEEK a:Activity(ns, revision, segment_id)
WHERE a.revision >= 0 AND a.segment_id IS NOT NULL
WITH a ORDER BY a.ns, a.revision, a.segment_id
RETURN a {.*, memory_ids: COLLECT {
    MATCH (a)-[taught:TAUGHT]->(m:Memory {ns: $ns})
    RETURN m.memory_id ORDER BY taught.place}} AS row

// name: all_work
MATCH (w:Work {ns: $ns})
USING INDEX SEEK w:Work(ns, kind, session_id)
WHERE w.kind >= '' AND w.session_id IS NOT NULL
RETURN w {.*} AS row ORDER BY w.ns, w.kind, w.session_id

// name: all_tombstones
MATCH (t:Tombstone {ns: $ns})
USING INDEX SEEK t:Tombstone(ns, mark)
WHERE t.mark >= ''
RETURN t {.mark} AS row ORDER BY t.ns, t.mark

// name: all_usages
MATCH (u:Usage {ns: $ns})
USING INDEX SEEK u:Usage(ns, hour_us, purpose)
WHERE u.hour_us IS NOT NULL AND u.purpose IS NOT NULL
RETURN u {.*} AS row ORDER BY u.ns, u.hour_us, u.purpose

// name: some_uploads
MATCH (u:Upload {ns: $ns})
USING INDEX SEEK u:Upload(ns, session_id, upload_id)
WHERE u.session_id >= $after_session AND u.upload_id IS NOT NULL
WITH u ORDER BY u.ns, u.session_id, u.upload_id
WHERE u.session_id > $after_session OR u.upload_id > $after_upload
RETURN u {.*} AS row ORDER BY u.ns, u.session_id, u.upload_id LIMIT $limit

// name: clear_activities
// What is put again may name others, in other places.
UNWIND $rows AS row
MATCH (a:Activity {ns: $ns, revision: row.revision, segment_id: row.segment_id})
      -[taught:TAUGHT]->(m:Memory {ns: $ns})
DELETE taught

// name: put_usages
UNWIND $rows AS row
MERGE (u:Usage {ns: $ns, hour_us: row.hour_us, purpose: row.purpose})
SET u += row

// name: put_tombstone_key
MATCH (c:Clock {ns: $ns}) SET c.tombstone_key = $key

// name: count_all
CALL () { MATCH (w:Wing {ns: $ns}) WHERE w.wing IS NOT NULL RETURN count(*) AS wings }
CALL () { MATCH (s:Session {ns: $ns}) WHERE s.session_id IS NOT NULL RETURN count(*) AS sessions }
CALL () { MATCH (m:Memory {ns: $ns}) WHERE m.memory_no IS NOT NULL RETURN count(*) AS memories }
CALL () {
    MATCH (v:Embedding {ns: $ns}) WHERE v.memory_id IS NOT NULL RETURN count(*) AS embeddings
}
CALL () {
    MATCH (e:Event {ns: $ns})
    WHERE e.session_id IS NOT NULL AND e.event_index IS NOT NULL
    RETURN count(*) AS events
}
CALL () { MATCH (t:Topic {ns: $ns}) WHERE t.topic_id IS NOT NULL RETURN count(*) AS topics }
CALL () {
    MATCH (t:Topic {ns: $ns})<-[:IN_TOPIC]-(m:Memory {ns: $ns})
    USING INDEX SEEK t:Topic(ns, topic_id)
    WHERE t.topic_id IS NOT NULL
    RETURN count(*) AS topic_members
}
CALL () { MATCH (d:Deletion {ns: $ns}) WHERE d.revision IS NOT NULL RETURN count(*) AS deletions }
CALL () {
    MATCH (g:Segment {ns: $ns})
    WHERE g.session_id IS NOT NULL AND g.first_index IS NOT NULL
    RETURN count(*) AS segments
}
CALL () {
    MATCH (a:Activity {ns: $ns})
    WHERE a.revision IS NOT NULL AND a.segment_id IS NOT NULL
    RETURN count(*) AS activities
}
CALL () {
    MATCH (w:Work {ns: $ns})
    WHERE w.kind IS NOT NULL AND w.session_id IS NOT NULL
    RETURN count(*) AS work
}
CALL () { MATCH (t:Tombstone {ns: $ns}) WHERE t.mark IS NOT NULL RETURN count(*) AS tombstones }
CALL () {
    MATCH (u:Usage {ns: $ns})
    WHERE u.hour_us IS NOT NULL AND u.purpose IS NOT NULL
    RETURN count(*) AS usages
}
CALL () {
    MATCH (x:Stub {ns: $ns})
    WHERE x.session_id IS NOT NULL AND x.event_index IS NOT NULL
    RETURN count(*) AS stubs
}
CALL () { MATCH (u:Upload {ns: $ns}) WHERE u.upload_id IS NOT NULL RETURN count(*) AS uploads }
CALL () {
    MATCH (a:Memory {ns: $ns})-[edge:ANY_EDGE]->(b:Memory {ns: $ns})
    USING INDEX SEEK a:Memory(ns, memory_no)
    WHERE a.memory_no IS NOT NULL AND edge.explicit
    RETURN count(*) AS edges
}
CALL () { MATCH (c:Copy {ns: $ns}) WHERE c.copy_id IS NOT NULL RETURN count(*) AS copies }
CALL () {
    MATCH (d:Document {ns: $ns})
    USING INDEX SEEK d:Document(ns, collection, name)
    WHERE d.collection IS NOT NULL AND d.name IS NOT NULL
    RETURN count(*) AS documents
}
CALL () {
    MATCH (e:Entity {ns: $ns})
    USING INDEX SEEK e:Entity(ns, entity_id)
    WHERE e.entity_id IS NOT NULL
    RETURN count(*) AS entities
}
CALL () {
    MATCH (m:Memory {ns: $ns})-[:MENTIONS]->(e:Entity {ns: $ns})
    USING INDEX SEEK m:Memory(ns, memory_no)
    WHERE m.memory_no IS NOT NULL
    RETURN count(*) AS mentions
}
CALL () {
    MATCH (t:Telling {ns: $ns}) WHERE t.telling_id IS NOT NULL RETURN count(*) AS tellings
}
CALL () {
    MATCH (v:FactVersion {ns: $ns})
    USING INDEX SEEK v:FactVersion(ns, fact_id, known_from_us)
    WHERE v.fact_id IS NOT NULL AND v.known_from_us IS NOT NULL
    RETURN count(*) AS fact_versions
}
CALL () {
    MATCH (m:Memory {ns: $ns})-[:SHAKEN_BY]->(ground:Memory {ns: $ns})
    USING INDEX SEEK m:Memory(ns, memory_no)
    WHERE m.memory_no IS NOT NULL
    RETURN count(*) AS reasons
}
RETURN {
    wings: wings, sessions: sessions, segments: segments, memories: memories,
    embeddings: embeddings, stubs: stubs, events: events, topics: topics,
    topic_members: topic_members, deletions: deletions, activities: activities, work: work,
    tombstones: tombstones, usages: usages, uploads: uploads, edges: edges, copies: copies,
    documents: documents, entities: entities, mentions: mentions, tellings: tellings,
    fact_versions: fact_versions, reasons: reasons
} AS row

// name: requeue_embeddings
UNWIND $ids AS id
MATCH (m:Memory {ns: $ns, memory_id: id})
SET m.pending_no = m.memory_no
WITH id
MATCH (v:Embedding {ns: $ns, memory_id: id})
DELETE v

// name: member_vectors
MATCH (t:Topic {ns: $ns, topic_id: $topic_id})<-[:IN_TOPIC]-(m:Memory {ns: $ns})
OPTIONAL MATCH (v:Embedding {ns: $ns, memory_id: m.memory_id})
WITH m, v ORDER BY m.memory_no
RETURN {pieces: v.pieces, vectors: v.vectors} AS row

// name: delete_staged
UNWIND $ids AS id
MATCH (v:StagedEmbedding {ns: $ns, memory_id: id})
DELETE v

// name: clear_some_staged
MATCH (v:StagedEmbedding {ns: $ns})
WHERE v.memory_id IS NOT NULL
WITH v LIMIT $limit
DELETE v
RETURN {count: count(*)} AS row

// name: clear_staged
MATCH (v:StagedEmbedding {ns: $ns})
WHERE v.memory_id IS NOT NULL
DELETE v

// name: bind_staged
MATCH (c:Clock {ns: $ns})
SET c.staged_model = $model, c.staged_dimension = $dimension

// name: put_staged
UNWIND $rows AS row
MATCH (m:Memory {ns: $ns, memory_id: row.memory_id})
MERGE (v:StagedEmbedding {ns: $ns, memory_id: row.memory_id})
SET v.pieces = row.pieces, v.vectors = row.vectors, v.stored_bytes = row.stored_bytes

// name: list_unstaged
MATCH (m:Memory {ns: $ns})
USING INDEX SEEK m:Memory(ns, memory_no)
WHERE m.memory_no > 0
WITH m ORDER BY m.ns, m.memory_no
WHERE NOT $same OR NOT EXISTS { MATCH (v:StagedEmbedding {ns: $ns, memory_id: m.memory_id}) }
RETURN {memory_id: m.memory_id} AS row ORDER BY m.ns, m.memory_no LIMIT $limit

// name: count_left_behind
MATCH (v:Embedding {ns: $ns})
USING INDEX SEEK v:Embedding(ns, memory_id)
WHERE v.memory_id IS NOT NULL
  AND NOT EXISTS { MATCH (s:StagedEmbedding {ns: $ns, memory_id: v.memory_id}) }
RETURN {count: count(*)} AS row

// name: use_staged
// Written over those in use: every one of them has a staged one, and no index has to change.
MATCH (s:StagedEmbedding {ns: $ns})
WHERE s.memory_id IS NOT NULL
MERGE (v:Embedding {ns: $ns, memory_id: s.memory_id})
SET v.pieces = s.pieces, v.vectors = s.vectors, v.stored_bytes = s.stored_bytes
DELETE s

// name: clear_copied_vectors
MATCH (c:Copy {ns: $ns})
USING INDEX SEEK c:Copy(ns, copy_id)
WHERE c.copy_id IS NOT NULL
REMOVE c.pieces, c.vectors

// name: clear_embedded_pending
MATCH (m:Memory {ns: $ns})
USING INDEX SEEK m:Memory(ns, pending_no)
WHERE m.pending_no > 0
MATCH (v:Embedding {ns: $ns, memory_id: m.memory_id})
REMOVE m.pending_no, m.pending_attempts, m.pending_reason

// name: put_missing_pending
MATCH (m:Memory {ns: $ns})
USING INDEX SEEK m:Memory(ns, memory_no)
WHERE m.memory_no > 0 AND m.pending_no IS NULL
  AND NOT EXISTS { MATCH (v:Embedding {ns: $ns, memory_id: m.memory_id}) }
SET m.pending_no = m.memory_no

// name: bind
MATCH (c:Clock {ns: $ns})
SET c.bound_model = $model, c.bound_dimension = $dimension
REMOVE c.staged_model, c.staged_dimension

// name: close_clock
// From here on no writer gets a lock; who keeps vectors just now is waited for.
MATCH (c:Clock {ns: $ns}) SET c.discarded = true
WITH c
MATCH (l:EmbeddingLock {ns: $ns}) SET l.locked_by = ''

// name: discard_some
// Memories first, so that what they hang on has no relationships left.
CALL () {
    MATCH (m:Memory {ns: $ns}) WHERE m.memory_id IS NOT NULL RETURN m AS gone
    UNION ALL
    MATCH (v:Embedding {ns: $ns}) WHERE v.memory_id IS NOT NULL RETURN v AS gone
    UNION ALL
    MATCH (v:StagedEmbedding {ns: $ns}) WHERE v.memory_id IS NOT NULL RETURN v AS gone
    UNION ALL
    MATCH (e:Event {ns: $ns})
    WHERE e.session_id IS NOT NULL AND e.event_index IS NOT NULL
    RETURN e AS gone
    UNION ALL
    MATCH (s:Session {ns: $ns}) WHERE s.session_id IS NOT NULL RETURN s AS gone
    UNION ALL
    MATCH (w:Wing {ns: $ns}) WHERE w.wing IS NOT NULL RETURN w AS gone
    UNION ALL
    MATCH (e:Entity {ns: $ns}) WHERE e.entity_id IS NOT NULL RETURN e AS gone
    UNION ALL
    MATCH (n:Name {ns: $ns})
    USING INDEX SEEK n:Name(ns, entity_id, scope, name)
    WHERE n.entity_id IS NOT NULL AND n.scope IS NOT NULL AND n.name IS NOT NULL
    RETURN n AS gone
    UNION ALL
    MATCH (t:Telling {ns: $ns}) WHERE t.telling_id IS NOT NULL RETURN t AS gone
    UNION ALL
    MATCH (v:FactVersion {ns: $ns})
    USING INDEX SEEK v:FactVersion(ns, fact_id, known_from_us)
    WHERE v.fact_id IS NOT NULL AND v.known_from_us IS NOT NULL
    RETURN v AS gone
    UNION ALL
    MATCH (t:Topic {ns: $ns}) WHERE t.topic_id IS NOT NULL RETURN t AS gone
    UNION ALL
    MATCH (d:Deletion {ns: $ns}) WHERE d.revision IS NOT NULL RETURN d AS gone
    UNION ALL
    MATCH (r:Request {ns: $ns})
    WHERE r.method IS NOT NULL AND r.request_id IS NOT NULL
    RETURN r AS gone
    UNION ALL
    MATCH (a:Activity {ns: $ns})
    WHERE a.revision IS NOT NULL AND a.segment_id IS NOT NULL
    RETURN a AS gone
    UNION ALL
    MATCH (g:Segment {ns: $ns}) WHERE g.segment_id IS NOT NULL RETURN g AS gone
    UNION ALL
    MATCH (t:Tag {ns: $ns}) WHERE t.tag_key IS NOT NULL RETURN t AS gone
    UNION ALL
    MATCH (w:Work {ns: $ns})
    WHERE w.kind IS NOT NULL AND w.session_id IS NOT NULL
    RETURN w AS gone
    UNION ALL
    MATCH (t:Tombstone {ns: $ns}) WHERE t.mark IS NOT NULL RETURN t AS gone
    UNION ALL
    MATCH (u:Usage {ns: $ns})
    WHERE u.hour_us IS NOT NULL AND u.purpose IS NOT NULL
    RETURN u AS gone
    UNION ALL
    MATCH (x:Stub {ns: $ns})
    WHERE x.session_id IS NOT NULL AND x.event_index IS NOT NULL
    RETURN x AS gone
    UNION ALL
    MATCH (u:Upload {ns: $ns}) WHERE u.upload_id IS NOT NULL RETURN u AS gone
    UNION ALL
    MATCH (c:Copy {ns: $ns}) WHERE c.copy_id IS NOT NULL RETURN c AS gone
    UNION ALL
    MATCH (d:Document {ns: $ns})
    USING INDEX SEEK d:Document(ns, collection, name)
    WHERE d.collection IS NOT NULL AND d.name IS NOT NULL
    RETURN d AS gone
    UNION ALL
    MATCH (l:EmbeddingLock {ns: $ns}) RETURN l AS gone
}
WITH gone LIMIT $limit
DETACH DELETE gone
RETURN {count: count(*)} AS row

// name: discard_some_pieces
MATCH (p:UploadPiece {ns: $ns})
WHERE p.upload_id IS NOT NULL AND p.place IS NOT NULL
WITH p LIMIT $limit
DETACH DELETE p
RETURN {count: count(*)} AS row

// name: discard_clock
MATCH (c:Clock {ns: $ns}) DELETE c
