// The statements of one namespace. `$ns` is its incarnation; every node that a statement names by
// label carries it (`scope.py` refuses this file otherwise). A read returns maps as `row`.
// Lists are ordered by all properties of an index, the fixed ones too, and filtered behind that:
// only so the server takes the order from the index and stops at the limit.

// name: open_clock
// The lock is taken before the key is looked for: replicas that open it together get one.
MERGE (c:Clock {ns: $ns})
ON CREATE SET c.revision = 0, c.topics_revision = 0, c.assigned_revision = 0,
    c.commits = 0, c.recent = [], c.last_memory_no = 0, c.last_wing = 0, c.filled = true
SET c.locked_by = coalesce(c.locked_by, '')
WITH c
SET c.tombstone_key = coalesce(c.tombstone_key, $tombstone_key)
MERGE (l:EmbeddingLock {ns: $ns})
ON CREATE SET l.locked_by = ''

// name: lock_clock
// Writers of one namespace stand in line here, those of other replicas too.
// The lock is taken by the write, so what is read after it is behind every earlier commit.
MATCH (c:Clock {ns: $ns})
SET c.locked_by = $locked_by
WITH c WHERE c.discarded IS NULL
RETURN c {.*} AS row

// name: lock_embeddings
// Vectors have no revision: who keeps them waits here, and for no commit.
MATCH (l:EmbeddingLock {ns: $ns})
SET l.locked_by = $locked_by
WITH l
MATCH (c:Clock {ns: $ns})
WHERE c.discarded IS NULL
RETURN {ns: c.ns} AS row

// name: get_clock
MATCH (c:Clock {ns: $ns}) RETURN c {.*} AS row

// name: put_clock
UNWIND $rows AS row
MATCH (c:Clock {ns: $ns}) SET c += row

// name: lock_unmoved
// The lock of a commit that has looked before it: no row where another commit came between.
MATCH (c:Clock {ns: $ns})
SET c.locked_by = $locked_by
WITH c
WHERE c.commits = $commits AND c.revision = $revision AND c.discarded IS NULL
RETURN c.commits AS commits

// name: load
// What the writes of a commit want to see, in one answer with the clock. The lock is taken first:
// each part is read for the row that the lock has let through. `look` is the same without a lock:
// the clock is read before all else, so that what another commit changes meanwhile is noticed.
MATCH (c:Clock {ns: $ns})
SET c.locked_by = $locked_by
WITH c, c {.*} AS clock WHERE c.discarded IS NULL
CALL (c) {
    UNWIND $sessions AS id
    MATCH (s:Session {ns: $ns, session_id: id})
    RETURN collect(s {.*}) AS sessions
}
CALL (c) {
    UNWIND $events AS key
    MATCH (e:Event {ns: $ns, session_id: key.session_id, event_index: key.event_index})
    OPTIONAL MATCH (m:Memory {ns: $ns, memory_id: e.memory_id})
    RETURN collect(e {.*, text: coalesce(e.content, m.content, '')}) AS events
}
CALL (c) {
    UNWIND $wings AS key
    MATCH (w:Wing {ns: $ns, wing_key: key})
    RETURN collect(w {.*}) AS wings
}
CALL (c) {
    UNWIND $memories AS id
    MATCH (m:Memory {ns: $ns, memory_id: id})
    RETURN collect(m {.*}) AS memories
}
CALL (c) {
    UNWIND $work AS key
    MATCH (w:Work {ns: $ns, kind: key.kind, session_id: key.session_id})
    RETURN collect(w {.*}) AS work
}
CALL (c) {
    UNWIND $documents AS key
    MATCH (d:Document {ns: $ns, collection: key.collection, name: key.name})
    RETURN collect(d {.*}) AS documents
}
CALL (c) {
    UNWIND $requests AS key
    MATCH (r:Request {ns: $ns, method: key.method, request_id: key.request_id})
    WHERE r.create_time_us >= $since_us
    RETURN collect(r {.*}) AS requests
}
CALL (c) {
    MATCH (r:Request {ns: $ns})
    WHERE r.create_time_us < $since_us
    WITH r LIMIT 1
    RETURN count(*) > 0 AS has_old_requests
}
RETURN {
    clock: clock, sessions: sessions, events: events, wings: wings, memories: memories, work: work,
    documents: documents, requests: requests, has_old_requests: has_old_requests
} AS row

// name: purge_requests
MATCH (r:Request {ns: $ns}) WHERE r.create_time_us < $before_us
WITH r LIMIT 1000
DETACH DELETE r

