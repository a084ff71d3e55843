-- name: update_vitals
UPDATE memories SET hit_count = :hit_count, last_hit_us = :last_hit_us,
    stability_days = :stability_days, review_us = :review_us, tier = :tier,
    centrality = :centrality
WHERE memory_id = :memory_id

-- name: lesson_of_digest
SELECT * FROM memories WHERE digest = :digest AND status = 'active' ORDER BY memory_no LIMIT 1

-- name: fresh_lessons
-- Few are behind a late revision, which SQLite does not know.
SELECT m.*, e.pieces, e.vectors
FROM memories AS m INDEXED BY memories_by_revision
LEFT JOIN embeddings AS e ON e.memory_no = m.memory_no
WHERE m.revision > :after AND m.kind = 'learning' AND m.status = 'active'
ORDER BY m.memory_no

-- name: put_edge
INSERT INTO edges
SELECT :source_id, :target_id, :type, :weight, :create_time_us, :update_time_us, :detail
WHERE EXISTS (SELECT 1 FROM memories WHERE memory_id = :source_id)
  AND EXISTS (SELECT 1 FROM memories WHERE memory_id = :target_id)
ON CONFLICT (source_id, target_id, type) DO UPDATE SET
    weight = excluded.weight, update_time_us = excluded.update_time_us, detail = excluded.detail

-- name: delete_edge
DELETE FROM edges WHERE source_id = :source_id AND target_id = :target_id AND type = :type

-- name: delete_edges_of_memory
DELETE FROM edges WHERE source_id = :memory_id OR target_id = :memory_id

-- name: edges_of
SELECT e.* FROM json_each(:ids) AS asked JOIN edges AS e ON e.source_id = asked.value
WHERE :types IS NULL OR e.type IN (SELECT value FROM json_each(:types))
UNION
SELECT e.* FROM json_each(:ids) AS asked JOIN edges AS e ON e.target_id = asked.value
WHERE :types IS NULL OR e.type IN (SELECT value FROM json_each(:types))
ORDER BY weight DESC, source_id, target_id, type LIMIT :limit

-- name: list_edges
SELECT * FROM edges
WHERE (source_id, target_id, type) > (:after_source, :after_target, :after_type)
  AND (:types IS NULL OR type IN (SELECT value FROM json_each(:types)))
ORDER BY source_id, target_id, type LIMIT :limit

-- name: put_copy
INSERT INTO copies
SELECT :copy_id, :memory_id, :role, :agent_id, :user_id, :session_id, :memory, :create_time_us,
    :similarity, :merged, :pieces, :vectors
WHERE EXISTS (SELECT 1 FROM memories WHERE memory_id = :memory_id)
ON CONFLICT (copy_id) DO UPDATE SET
    memory_id = excluded.memory_id, role = excluded.role, agent_id = excluded.agent_id,
    user_id = excluded.user_id, session_id = excluded.session_id, memory = excluded.memory,
    create_time_us = excluded.create_time_us, similarity = excluded.similarity,
    merged = excluded.merged, pieces = excluded.pieces, vectors = excluded.vectors

-- name: delete_copy
DELETE FROM copies WHERE copy_id = :copy_id

-- name: delete_copies_of_memory
DELETE FROM copies WHERE memory_id = :memory_id

-- name: copies_of
SELECT c.* FROM json_each(:memory_ids) AS asked JOIN copies AS c ON c.memory_id = asked.value
ORDER BY asked.key, c.create_time_us, c.copy_id

-- name: plain_copies_of
SELECT copy_id, memory_id, role, memory, create_time_us, similarity, merged,
    NULL AS pieces, NULL AS vectors
FROM copies WHERE memory_id = :memory_id ORDER BY create_time_us, copy_id

-- name: list_copies
SELECT copy_id, memory_id, role, memory, create_time_us, similarity, merged,
    NULL AS pieces, NULL AS vectors
FROM copies WHERE role = :role AND copy_id > :after ORDER BY copy_id LIMIT :limit

