-- name: all_wings
SELECT wing, wing_key, next_room FROM wings ORDER BY wing

-- name: all_sessions
SELECT * FROM sessions ORDER BY session_id

-- name: all_segments
SELECT * FROM segments ORDER BY session_id, first_index

-- name: all_memories
SELECT m.*, e.pieces, e.vectors, p.memory_no IS NOT NULL AS pending
FROM memories AS m
LEFT JOIN embeddings AS e ON e.memory_no = m.memory_no
LEFT JOIN pending_embeddings AS p ON p.memory_no = m.memory_no
ORDER BY m.memory_no

-- name: all_events
SELECT *, coalesce(content, '') AS text FROM events ORDER BY session_id, event_index

-- name: all_topics
SELECT * FROM topics ORDER BY topic_id

-- name: all_topic_members
SELECT m.memory_id, t.topic_id, t.held FROM topic_members AS t
JOIN memories AS m ON m.memory_no = t.memory_no ORDER BY t.topic_id, t.memory_no

-- name: all_deletions
SELECT memory_id, revision, scope FROM deletions ORDER BY revision, memory_id

-- name: all_activities
SELECT a.*, (
    SELECT json_group_array(m.memory_id ORDER BY m.place) FROM activity_memories AS m
    WHERE m.revision = a.revision AND m.segment_id = a.segment_id) AS memory_ids
FROM activities AS a ORDER BY a.revision, a.segment_id

-- name: all_work
SELECT * FROM work ORDER BY kind, session_id

-- name: key_of_stubs
SELECT value AS key FROM secrets
WHERE name = 'tombstones' AND EXISTS (SELECT 1 FROM event_stubs)

-- name: all_stubs
SELECT session_id, event_index, memory_id, mark FROM event_stubs
ORDER BY session_id, event_index

-- name: key_of_tombstones
SELECT value AS key FROM secrets
WHERE name = 'tombstones' AND EXISTS (SELECT 1 FROM tombstones)
  AND NOT EXISTS (SELECT 1 FROM event_stubs)

-- name: all_tombstones
SELECT mark FROM tombstones ORDER BY mark

-- name: all_usages
SELECT * FROM usages ORDER BY hour_us, purpose

-- name: all_uploads
SELECT * FROM uploads ORDER BY session_id, upload_id

-- name: all_edges
SELECT * FROM edges ORDER BY source_id, target_id, type

-- name: all_copies
SELECT * FROM copies ORDER BY copy_id

-- name: all_documents
SELECT * FROM documents ORDER BY collection, name

-- name: all_entities
SELECT * FROM entities ORDER BY entity_id

-- name: all_mentions
SELECT * FROM mentions ORDER BY memory_id, entity_id, name

-- name: all_tellings
SELECT * FROM fact_tellings ORDER BY telling_id

-- name: all_versions
SELECT * FROM fact_versions ORDER BY fact_id, known_from_us

-- name: all_reasons
SELECT * FROM review_reasons ORDER BY memory_id, ground_id, reason_key

-- name: count_all
SELECT (SELECT count(*) FROM wings), (SELECT count(*) FROM sessions),
       (SELECT count(*) FROM segments), (SELECT count(*) FROM memories),
       (SELECT count(*) FROM embeddings), (SELECT count(*) FROM event_stubs),
       (SELECT count(*) FROM events), (SELECT count(*) FROM topics),
       (SELECT count(*) FROM topic_members), (SELECT count(*) FROM deletions),
       (SELECT count(*) FROM activities), (SELECT count(*) FROM work),
       (SELECT count(*) FROM tombstones), (SELECT count(*) FROM usages),
       (SELECT count(*) FROM uploads), (SELECT count(*) FROM edges),
       (SELECT count(*) FROM copies), (SELECT count(*) FROM documents),
       (SELECT count(*) FROM entities), (SELECT count(*) FROM mentions),
       (SELECT count(*) FROM fact_tellings), (SELECT count(*) FROM fact_versions),
       (SELECT count(*) FROM review_reasons)

-- name: put_tombstone_key
UPDATE secrets SET value = :key WHERE name = 'tombstones'

-- name: put_usage
INSERT INTO usages VALUES (:hour_us, :purpose, :calls, :input_tokens, :output_tokens)
ON CONFLICT (hour_us, purpose) DO UPDATE SET calls = excluded.calls,
    input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens

-- name: clear_activity
DELETE FROM activities WHERE revision = :revision AND segment_id = :segment_id

-- name: clear_activity_memories
DELETE FROM activity_memories WHERE revision = :revision AND segment_id = :segment_id

-- name: count_topic_members
SELECT count(*) FROM topic_members AS t JOIN memories AS m ON m.memory_no = t.memory_no
WHERE t.topic_id = :topic_id

-- name: all_topic_ids
SELECT topic_id FROM topics

-- name: get_binding
SELECT model, dimension FROM bindings WHERE place = :place

-- name: put_binding
INSERT INTO bindings (place, model, dimension) VALUES (:place, :model, :dimension)
ON CONFLICT (place) DO UPDATE SET model = excluded.model, dimension = excluded.dimension

-- name: delete_binding
DELETE FROM bindings WHERE place = :place

-- name: put_staged
INSERT INTO staged_embeddings (memory_no, pieces, vectors) VALUES (:memory_no, :pieces, :vectors)
ON CONFLICT (memory_no) DO UPDATE SET pieces = excluded.pieces, vectors = excluded.vectors

-- name: clear_staged
DELETE FROM staged_embeddings

-- name: list_unstaged
SELECT m.memory_id FROM memories AS m
WHERE NOT EXISTS (SELECT 1 FROM staged_embeddings AS s WHERE s.memory_no = m.memory_no)
ORDER BY m.memory_no LIMIT :limit

-- name: list_oldest
SELECT memory_id FROM memories ORDER BY memory_no LIMIT :limit

-- name: count_left_behind
SELECT count(*) FROM embeddings AS e
WHERE NOT EXISTS (SELECT 1 FROM staged_embeddings AS s WHERE s.memory_no = e.memory_no)

-- name: drop_embeddings
DROP TABLE embeddings

-- name: use_staged
ALTER TABLE staged_embeddings RENAME TO embeddings

-- name: make_staged
CREATE TABLE staged_embeddings (
    memory_no INTEGER PRIMARY KEY,
    pieces    INTEGER NOT NULL,
    vectors   BLOB NOT NULL
)

-- name: clear_copied_vectors
UPDATE copies SET pieces = NULL, vectors = NULL WHERE vectors IS NOT NULL

-- name: clear_embedded_pending
DELETE FROM pending_embeddings WHERE memory_no IN (SELECT memory_no FROM embeddings)

-- name: put_missing_pending
INSERT INTO pending_embeddings (memory_no, attempts, reason)
SELECT m.memory_no, 0, '' FROM memories AS m
WHERE NOT EXISTS (SELECT 1 FROM embeddings AS e WHERE e.memory_no = m.memory_no)
ON CONFLICT DO NOTHING