// name: put_requests
UNWIND $rows AS row
MERGE (r:Request {ns: $ns, method: row.method, request_id: row.request_id})
SET r += row.properties
WITH r, row
CALL (r, row) {
    UNWIND row.memory_ids AS memory_id
    MATCH (m:Memory {ns: $ns, memory_id: memory_id})
    MERGE (r)-[:ANSWERED_WITH]->(m)
}
CALL (r, row) {
    UNWIND row.session_ids AS session_id
    MATCH (s:Session {ns: $ns, session_id: session_id})
    MERGE (r)-[:ANSWERED_WITH]->(s)
}

// name: get_sessions
UNWIND $ids AS id
MATCH (s:Session {ns: $ns, session_id: id})
RETURN s {.*} AS row

// name: get_seen_session
MATCH (s:Session {ns: $ns, session_id: $session_id})
WHERE $sees_all = 1 OR VISIBLE(s)
RETURN s {.*} AS row

// name: put_sessions
UNWIND $rows AS row
MERGE (s:Session {ns: $ns, session_id: row.session_id})
ON CREATE SET s += row.fixed
SET s += row.changing

// name: link_sessions
UNWIND $rows AS row
MATCH (s:Session {ns: $ns, session_id: row.session_id})
MATCH (w:Wing {ns: $ns, wing: row.wing})
MERGE (s)-[:IN_WING]->(w)

// name: list_sessions
MATCH (s:Session {ns: $ns})
USING INDEX SEEK s:Session(ns, session_id)
WHERE s.session_id > $after
WITH s ORDER BY s.ns, s.session_id
WHERE ($agent_id = '' OR s.agent_id = $agent_id)
  AND ($user_id = '' OR OF_USER(s, $user_id, $of_user))
  AND ($sees_all = 1 OR VISIBLE(s))
RETURN s {.*} AS row ORDER BY s.ns, s.session_id LIMIT $limit

// name: put_events
UNWIND $rows AS row
MERGE (e:Event {ns: $ns, session_id: row.session_id, event_index: row.event_index})
SET e += row

// name: clear_events
UNWIND $rows AS row
MATCH (e:Event {ns: $ns, session_id: row.session_id, event_index: row.event_index})
WHERE e.memory_id = row.memory_id
SET e.memory_id = '', e.content = null

// name: list_events
MATCH (e:Event {ns: $ns, session_id: $session_id})
WHERE e.event_index > $after
WITH e ORDER BY e.ns, e.session_id, e.event_index LIMIT $limit
OPTIONAL MATCH (m:Memory {ns: $ns, memory_id: e.memory_id})
RETURN e {.*, text: coalesce(e.content, m.content, '')} AS row ORDER BY e.event_index

// name: put_wings
UNWIND $rows AS row
MERGE (w:Wing {ns: $ns, wing: row.wing})
SET w.wing_key = row.wing_key, w.next_room = row.next_room

// name: get_memories
UNWIND $ids AS id
MATCH (m:Memory {ns: $ns, memory_id: id})
RETURN collect(m {.*}) AS row

// name: list_expiring
MATCH (m:Memory {ns: $ns}) WHERE m.expire_time_us IS NOT NULL
WITH m ORDER BY m.ns, m.expire_time_us LIMIT $limit
RETURN m {.memory_id, .expire_time_us} AS row

// name: put_memories
// Without a digest a lesson keeps the one that it has, as long as it says the same.
UNWIND $rows AS row
MERGE (m:Memory {ns: $ns, memory_id: row.memory_id})
ON CREATE SET m += row.fixed, m:$(row.label)
SET m.digest = coalesce(row.digest, CASE WHEN m.content = row.changing.content THEN m.digest END)
SET m += row.changing
WITH m, row.changing.session_id AS session_id, m.memory_no = row.fixed.memory_no AS created
OPTIONAL MATCH (s:Session {ns: $ns, session_id: session_id})
CALL (m, s, created) {
    WITH m, s WHERE created AND s IS NOT NULL
    MERGE (m)-[:PART_OF]->(s)
}
RETURN collect({memory_id: m.memory_id, created: created}) AS row

// name: archive_memories
UNWIND $rows AS row
MATCH (m:Memory {ns: $ns, memory_id: row.memory_id}) WHERE m.status <> 'archived'
SET m.status = 'archived', m.archive_time_us = row.now_us, m.update_time_us = row.now_us,
    m.revision = row.revision

// name: follow
UNWIND $rows AS row
MATCH (before:Memory {ns: $ns, memory_id: row.before})
MATCH (after:Memory {ns: $ns, memory_id: row.after})
WITH DISTINCT before, after
WHERE NOT EXISTS { (before)-[link:FOLLOWED_BY]->(after) WHERE link.explicit IS NULL }
CREATE (before)-[:FOLLOWED_BY]->(after)