-- name: list_copies_of_agent
SELECT copy_id, memory_id, role, memory, create_time_us, similarity, merged,
    NULL AS pieces, NULL AS vectors
FROM copies WHERE agent_id = :subject AND agent_id <> '' AND role = :role AND copy_id > :after
ORDER BY copy_id LIMIT :limit

-- name: list_copies_of_user
SELECT copy_id, memory_id, role, memory, create_time_us, similarity, merged,
    NULL AS pieces, NULL AS vectors
FROM copies WHERE user_id = :subject AND user_id <> '' AND role = :role AND copy_id > :after
ORDER BY copy_id LIMIT :limit

-- name: list_copies_of_session
SELECT copy_id, memory_id, role, memory, create_time_us, similarity, merged,
    NULL AS pieces, NULL AS vectors
FROM copies WHERE session_id = :subject AND session_id <> '' AND role = :role AND copy_id > :after
ORDER BY copy_id LIMIT :limit

-- name: get_document
SELECT * FROM documents WHERE collection = :collection AND name = :name

-- name: put_document
INSERT INTO documents VALUES (
    :collection, :name, :body, :update_time_us, :agent_id, :user_id, :session_id)
ON CONFLICT (collection, name) DO UPDATE SET
    body = excluded.body, update_time_us = excluded.update_time_us,
    agent_id = excluded.agent_id, user_id = excluded.user_id, session_id = excluded.session_id

-- name: delete_document
DELETE FROM documents WHERE collection = :collection AND name = :name

-- name: list_documents
SELECT * FROM documents WHERE collection = :collection AND name >= :after AND (name > :after OR :after = '')
ORDER BY name LIMIT :limit

-- name: documents_of_agent
SELECT * FROM documents WHERE agent_id = :subject AND agent_id <> ''
ORDER BY collection, name LIMIT :limit

-- name: documents_of_user
SELECT * FROM documents WHERE user_id = :subject AND user_id <> ''
ORDER BY collection, name LIMIT :limit

-- name: documents_of_session
SELECT * FROM documents WHERE session_id = :subject AND session_id <> ''
ORDER BY collection, name LIMIT :limit

-- name: erase_session
DELETE FROM sessions WHERE session_id = :session_id

-- name: erase_events
DELETE FROM events WHERE session_id = :session_id

-- name: erase_segments
DELETE FROM segments WHERE session_id = :session_id

-- name: erase_activity_memories
DELETE FROM activity_memories WHERE (revision, segment_id) IN (
    SELECT revision, segment_id FROM activities WHERE session_id = :session_id)

-- name: erase_activities
DELETE FROM activities WHERE session_id = :session_id

-- name: erase_stubs
DELETE FROM event_stubs WHERE session_id = :session_id

-- name: erase_uploads
DELETE FROM uploads WHERE session_id = :session_id

-- name: erase_work
DELETE FROM work WHERE session_id = :session_id AND session_id <> ''
  AND kind IN (SELECT value FROM json_each(:kinds))

-- name: erase_copies
DELETE FROM copies WHERE session_id = :session_id AND session_id <> ''

-- name: erase_documents
DELETE FROM documents WHERE session_id = :session_id AND session_id <> ''

-- name: requests_of_memory
SELECT method, request_id FROM request_memories WHERE memory_id = :memory_id

-- name: requests_of_session
SELECT method, request_id FROM request_sessions WHERE session_id = :session_id

-- name: old_requests
SELECT method, request_id FROM requests WHERE create_time_us < :before_us

-- name: forget_requests
DELETE FROM requests WHERE method = :method AND request_id = :request_id

-- name: forget_request_memories
DELETE FROM request_memories WHERE method = :method AND request_id = :request_id

-- name: forget_request_sessions
DELETE FROM request_sessions WHERE method = :method AND request_id = :request_id

-- name: put_request_session
INSERT INTO request_sessions (session_id, method, request_id)
VALUES (:session_id, :method, :request_id) ON CONFLICT DO NOTHING
