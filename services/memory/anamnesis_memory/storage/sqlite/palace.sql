-- name: hop
-- What a hop sees: edges out of some memories and into others, and whom the first name, each the
-- heaviest first. An end that is part of another entity stands as that one.
SELECT source_id, target_id, type, weight, min(create_time_us) AS create_time_us, detail FROM (
  SELECT * FROM (
    SELECT e.source_id, e.target_id, e.type, e.weight, e.create_time_us, e.detail
    FROM json_each(:sources) AS asked JOIN edges AS e ON e.source_id = asked.value
    JOIN memories AS s ON s.memory_id = e.source_id
    JOIN memories AS t ON t.memory_id = e.target_id
    WHERE e.type IN (SELECT value FROM json_each(:types)) AND e.weight >= :weight_min AND SEEN(s)
      AND SEEN(t)
    ORDER BY e.weight DESC, e.source_id, e.target_id, e.type LIMIT :limit)
  UNION ALL
  SELECT * FROM (
    SELECT e.source_id, e.target_id, e.type, e.weight, e.create_time_us, e.detail
    FROM json_each(:targets) AS asked JOIN edges AS e ON e.target_id = asked.value
    JOIN memories AS s ON s.memory_id = e.source_id
    JOIN memories AS t ON t.memory_id = e.target_id
    WHERE e.type IN (SELECT value FROM json_each(:types)) AND e.weight >= :weight_min AND SEEN(s)
      AND SEEN(t)
    ORDER BY e.weight DESC, e.source_id, e.target_id, e.type LIMIT :limit)
  UNION ALL
  SELECT * FROM (
    SELECT n.memory_id, (
        WITH RECURSIVE up (entity_id, merged_into_id) AS (
            SELECT entity_id, merged_into_id FROM entities WHERE entity_id = n.entity_id
            UNION
            SELECT e.entity_id, e.merged_into_id FROM up
            JOIN entities AS e ON e.entity_id = up.merged_into_id)
        SELECT entity_id FROM up WHERE merged_into_id = '') AS whole_id,
        'mentions', 1.0, min(n.time_us), ''
    FROM json_each(:naming) AS asked
    JOIN mentions AS n ON n.memory_id = asked.value
    JOIN memories AS s ON s.memory_id = n.memory_id
    WHERE IN_SCOPES(n) AND SEEN(s)
    GROUP BY n.memory_id, whole_id ORDER BY n.memory_id, whole_id LIMIT :limit))
GROUP BY source_id, target_id, type
ORDER BY weight DESC, source_id, target_id, type LIMIT :limit

-- name: memories_naming
SELECT n.memory_id, min(n.time_us) AS time_us
FROM mentions AS n INDEXED BY mentions_by_entity
JOIN memories AS s ON s.memory_id = n.memory_id
WHERE n.entity_id = :entity_id AND IN_SCOPES(n) AND SEEN(s)
GROUP BY n.memory_id ORDER BY n.memory_id LIMIT :limit

-- name: get_edge
SELECT * FROM edges WHERE source_id = :source_id AND target_id = :target_id AND type = :type

-- name: homes
SELECT wing, wing_key, count(*) AS rooms, sum(drawers) AS drawers, max(last_us) AS last_us FROM (
    SELECT page.wing, page.wing_key, count(m.memory_no) AS drawers, max(LAST_US(m)) AS last_us
    FROM (
        SELECT wing, wing_key FROM wings AS w
        WHERE wing > :after AND EXISTS (
            SELECT 1 FROM sessions AS s WHERE s.wing = w.wing AND SEEN(s))
        ORDER BY wing LIMIT :limit) AS page
    JOIN sessions AS s INDEXED BY sessions_by_room ON s.wing = page.wing AND SEEN(s)
    LEFT JOIN memories AS m ON m.session_id = s.session_id AND m.pointer <> '' AND SEEN(m)
    GROUP BY page.wing, s.room)
GROUP BY wing ORDER BY wing

-- name: rooms_of_wing
SELECT page.session_id, page.wing, page.room, page.label, page.start_time_us,
       (SELECT count(*) FROM segments AS g WHERE g.session_id = page.session_id) AS closets,
       count(m.memory_no) AS drawers, max(LAST_US(m)) AS last_us
FROM (
    SELECT * FROM sessions AS s
    WHERE wing = :wing AND room > :after AND SEEN(s)
    ORDER BY room LIMIT :limit) AS page
LEFT JOIN memories AS m ON m.session_id = page.session_id AND m.pointer <> '' AND SEEN(m)
GROUP BY page.room ORDER BY page.room

-- name: rooms_of_entities
SELECT s.session_id, s.wing, s.room, s.label, s.start_time_us, told.drawers, told.last_us,
       (SELECT count(*) FROM segments AS g WHERE g.session_id = s.session_id) AS closets
FROM (
    SELECT m.session_id, count(*) AS drawers, max(LAST_US(m)) AS last_us
    FROM (SELECT DISTINCT memory_id FROM mentions
          WHERE entity_id IN (SELECT value FROM json_each(:entity_ids))) AS named
    JOIN memories AS m ON m.memory_id = named.memory_id
    WHERE m.pointer <> '' AND SEEN(m)
    GROUP BY m.session_id) AS told
JOIN sessions AS s ON s.session_id = told.session_id
WHERE (told.last_us, s.session_id) < (:before_us, :before_session) AND SEEN(s)
ORDER BY told.last_us DESC, s.session_id DESC LIMIT :limit

-- name: count_of_entities
SELECT place, count(*) AS rooms, sum(drawers) AS drawers, max(last_us) AS last_us FROM (
    SELECT named.place, m.session_id, count(*) AS drawers, max(LAST_US(m)) AS last_us
    FROM (SELECT DISTINCT asked.key AS place, n.memory_id
          FROM json_each(:groups) AS asked JOIN json_each(asked.value) AS part
          JOIN mentions AS n ON n.entity_id = part.value) AS named
    JOIN memories AS m ON m.memory_id = named.memory_id
    JOIN sessions AS s ON s.session_id = m.session_id
    WHERE m.pointer <> '' AND SEEN(m) AND SEEN(s)
    GROUP BY named.place, m.session_id)
GROUP BY place

-- name: closets_of
SELECT page.*, count(m.memory_no) AS drawers, max(LAST_US(m)) AS last_us
FROM (
    SELECT * FROM segments WHERE session_id = :session_id AND first_index > :after
    ORDER BY first_index LIMIT :limit) AS page
LEFT JOIN memories AS m ON m.session_id = page.session_id AND m.pointer <> ''
  AND m.event_index BETWEEN page.first_index AND page.last_index
GROUP BY page.first_index ORDER BY page.first_index

-- name: drawers_of
SELECT m.* FROM memories AS m INDEXED BY memories_by_room
WHERE m.session_id = :session_id AND m.pointer <> '' AND m.event_index >= :first_index
  AND m.event_index <= :last_index
  AND (:entity_ids IS NULL OR EXISTS (
        SELECT 1 FROM mentions AS n WHERE n.memory_id = m.memory_id
          AND n.entity_id IN (SELECT value FROM json_each(:entity_ids))))
ORDER BY m.event_index, m.memory_no LIMIT :limit

-- name: memory_at
SELECT * FROM memories WHERE pointer = :pointer AND pointer <> '' ORDER BY memory_no LIMIT 1

-- name: given
SELECT w.wing_key, w.next_room, s.session_id, s.next_drawer, s.visibility, s.agent_id, s.user_id
FROM wings AS w LEFT JOIN sessions AS s ON s.wing = w.wing AND s.room = :room AND s.room > 0
WHERE w.wing = :wing