// name: follow_on
// Hangs the drawer at a place behind the last one before it in its session. Stubs come before
// every event.
UNWIND $rows AS row
OPTIONAL CALL (row) {
    MATCH (e:Event {ns: $ns, session_id: row.session_id})
    WHERE e.event_index < row.event_index AND e.memory_id <> ''
    WITH e ORDER BY e.ns DESC, e.session_id DESC, e.event_index DESC LIMIT 1
    RETURN e.memory_id AS event_before
}
OPTIONAL CALL (row) {
    MATCH (x:Stub {ns: $ns, session_id: row.session_id})
    WHERE x.event_index < row.event_index AND x.memory_id <> ''
    WITH x ORDER BY x.ns DESC, x.session_id DESC, x.event_index DESC LIMIT 1
    RETURN x.memory_id AS stub_before
}
WITH row, coalesce(event_before, stub_before) AS before_id ORDER BY before_id
MATCH (before:Memory {ns: $ns, memory_id: before_id})
MATCH (after:Memory {ns: $ns, memory_id: row.memory_id})
WITH DISTINCT before, after
WHERE NOT EXISTS { (before)-[link:FOLLOWED_BY]->(after) WHERE link.explicit IS NULL }
CREATE (before)-[:FOLLOWED_BY]->(after)

// name: unfollow
UNWIND $ids AS id
MATCH (m:Memory {ns: $ns, memory_id: id})-[link:FOLLOWED_BY]-(other:Memory {ns: $ns})
WHERE link.explicit IS NULL
DELETE link

// name: cut
UNWIND $rows AS row
MATCH (before:Memory {ns: $ns, memory_id: row.before})-[link:FOLLOWED_BY]
      ->(after:Memory {ns: $ns, memory_id: row.after})
WHERE link.explicit IS NULL
DELETE link

// name: neighbours
// The drawers before and after a place in a session. Stubs come before every event.
UNWIND $rows AS row
OPTIONAL CALL (row) {
    MATCH (e:Event {ns: $ns, session_id: row.session_id})
    WHERE e.event_index < row.event_index AND e.memory_id <> ''
    WITH e ORDER BY e.ns DESC, e.session_id DESC, e.event_index DESC LIMIT 1
    RETURN e.memory_id AS event_before
}
OPTIONAL CALL (row) {
    MATCH (x:Stub {ns: $ns, session_id: row.session_id})
    WHERE x.event_index < row.event_index AND x.memory_id <> ''
    WITH x ORDER BY x.ns DESC, x.session_id DESC, x.event_index DESC LIMIT 1
    RETURN x.memory_id AS stub_before
}
OPTIONAL CALL (row) {
    MATCH (x:Stub {ns: $ns, session_id: row.session_id})
    WHERE x.event_index > row.event_index AND x.memory_id <> ''
    WITH x ORDER BY x.ns, x.session_id, x.event_index LIMIT 1
    RETURN x.memory_id AS stub_after
}
OPTIONAL CALL (row) {
    MATCH (e:Event {ns: $ns, session_id: row.session_id})
    WHERE e.event_index > row.event_index AND e.memory_id <> ''
    WITH e ORDER BY e.ns, e.session_id, e.event_index LIMIT 1
    RETURN e.memory_id AS event_after
}
RETURN {before: coalesce(event_before, stub_before), at: row.memory_id,
        after: coalesce(stub_after, event_after)} AS row

// name: get_doomed
UNWIND $ids AS id
MATCH (m:Memory {ns: $ns, memory_id: id})
OPTIONAL MATCH (m)-[:IN_TOPIC]->(t:Topic {ns: $ns})
OPTIONAL MATCH (v:Embedding {ns: $ns, memory_id: id}) WHERE t IS NOT NULL
RETURN m {.memory_id, .session_id, .event_index, .fact_id, .visibility, .agent_id, .user_id,
    topic_id: t.topic_id, pieces: v.pieces, vectors: v.vectors} AS row

// name: delete_memories
UNWIND $ids AS id
MATCH (m:Memory {ns: $ns, memory_id: id})
DETACH DELETE m

// name: delete_requests_of_memories
UNWIND $ids AS id
MATCH (m:Memory {ns: $ns, memory_id: id})<-[:ANSWERED_WITH]-(r:Request {ns: $ns})
DETACH DELETE r

// name: delete_embeddings
UNWIND $ids AS id
MATCH (v:Embedding {ns: $ns, memory_id: id})
DELETE v

