-- name: get_work
SELECT w.* FROM json_each(:keys) AS asked
JOIN work AS w ON w.kind = asked.value ->> 0 AND w.session_id = asked.value ->> 1

-- name: put_work
INSERT INTO work VALUES (
    :kind, :session_id, :state, :due_us, :update_time_us, :token, :holder, :expires_us, :attempts,
    :reason, :again, :ready_us)
ON CONFLICT (kind, session_id) DO UPDATE SET
    state = excluded.state, due_us = excluded.due_us, update_time_us = excluded.update_time_us,
    token = excluded.token, holder = excluded.holder, expires_us = excluded.expires_us,
    attempts = excluded.attempts, reason = excluded.reason, again = excluded.again,
    ready_us = excluded.ready_us

-- name: claimable
-- What is ready before :before_us; until :until_us what is pending.
SELECT * FROM work
WHERE kind = :kind AND ready_us <= :until_us AND (ready_us <= :before_us OR state = 'pending')
ORDER BY ready_us, session_id LIMIT :limit

-- name: claimable_of_session
SELECT * FROM work
WHERE kind = :kind AND session_id = :session_id
  AND ready_us <= :until_us AND (ready_us <= :before_us OR state = 'pending')
LIMIT :limit

-- name: next_ready
SELECT ready_us FROM work WHERE kind = :kind AND ready_us > :before_us ORDER BY ready_us LIMIT 1

-- name: list_work
SELECT * FROM work
WHERE kind = :kind AND session_id >= :first AND session_id IS NOT :after
  AND (:states IS NULL OR state IN (SELECT value FROM json_each(:states)))
ORDER BY session_id LIMIT :limit

-- name: work_of_session
SELECT * FROM work
WHERE kind IN (SELECT value FROM json_each(:kinds)) AND session_id = :session_id
  AND (:states IS NULL OR state IN (SELECT value FROM json_each(:states)))
ORDER BY kind

-- name: count_work
SELECT kind, state, count(*) AS count FROM work
WHERE kind IN (SELECT value FROM json_each(:kinds))
  AND (:states IS NULL OR state IN (SELECT value FROM json_each(:states)))
GROUP BY kind, state

-- name: segments_of_session
SELECT * FROM segments WHERE session_id = :session_id ORDER BY first_index

-- name: put_segment
INSERT INTO segments VALUES (
    :segment_id, :session_id, :first_index, :last_index, :fingerprint, :topic, :summary, :segmenter,
    :create_time_us, :update_time_us, :revision, :state, :task_type, :score, :metrics_json,
    :labeller)
ON CONFLICT (segment_id) DO UPDATE SET
    first_index = excluded.first_index, last_index = excluded.last_index, topic = excluded.topic,
    summary = excluded.summary, segmenter = excluded.segmenter,
    update_time_us = excluded.update_time_us, revision = excluded.revision, state = excluded.state,
    task_type = excluded.task_type, score = excluded.score, metrics_json = excluded.metrics_json,
    labeller = excluded.labeller

-- name: delete_segment
DELETE FROM segments WHERE segment_id = :segment_id

-- name: memories_with_tags
SELECT asked.value AS tag, m.memory_id FROM json_each(:tags) AS asked
JOIN memory_labels AS l ON l.label = asked.value AND l.is_entity = 0
JOIN memories AS m ON m.memory_no = l.memory_no
WHERE m.status = 'active' ORDER BY asked.key, m.memory_no

-- name: list_segments
SELECT g.* FROM segments AS g JOIN sessions AS s ON s.session_id = g.session_id
WHERE (g.session_id, g.first_index) > (:after_session, :after_index)
  AND (:task_type = '' OR g.task_type = :task_type)
  AND (:min_score <= 0.0 OR g.score >= :min_score)
  AND (:sees_all OR VISIBLE(s))
ORDER BY g.session_id, g.first_index LIMIT :limit

-- name: list_segments_of_session
SELECT g.* FROM segments AS g JOIN sessions AS s ON s.session_id = g.session_id
WHERE g.session_id = :session_id
  AND (g.session_id, g.first_index) > (:after_session, :after_index)
  AND (:task_type = '' OR g.task_type = :task_type)
  AND (:min_score <= 0.0 OR g.score >= :min_score)
  AND (:sees_all OR VISIBLE(s))
ORDER BY g.first_index LIMIT :limit

-- name: count_task_types
SELECT g.task_type, count(*) AS segments, coalesce(avg(g.score), 0.0) AS mean_score,
       count(*) FILTER (WHERE g.score >= :lessons_from) AS eligible_for_lessons,
       count(*) FILTER (WHERE g.score >= :sft_from) AS eligible_for_sft,
       count(*) FILTER (WHERE g.state <> 'new') AS labelled,
       count(*) FILTER (WHERE g.state = 'extracted') AS extracted
FROM segments AS g JOIN sessions AS s ON s.session_id = g.session_id
WHERE VISIBLE(s)
GROUP BY g.task_type ORDER BY g.task_type

-- name: put_activity
INSERT INTO activities VALUES (
    :revision, :segment_id, :session_id, :time_us, :topic, :facts, :lessons, :procedures, :refusals,
    :extractor)
ON CONFLICT (revision, segment_id) DO UPDATE SET topic = excluded.topic

-- name: put_activity_memory
INSERT INTO activity_memories VALUES (:revision, :segment_id, :place, :memory_id)
ON CONFLICT DO NOTHING

-- name: forget_activity_memory
DELETE FROM activity_memories WHERE memory_id = :memory_id

-- name: list_activities
SELECT a.*, (
    SELECT json_group_array(t.memory_id ORDER BY t.place)
    FROM activity_memories AS t JOIN memories AS m ON m.memory_id = t.memory_id
    WHERE t.revision = a.revision AND t.segment_id = a.segment_id
      AND VISIBLE(m)) AS memory_ids
FROM activities AS a JOIN sessions AS s ON s.session_id = a.session_id
WHERE (a.revision, a.segment_id) < (:before_revision, :before_segment)
  AND VISIBLE(s)
ORDER BY a.revision DESC, a.segment_id DESC LIMIT :limit

-- name: list_activities_of_session
SELECT a.*, (
    SELECT json_group_array(t.memory_id ORDER BY t.place)
    FROM activity_memories AS t JOIN memories AS m ON m.memory_id = t.memory_id
    WHERE t.revision = a.revision AND t.segment_id = a.segment_id
      AND VISIBLE(m)) AS memory_ids
FROM activities AS a JOIN sessions AS s ON s.session_id = a.session_id
WHERE a.session_id = :session_id
  AND (a.revision, a.segment_id) < (:before_revision, :before_segment)
  AND VISIBLE(s)
ORDER BY a.revision DESC, a.segment_id DESC LIMIT :limit

-- name: add_usage
INSERT INTO usages VALUES (:hour_us, :purpose, :calls, :input_tokens, :output_tokens)
ON CONFLICT (hour_us, purpose) DO UPDATE SET
    calls = min(calls + excluded.calls, :total_max),
    input_tokens = min(input_tokens + excluded.input_tokens, :total_max),
    output_tokens = min(output_tokens + excluded.output_tokens, :total_max)

-- name: list_usage
SELECT hour_us, purpose, calls, input_tokens, output_tokens FROM usages
WHERE hour_us >= :since_us ORDER BY hour_us DESC, purpose

-- name: get_secret
SELECT value FROM secrets WHERE name = :name

-- name: get_tombstone
SELECT mark FROM tombstones WHERE mark = :mark

-- name: put_tombstone
INSERT INTO tombstones (mark) VALUES (:mark) ON CONFLICT DO NOTHING
