-- name: get_meta
SELECT value FROM meta WHERE key = :key

-- name: set_meta
UPDATE meta SET value = :value WHERE key = :key

-- name: raise_meta
UPDATE meta SET value = max(value, :value) WHERE key = :key

-- name: get_request
SELECT digest, answer, revision FROM requests WHERE method = :method AND request_id = :request_id

-- name: put_request
INSERT INTO requests (method, request_id, digest, answer, revision, create_time_us)
VALUES (:method, :request_id, :digest, :answer, :revision, :create_time_us)

-- name: put_request_memory
INSERT INTO request_memories (memory_id, method, request_id)
VALUES (:memory_id, :method, :request_id) ON CONFLICT DO NOTHING

-- name: get_session
SELECT * FROM sessions WHERE session_id = :session_id

-- name: get_seen_session
SELECT s.* FROM sessions AS s WHERE s.session_id = :session_id AND (:sees_all OR VISIBLE(s))

-- name: put_session
INSERT INTO sessions VALUES (
    :session_id, :agent_id, :user_id, :label, :parent_session_id, :state, :visibility,
    :wing, :room, :event_count, :next_index, :next_drawer, :start_time_us, :end_time_us,
    :create_time_us, :update_time_us, :revision, :expired_before_index, :project)
ON CONFLICT (session_id) DO UPDATE SET
    agent_id = excluded.agent_id, user_id = excluded.user_id, label = excluded.label,
    parent_session_id = excluded.parent_session_id, state = excluded.state,
    visibility = excluded.visibility,
    event_count = excluded.event_count, next_index = excluded.next_index,
    next_drawer = excluded.next_drawer, start_time_us = excluded.start_time_us,
    end_time_us = excluded.end_time_us, update_time_us = excluded.update_time_us,
    revision = excluded.revision, expired_before_index = excluded.expired_before_index,
    project = excluded.project

-- name: list_sessions
SELECT s.* FROM sessions AS s
WHERE s.session_id > :after
  AND (:agent_id = '' OR s.agent_id = :agent_id)
  AND (:user_id = '' OR OF_USER(s, :user_id, :of_user))
  AND (:sees_all OR VISIBLE(s))
ORDER BY s.session_id LIMIT :limit

-- name: get_events
SELECT e.*, coalesce(e.content, m.content, '') AS text
FROM events AS e LEFT JOIN memories AS m ON m.memory_id = e.memory_id
WHERE e.session_id = :session_id
  AND e.event_index IN (SELECT value FROM json_each(:indices))

-- name: put_event
INSERT INTO events VALUES (
    :session_id, :event_index, :role, :name, :content, :digest, :event_time_us, :tool_calls,
    :tool_call_id, :reasoning, :modality, :source_line, :memory_id, :token_count,
    :utc_offset_minutes)
ON CONFLICT (session_id, event_index) DO UPDATE SET
    role = excluded.role, name = excluded.name, content = excluded.content,
    digest = excluded.digest, event_time_us = excluded.event_time_us,
    tool_calls = excluded.tool_calls, tool_call_id = excluded.tool_call_id,
    reasoning = excluded.reasoning, modality = excluded.modality,
    source_line = excluded.source_line, memory_id = excluded.memory_id,
    token_count = excluded.token_count, utc_offset_minutes = excluded.utc_offset_minutes

-- name: list_events
SELECT e.*, coalesce(e.content, m.content, '') AS text
FROM events AS e LEFT JOIN memories AS m ON m.memory_id = e.memory_id
WHERE e.session_id = :session_id AND e.event_index > :after
ORDER BY e.event_index LIMIT :limit

-- name: get_wing
SELECT wing, wing_key, next_room FROM wings WHERE wing_key = :wing_key

-- name: next_wing
SELECT coalesce(max(wing), 0) + 1 FROM wings

-- name: put_wing
INSERT INTO wings (wing, wing_key, next_room) VALUES (:wing, :wing_key, :next_room)
ON CONFLICT (wing) DO UPDATE SET
    wing_key = excluded.wing_key, next_room = excluded.next_room

-- name: get_memories
SELECT m.* FROM json_each(:memory_ids) AS asked JOIN memories AS m ON m.memory_id = asked.value
ORDER BY asked.key

-- name: get_seen_memories
-- What the caller may not see takes no longer to answer than what is not there.
SELECT m.* FROM json_each(:memory_ids) AS asked JOIN memories AS m ON m.memory_id = asked.value
WHERE :sees_all OR VISIBLE(m)
ORDER BY asked.key

-- name: put_memory
INSERT INTO memories (
    memory_no, memory_id, kind, category, content, summary, overview, tags, entities, importance,
    confidence, tier, status, visibility, agent_id, user_id, session_id, event_index, event_time_us,
    create_time_us, update_time_us, revision, provenance, origin, pointer, hit_count, pinned,
    needs_review, part, archive_time_us, last_hit_us, stability_days, review_us, centrality, digest,
    fact_id, expire_time_us, document_scope, document_path, utc_offset_minutes)
