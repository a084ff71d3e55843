// The statements of one namespace about the pipeline; `neo4j.cypher` says what holds for each.

// name: put_work
UNWIND $rows AS row
MERGE (w:Work {ns: $ns, kind: row.kind, session_id: row.session_id})
SET w += row

// name: claimable
// What is ready before $before_us; until $until_us what is pending.
MATCH (w:Work {ns: $ns, kind: $kind})
USING INDEX SEEK w:Work(ns, kind, ready_us, session_id)
WHERE w.ready_us <= $until_us AND w.session_id IS NOT NULL
WITH w ORDER BY w.ns, w.kind, w.ready_us, w.session_id
WHERE w.ready_us <= $before_us OR w.state = 'pending'
RETURN w {.*} AS row ORDER BY w.ns, w.kind, w.ready_us, w.session_id LIMIT $limit

// name: claimable_of_session
MATCH (w:Work {ns: $ns, kind: $kind, session_id: $session_id})
USING INDEX SEEK w:Work(ns, kind, session_id)
WHERE w.ready_us <= $until_us AND (w.ready_us <= $before_us OR w.state = 'pending')
RETURN w {.*} AS row LIMIT $limit

// name: next_ready
MATCH (w:Work {ns: $ns, kind: $kind})
USING INDEX SEEK w:Work(ns, kind, ready_us, session_id)
WHERE w.ready_us > $before_us AND w.session_id IS NOT NULL
WITH w ORDER BY w.ns, w.kind, w.ready_us, w.session_id LIMIT 1
RETURN {ready_us: w.ready_us} AS row

// name: list_work
MATCH (w:Work {ns: $ns, kind: $kind})
USING INDEX SEEK w:Work(ns, kind, session_id)
WHERE w.session_id >= $first
WITH w ORDER BY w.ns, w.kind, w.session_id
WHERE ($after IS NULL OR w.session_id <> $after) AND ($states IS NULL OR w.state IN $states)
RETURN w {.*} AS row ORDER BY w.ns, w.kind, w.session_id LIMIT $limit

// name: work_of_session
UNWIND $kinds AS kind
MATCH (w:Work {ns: $ns, kind: kind, session_id: $session_id})
WHERE $states IS NULL OR w.state IN $states
RETURN w {.*} AS row

// name: count_work
UNWIND $kinds AS kind
MATCH (w:Work {ns: $ns, kind: kind})
USING INDEX SEEK w:Work(ns, kind, session_id)
WHERE w.session_id IS NOT NULL AND ($states IS NULL OR w.state IN $states)
WITH w.kind AS kind, w.state AS state, count(*) AS count
RETURN {kind: kind, state: state, count: count} AS row

// name: segments_of_sessions
UNWIND $ids AS id
MATCH (g:Segment {ns: $ns, session_id: id})
USING INDEX SEEK g:Segment(ns, session_id, first_index)
WHERE g.first_index IS NOT NULL
RETURN g {.*} AS row

// name: put_segments
UNWIND $rows AS row
MATCH (s:Session {ns: $ns, session_id: row.session_id})
MERGE (g:Segment {ns: $ns, segment_id: row.segment_id})
SET g += row
MERGE (s)-[:HAS_SEGMENT]->(g)

// name: delete_segments
UNWIND $ids AS id
MATCH (g:Segment {ns: $ns, segment_id: id})
DETACH DELETE g

// name: link_learned
UNWIND $rows AS row
MATCH (m:Memory {ns: $ns, memory_id: row.memory_id})
MATCH (g:Segment {ns: $ns, segment_id: row.segment_id})
MERGE (m)-[:LEARNED_FROM]->(g)

// name: put_tags
UNWIND $rows AS row
MATCH (m:Memory {ns: $ns, memory_id: row.memory_id})
MERGE (t:Tag {ns: $ns, tag_key: row.tag_key})
MERGE (m)-[:TAGGED]->(t)

// name: drop_tags
// Takes away what a changed memory is no longer tagged with.
UNWIND $ids AS id
MATCH (m:Memory {ns: $ns, memory_id: id})-[link:TAGGED]->(t:Tag {ns: $ns})
WHERE NOT t.tag_key IN m.tag_keys
DELETE link

// name: memories_with_tags
UNWIND $tags AS tag
MATCH (t:Tag {ns: $ns, tag_key: tag})<-[:TAGGED]-(m:Memory {ns: $ns})
WHERE m.status = 'active'
RETURN {tag: tag, memory_id: m.memory_id, memory_no: m.memory_no} AS row

// name: list_segments
// Strings are compared by the index alone: it sorts them by code points, expressions do not.
MATCH (g:Segment {ns: $ns})
USING INDEX SEEK g:Segment(ns, session_id, first_index)
WHERE g.session_id >= $after_session AND g.first_index IS NOT NULL
WITH g ORDER BY g.ns, g.session_id, g.first_index
WHERE (g.session_id <> $after_session OR g.first_index > $after_index)
  AND ($task_type = '' OR g.task_type = $task_type)
  AND ($min_score <= 0.0 OR g.score >= $min_score)
  AND ($sees_all = 1 OR EXISTS {
    MATCH (s:Session {ns: $ns, session_id: g.session_id})
    WHERE VISIBLE(s)})
RETURN g {.*} AS row ORDER BY g.ns, g.session_id, g.first_index LIMIT $limit