// name: put_deletions
UNWIND $rows AS row
MERGE (d:Deletion {ns: $ns, memory_id: row.memory_id})
SET d.revision = row.revision, d.scope = row.scope

// name: forget_readers
MATCH (d:Deletion {ns: $ns})
USING INDEX SEEK d:Deletion(ns, revision)
WHERE d.revision >= 0
  AND (d.scope IN $ids OR any(one IN $ids WHERE one STARTS WITH '␟' AND d.scope CONTAINS one))
SET d.scope = 'erased'

// name: list_memories
MATCH (m:Memory {ns: $ns})
USING INDEX SEEK m:Memory(ns, memory_no)
WHERE m.memory_no > $after
WITH m ORDER BY m.ns, m.memory_no
WHERE ($include_archived = 1 OR m.status = 'active')
  AND ($kinds IS NULL OR m.kind IN $kinds)
  AND ($categories IS NULL OR m.category IN $categories)
  AND ($origins IS NULL OR m.origin IN $origins)
  AND ($session_ids IS NULL OR m.session_id IN $session_ids)
  AND ($agent_id = '' OR m.agent_id = $agent_id)
  AND ($user_id = '' OR OF_USER(m, $user_id, $of_user))
  AND m.importance >= $min_importance
  AND ($start_time_us IS NULL OR m.event_time_us >= $start_time_us)
  AND ($end_time_us IS NULL OR m.event_time_us < $end_time_us)
  AND ($tags IS NULL OR any(tag IN m.tag_keys WHERE tag IN $tags))
  AND ($triggers IS NULL OR any(tag IN m.tag_keys WHERE tag IN $triggers)
       OR any(tag IN m.trigger_keys WHERE tag IN $triggers))
  AND ($entities IS NULL OR any(entity IN m.entity_keys WHERE entity IN $entities))
  AND ($sees_all = 1 OR VISIBLE(m))
RETURN m {.*} AS row ORDER BY m.ns, m.memory_no LIMIT $limit

// name: changes_reach
CALL () {
    MATCH (m:Memory {ns: $ns})
    USING INDEX SEEK m:Memory(ns, revision)
    WHERE m.revision > $after AND m.revision <= $head
    WITH m ORDER BY m.ns, m.revision LIMIT $limit
    RETURN m.revision AS revision
    UNION ALL
    MATCH (d:Deletion {ns: $ns})
    USING INDEX SEEK d:Deletion(ns, revision)
    WHERE d.revision > $after AND d.revision <= $head
    WITH d ORDER BY d.ns, d.revision LIMIT $limit
    RETURN d.revision AS revision
}
WITH revision ORDER BY revision LIMIT $limit
RETURN {reach: max(revision), found: count(*)} AS row

// name: changes
MATCH (m:Memory {ns: $ns})
USING INDEX SEEK m:Memory(ns, revision)
WHERE m.revision > $after AND m.revision <= $up_to
RETURN m {.revision, .memory_id, .kind, .memory_no, deleted: false, scope: ''} AS row
UNION ALL
MATCH (d:Deletion {ns: $ns})
USING INDEX SEEK d:Deletion(ns, revision)
WHERE d.revision > $after AND d.revision <= $up_to
RETURN d {.revision, .memory_id, kind: null, memory_no: 0, deleted: true,
    scope: coalesce(d.scope, '')} AS row

// name: get_index_records
UNWIND $ids AS id
MATCH (m:Memory {ns: $ns, memory_id: id})
OPTIONAL MATCH (v:Embedding {ns: $ns, memory_id: id})
RETURN m {.*, pieces: v.pieces, vectors: v.vectors} AS row

// name: get_embeddings
UNWIND $ids AS id
MATCH (v:Embedding {ns: $ns, memory_id: id})
RETURN v {.*} AS row

// name: put_embeddings
// The memory is locked first, and memories in the order of `follow_on`: so no commit waits for
// this one while this one waits for it.
UNWIND $rows AS row
MATCH (m:Memory {ns: $ns, memory_id: row.memory_id})
WHERE row.revision IS NULL OR m.revision = row.revision
REMOVE m.pending_no, m.pending_attempts, m.pending_reason
MERGE (v:Embedding {ns: $ns, memory_id: row.memory_id})
SET v.pieces = row.pieces, v.vectors = row.vectors, v.stored_bytes = row.stored_bytes
RETURN collect({memory_id: m.memory_id}) AS row

// name: note_pending_failures
UNWIND $ids AS id
MATCH (m:Memory {ns: $ns, memory_id: id})
WHERE m.pending_no IS NOT NULL
SET m.pending_attempts = coalesce(m.pending_attempts, 0) + 1, m.pending_reason = $reason