VALUES (
    (SELECT max(value, (SELECT coalesce(max(memory_no), 0) FROM memories)) + 1
     FROM meta WHERE key = 'deleted_memory_no'),
    :memory_id, :kind, :category, :content, :summary, :overview, :tags, :entities, :importance,
    :confidence, :tier, :status, :visibility, :agent_id, :user_id, :session_id, :event_index,
    :event_time_us, :create_time_us, :update_time_us, :revision, :provenance, :origin, :pointer,
    :hit_count, :pinned, :needs_review, :part, :archive_time_us, :last_hit_us, :stability_days,
    :review_us, :centrality, :digest, :fact_id, :expire_time_us, :document_scope, :document_path,
    :utc_offset_minutes)
ON CONFLICT (memory_id) DO UPDATE SET
    category = excluded.category, content = excluded.content, summary = excluded.summary,
    overview = excluded.overview, tags = excluded.tags, entities = excluded.entities,
    importance = excluded.importance, confidence = excluded.confidence, tier = excluded.tier,
    status = excluded.status, visibility = excluded.visibility, agent_id = excluded.agent_id,
    user_id = excluded.user_id, session_id = excluded.session_id,
    event_index = excluded.event_index, event_time_us = excluded.event_time_us,
    update_time_us = excluded.update_time_us,
    revision = excluded.revision, provenance = excluded.provenance, origin = excluded.origin,
    hit_count = excluded.hit_count, pinned = excluded.pinned,
    needs_review = excluded.needs_review, part = excluded.part,
    archive_time_us = excluded.archive_time_us, last_hit_us = excluded.last_hit_us,
    stability_days = excluded.stability_days, review_us = excluded.review_us,
    centrality = excluded.centrality, digest = coalesce(
        excluded.digest, CASE WHEN content = excluded.content THEN digest END),
    fact_id = excluded.fact_id, expire_time_us = excluded.expire_time_us,
    document_scope = excluded.document_scope, document_path = excluded.document_path,
    utc_offset_minutes = excluded.utc_offset_minutes
RETURNING memory_no

-- name: archive_memory
UPDATE memories SET status = 'archived', archive_time_us = :now_us, update_time_us = :now_us, revision = :revision
WHERE memory_id = :memory_id AND status <> 'archived'

-- name: get_memory_no
SELECT memory_no FROM memories WHERE memory_id = :memory_id

-- name: get_memory_no_at
SELECT memory_no FROM memories WHERE memory_id = :memory_id AND revision = :revision

-- name: delete_labels
DELETE FROM memory_labels WHERE memory_no = :memory_no

-- name: put_label
INSERT INTO memory_labels (memory_no, label, is_entity) VALUES (:memory_no, :label, :is_entity)
ON CONFLICT DO NOTHING

-- name: delete_memory
DELETE FROM memories WHERE memory_no = :memory_no

-- name: note_deleted_no
UPDATE meta SET value = max(value, :memory_no) WHERE key = 'deleted_memory_no'

-- name: clear_event_memory
UPDATE events SET memory_id = '', content = NULL WHERE session_id = :session_id
  AND event_index = :event_index AND memory_id = :memory_id

-- name: put_deletion
INSERT INTO deletions (memory_id, revision, scope) VALUES (:memory_id, :revision, :scope)
ON CONFLICT (memory_id) DO UPDATE SET revision = excluded.revision, scope = excluded.scope

-- name: forget_readers
UPDATE deletions SET scope = 'erased'
WHERE scope = :scope OR (substr(:scope, 1, 1) = '␟' AND instr(scope, :scope) > 0)

-- name: list_expiring
SELECT memory_id, expire_time_us FROM memories WHERE expire_time_us IS NOT NULL
ORDER BY expire_time_us, memory_id LIMIT :limit

-- name: list_memories
SELECT m.* FROM memories AS m
WHERE m.memory_no > :after
  AND (:include_archived OR m.status = 'active')
  AND (:kinds IS NULL OR m.kind IN (SELECT value FROM json_each(:kinds)))
  AND (:categories IS NULL OR m.category IN (SELECT value FROM json_each(:categories)))
  AND (:origins IS NULL OR m.origin IN (SELECT value FROM json_each(:origins)))
  AND (:session_ids IS NULL OR m.session_id IN (SELECT value FROM json_each(:session_ids)))
  AND (:agent_id = '' OR m.agent_id = :agent_id)
  AND (:user_id = '' OR OF_USER(m, :user_id, :of_user))
  AND m.importance >= :min_importance
  AND (:start_time_us IS NULL OR m.event_time_us >= :start_time_us)
  AND (:end_time_us IS NULL OR m.event_time_us < :end_time_us)
  AND (:tags IS NULL OR EXISTS (
        SELECT 1 FROM memory_labels AS l WHERE l.memory_no = m.memory_no AND l.is_entity = 0
           AND l.label IN (SELECT value FROM json_each(:tags))))
  AND (:triggers IS NULL OR EXISTS (
        SELECT 1 FROM memory_labels AS l WHERE l.memory_no = m.memory_no AND l.is_entity IN (0, 2)
           AND l.label IN (SELECT value FROM json_each(:triggers))))
  AND (:entities IS NULL OR EXISTS (
        SELECT 1 FROM memory_labels AS l WHERE l.memory_no = m.memory_no AND l.is_entity = 1
           AND l.label IN (SELECT value FROM json_each(:entities))))
  AND (:sees_all OR VISIBLE(m))