// name: list_segments_of_session
MATCH (g:Segment {ns: $ns, session_id: $session_id})
USING INDEX SEEK g:Segment(ns, session_id, first_index)
WHERE g.first_index > $after_index
WITH g ORDER BY g.ns, g.session_id, g.first_index
WHERE ($task_type = '' OR g.task_type = $task_type)
  AND ($min_score <= 0.0 OR g.score >= $min_score)
  AND ($sees_all = 1 OR EXISTS {
    MATCH (s:Session {ns: $ns, session_id: g.session_id})
    WHERE VISIBLE(s)})
RETURN g {.*} AS row ORDER BY g.ns, g.session_id, g.first_index LIMIT $limit

// name: count_task_types
MATCH (g:Segment {ns: $ns})
USING INDEX SEEK g:Segment(ns, session_id, first_index)
WHERE g.session_id IS NOT NULL AND g.first_index IS NOT NULL
  AND EXISTS {
    MATCH (s:Session {ns: $ns, session_id: g.session_id})
    WHERE VISIBLE(s)}
WITH g.task_type AS task_type, count(*) AS segments, coalesce(avg(g.score), 0.0) AS mean_score,
     sum(CASE WHEN g.score >= $lessons_from THEN 1 ELSE 0 END) AS eligible_for_lessons,
     sum(CASE WHEN g.score >= $sft_from THEN 1 ELSE 0 END) AS eligible_for_sft,
     sum(CASE WHEN g.state <> 'new' THEN 1 ELSE 0 END) AS labelled,
     sum(CASE WHEN g.state = 'extracted' THEN 1 ELSE 0 END) AS extracted
RETURN {task_type: task_type, segments: segments, mean_score: mean_score,
        eligible_for_lessons: eligible_for_lessons, eligible_for_sft: eligible_for_sft,
        labelled: labelled, extracted: extracted} AS row

// name: put_activities
UNWIND $rows AS row
MERGE (a:Activity {ns: $ns, revision: row.revision, segment_id: row.segment_id})
SET a += row

// name: put_activity_memories
UNWIND $rows AS row
MATCH (a:Activity {ns: $ns, revision: row.revision, segment_id: row.segment_id})
MATCH (m:Memory {ns: $ns, memory_id: row.memory_id})
MERGE (a)-[:TAUGHT {place: row.place}]->(m)

// name: list_activities
MATCH (a:Activity {ns: $ns})
USING INDEX SEEK a:Activity(ns, revision, segment_id)
WHERE a.revision <= $before_revision AND a.segment_id IS NOT NULL
WITH a ORDER BY a.ns DESC, a.revision DESC, a.segment_id DESC
WHERE (a.revision < $before_revision OR a.segment_id < $before_segment)
  AND EXISTS {
    MATCH (s:Session {ns: $ns, session_id: a.session_id})
    WHERE VISIBLE(s)}
WITH a ORDER BY a.ns DESC, a.revision DESC, a.segment_id DESC LIMIT $limit
RETURN a {.*, memory_ids: COLLECT {
    MATCH (a)-[taught:TAUGHT]->(m:Memory {ns: $ns})
    WHERE VISIBLE(m)
    RETURN m.memory_id ORDER BY taught.place}} AS row

// name: list_activities_of_session
MATCH (a:Activity {ns: $ns, session_id: $session_id})
USING INDEX SEEK a:Activity(ns, session_id, revision, segment_id)
WHERE a.revision <= $before_revision AND a.segment_id IS NOT NULL
WITH a ORDER BY a.ns DESC, a.session_id DESC, a.revision DESC, a.segment_id DESC
WHERE (a.revision < $before_revision OR a.segment_id < $before_segment)
  AND EXISTS {
    MATCH (s:Session {ns: $ns, session_id: a.session_id})
    WHERE VISIBLE(s)}
WITH a ORDER BY a.ns DESC, a.session_id DESC, a.revision DESC, a.segment_id DESC LIMIT $limit
RETURN a {.*, memory_ids: COLLECT {
    MATCH (a)-[taught:TAUGHT]->(m:Memory {ns: $ns})
    WHERE VISIBLE(m)
    RETURN m.memory_id ORDER BY taught.place}} AS row

// name: add_usages
UNWIND $rows AS row
MERGE (u:Usage {ns: $ns, hour_us: row.hour_us, purpose: row.purpose})
ON CREATE SET u.calls = 0, u.input_tokens = 0, u.output_tokens = 0
SET u.calls = CASE WHEN u.calls + row.calls < row.total_max
        THEN u.calls + row.calls ELSE row.total_max END,
    u.input_tokens = CASE WHEN u.input_tokens + row.input_tokens < row.total_max
        THEN u.input_tokens + row.input_tokens ELSE row.total_max END,
    u.output_tokens = CASE WHEN u.output_tokens + row.output_tokens < row.total_max
        THEN u.output_tokens + row.output_tokens ELSE row.total_max END

// name: list_usage
MATCH (u:Usage {ns: $ns})
USING INDEX SEEK u:Usage(ns, hour_us, purpose)
WHERE u.hour_us >= $since_us AND u.purpose IS NOT NULL
RETURN u {.*} AS row

// name: get_tombstones
UNWIND $marks AS mark
MATCH (t:Tombstone {ns: $ns, mark: mark})
RETURN {mark: t.mark} AS row

// name: put_tombstones
UNWIND $rows AS row
MERGE (t:Tombstone {ns: $ns, mark: row.mark})