// name: list_pending
MATCH (m:Memory {ns: $ns})
USING INDEX SEEK m:Memory(ns, pending_no)
WHERE m.pending_no > 0
WITH m ORDER BY m.ns, m.pending_no LIMIT $limit
RETURN {memory_id: m.memory_id} AS row

// name: list_topics
MATCH (t:Topic {ns: $ns})
WHERE t.topic_id > $after
WITH t ORDER BY t.ns, t.topic_id
WHERE ($topic_id = '' OR t.topic_id = $topic_id)
  AND IN_SCOPES(t)
RETURN t {.*} AS row ORDER BY t.ns, t.topic_id LIMIT $limit

// name: get_topics
UNWIND $ids AS id
MATCH (t:Topic {ns: $ns, topic_id: id})
RETURN t {.*} AS row

// name: put_topics
UNWIND $rows AS row
MERGE (t:Topic {ns: $ns, topic_id: row.topic_id})
SET t += row

// name: delete_topics
UNWIND $ids AS id
MATCH (t:Topic {ns: $ns, topic_id: id})
DETACH DELETE t

// name: get_members
UNWIND $ids AS id
MATCH (m:Memory {ns: $ns, memory_id: id})
MATCH (v:Embedding {ns: $ns, memory_id: id})
OPTIONAL MATCH (m)-[place:IN_TOPIC]->(t:Topic {ns: $ns})
RETURN {memory_id: id, topic_id: t.topic_id, held: coalesce(place.held, false),
    pieces: v.pieces, vectors: v.vectors} AS row

// name: leave_topics
UNWIND $ids AS id
MATCH (m:Memory {ns: $ns, memory_id: id})-[place:IN_TOPIC]->(t:Topic {ns: $ns})
DELETE place

// name: topics_of_memories
UNWIND $ids AS id
MATCH (m:Memory {ns: $ns, memory_id: id})-[:IN_TOPIC]->(t:Topic {ns: $ns})
RETURN {memory_id: m.memory_id, topic_id: t.topic_id} AS row

// name: topics_left
UNWIND $ids AS id
MATCH (m:Memory {ns: $ns, memory_id: id})-[place:IN_TOPIC]->(t:Topic {ns: $ns})
DELETE place
RETURN {topic_id: t.topic_id} AS row

// name: join_topics
UNWIND $rows AS row
MATCH (m:Memory {ns: $ns, memory_id: row.memory_id})
MATCH (t:Topic {ns: $ns, topic_id: row.topic_id})
MERGE (m)-[place:IN_TOPIC]->(t)
SET place.held = CASE WHEN row.held THEN true END

// name: topic_vectors
MATCH (t:Topic {ns: $ns, topic_id: $topic_id})<-[:IN_TOPIC]-(m:Memory {ns: $ns})
MATCH (v:Embedding {ns: $ns, memory_id: m.memory_id})
RETURN v {.pieces, .vectors} AS row

// name: list_topic_members
MATCH (t:Topic {ns: $ns, topic_id: $topic_id})<-[:IN_TOPIC]-(m:Memory {ns: $ns})
WHERE m.memory_no > $after
RETURN m {.memory_no, .memory_id} AS row ORDER BY m.memory_no LIMIT $limit

// name: count_states
// "IS NOT NULL" always holds; it lets an index answer, which goes over this namespace only.
MATCH (m:Memory {ns: $ns})
USING INDEX SEEK m:Memory(ns, memory_no)
WHERE m.memory_no IS NOT NULL
WITH m.kind AS kind, m.status AS status, m.tier AS tier,
     count(*) AS count, sum(m.stored_bytes) AS stored_bytes
RETURN {kind: kind, status: status, tier: tier, count: count, stored_bytes: stored_bytes} AS row

// name: count_sessions
MATCH (s:Session {ns: $ns})
USING INDEX SEEK s:Session(ns, session_id)
WHERE s.session_id IS NOT NULL
RETURN {sessions: count(*), events: sum(s.event_count)} AS row

// name: count_topics
MATCH (t:Topic {ns: $ns})
USING INDEX SEEK t:Topic(ns, topic_id)
WHERE t.topic_id IS NOT NULL
RETURN {count: count(*)} AS row

// name: count_embeddings
MATCH (v:Embedding {ns: $ns})
USING INDEX SEEK v:Embedding(ns, memory_id)
WHERE v.memory_id IS NOT NULL
RETURN {stored_bytes: sum(v.stored_bytes)} AS row

// name: count_pending
MATCH (m:Memory {ns: $ns})
USING INDEX SEEK m:Memory(ns, pending_no)
WHERE m.pending_no > 0
RETURN {count: count(*)} AS row
