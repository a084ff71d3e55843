-- name: get_stubs
SELECT event_index, memory_id, mark FROM event_stubs
WHERE session_id = :session_id AND event_index IN (SELECT value FROM json_each(:indices))

-- name: events_before
SELECT event_index, memory_id, digest FROM events
WHERE session_id = :session_id AND event_index < :before_index

-- name: put_stub
INSERT INTO event_stubs VALUES (:session_id, :event_index, :memory_id, :mark)
ON CONFLICT (session_id, event_index) DO UPDATE SET
    memory_id = excluded.memory_id, mark = excluded.mark

-- name: delete_events_before
DELETE FROM events WHERE session_id = :session_id AND event_index < :before_index

-- name: delete_events_from
DELETE FROM events WHERE session_id = :session_id AND event_index >= :first_index

-- name: forget_stub_memory
UPDATE event_stubs SET memory_id = '' WHERE memory_id = :memory_id AND memory_id <> ''