ORDER BY m.memory_no LIMIT :limit

-- name: changes_reach
SELECT max(revision) FROM (
    SELECT revision FROM (
        SELECT revision FROM memories WHERE revision > :after
        UNION ALL
        SELECT revision FROM deletions WHERE revision > :after)
    ORDER BY revision LIMIT :limit)

-- name: changes
SELECT revision, memory_id, 0 AS deleted, kind, memory_no, '' AS scope FROM memories
WHERE revision > :after AND revision <= :up_to
UNION ALL
SELECT revision, memory_id, 1, NULL, 0, scope FROM deletions
WHERE revision > :after AND revision <= :up_to
ORDER BY revision, memory_no

-- name: get_index_records
SELECT m.*, e.pieces, e.vectors
FROM json_each(:memory_ids) AS asked
JOIN memories AS m ON m.memory_id = asked.value
LEFT JOIN embeddings AS e ON e.memory_no = m.memory_no
ORDER BY asked.key

-- name: get_embeddings
SELECT m.memory_id, e.pieces, e.vectors
FROM json_each(:ids) AS asked
JOIN memories AS m ON m.memory_id = asked.value
JOIN embeddings AS e ON e.memory_no = m.memory_no

-- name: put_embedding
INSERT INTO embeddings (memory_no, pieces, vectors) VALUES (:memory_no, :pieces, :vectors)
ON CONFLICT (memory_no) DO UPDATE SET pieces = excluded.pieces, vectors = excluded.vectors

-- name: delete_embedding
DELETE FROM embeddings WHERE memory_no = :memory_no

-- name: delete_staged
DELETE FROM staged_embeddings WHERE memory_no = :memory_no

-- name: put_pending
INSERT INTO pending_embeddings (memory_no, attempts, reason) VALUES (:memory_no, 0, '')
ON CONFLICT DO NOTHING

-- name: note_pending_failure
UPDATE pending_embeddings SET attempts = attempts + 1, reason = :reason
WHERE memory_no = :memory_no

-- name: delete_pending
DELETE FROM pending_embeddings WHERE memory_no = :memory_no

-- name: list_pending
SELECT m.memory_id FROM pending_embeddings AS p JOIN memories AS m ON m.memory_no = p.memory_no
ORDER BY p.memory_no LIMIT :limit

-- name: list_topics
SELECT t.* FROM topics AS t
WHERE t.topic_id > :after AND (:topic_id = '' OR t.topic_id = :topic_id)
  AND IN_SCOPES(t)
ORDER BY t.topic_id LIMIT :limit

-- name: get_topic
SELECT * FROM topics WHERE topic_id = :topic_id

-- name: put_topic
INSERT INTO topics VALUES (
    :topic_id, :label, :scope, :member_count, :centroid, :create_time_us, :update_time_us,
    :revision, :label_model, :label_member_count)
ON CONFLICT (topic_id) DO UPDATE SET
    label = excluded.label, member_count = excluded.member_count, centroid = excluded.centroid,
    update_time_us = excluded.update_time_us, revision = excluded.revision,
    label_model = excluded.label_model, label_member_count = excluded.label_member_count

-- name: delete_topic
DELETE FROM topics WHERE topic_id = :topic_id

-- name: get_topic_of_memory
SELECT topic_id, held FROM topic_members WHERE memory_no = :memory_no

-- name: topics_of_memories
SELECT m.memory_id, t.topic_id FROM json_each(:ids) AS asked
JOIN memories AS m ON m.memory_id = asked.value
JOIN topic_members AS t ON t.memory_no = m.memory_no

-- name: put_topic_member
INSERT INTO topic_members (memory_no, topic_id, held) VALUES (:memory_no, :topic_id, :held)
ON CONFLICT (memory_no) DO UPDATE SET topic_id = excluded.topic_id, held = excluded.held

-- name: delete_topic_member
DELETE FROM topic_members WHERE memory_no = :memory_no

-- name: topic_vectors
SELECT e.pieces, e.vectors FROM topic_members AS t JOIN embeddings AS e ON e.memory_no = t.memory_no
WHERE t.topic_id = :topic_id

-- name: embedding_of_memory
SELECT pieces, vectors FROM embeddings WHERE memory_no = :memory_no

-- name: list_topic_members
SELECT t.memory_no, m.memory_id FROM topic_members AS t
JOIN memories AS m ON m.memory_no = t.memory_no
WHERE t.topic_id = :topic_id AND t.memory_no > :after ORDER BY t.memory_no LIMIT :limit

-- name: count_states
SELECT kind, status, tier, count(*) FROM memories GROUP BY kind, status, tier

-- name: count_sessions
SELECT count(*), coalesce(sum(event_count), 0) FROM sessions

-- name: count_topics
SELECT count(*) FROM topics

-- name: count_pending
SELECT count(*) FROM pending_embeddings
