-- name: line_is_single
SELECT 1 FROM fact_tellings WHERE line_id = :line_id AND known_to_us IS NULL AND single_valued = 1
LIMIT 1

-- name: tellings_of_line
SELECT * FROM fact_tellings INDEXED BY fact_tellings_standing
WHERE line_id = :line_id AND known_to_us IS NULL
ORDER BY known_from_us, telling_id

-- name: tellings_of_keys
SELECT * FROM fact_tellings INDEXED BY fact_tellings_standing
WHERE line_id = :line_id AND fact_key IN (SELECT value FROM json_each(:keys))
  AND known_to_us IS NULL
ORDER BY known_from_us, telling_id

-- name: versions_of_line
SELECT * FROM fact_versions INDEXED BY fact_versions_current
WHERE line_id = :line_id AND known_to_us IS NULL
ORDER BY told_us, first_telling_id

-- name: versions_of_keys
SELECT * FROM fact_versions INDEXED BY fact_versions_current
WHERE line_id = :line_id AND fact_key IN (SELECT value FROM json_each(:keys))
  AND known_to_us IS NULL
ORDER BY told_us, first_telling_id

-- name: line_settled
SELECT max(us) FROM (
    SELECT max(known_from_us, coalesce(known_to_us, known_from_us)) AS us FROM fact_tellings
    WHERE line_id = :line_id
    UNION ALL
    SELECT max(known_from_us, coalesce(known_to_us, known_from_us)) FROM fact_versions
    WHERE line_id = :line_id)

-- name: keys_settled
SELECT max(us) FROM (
    SELECT max(known_from_us, coalesce(known_to_us, known_from_us)) AS us FROM fact_tellings
    WHERE line_id = :line_id AND fact_key IN (SELECT value FROM json_each(:keys))
    UNION ALL
    SELECT max(known_from_us, coalesce(known_to_us, known_from_us)) FROM fact_versions
    WHERE line_id = :line_id AND fact_key IN (SELECT value FROM json_each(:keys)))

-- name: memories_of_facts
SELECT m.* FROM json_each(:ids) AS asked
JOIN memories AS m INDEXED BY memories_by_fact ON m.fact_id = asked.value
ORDER BY asked.key

-- name: let_go_of_facts
-- What a write moves from one memory to another: no two may hold one fact, not even for a moment.
UPDATE memories SET fact_id = NULL
WHERE fact_id IN (SELECT value FROM json_each(:fact_ids))
  AND memory_id IN (SELECT value FROM json_each(:memory_ids))

-- name: put_telling
INSERT INTO fact_tellings
SELECT :telling_id, :fact_id, :line_id, :fact_key, :scope, :subject, :predicate, :object, :from_us,
    :to_us, :source, :confidence, :single_valued, :known_from_us, :known_to_us
WHERE EXISTS (SELECT 1 FROM memories WHERE fact_id = :fact_id)
ON CONFLICT (telling_id) DO UPDATE SET
    fact_id = excluded.fact_id, line_id = excluded.line_id, fact_key = excluded.fact_key,
    scope = excluded.scope, subject = excluded.subject, predicate = excluded.predicate,
    object = excluded.object, from_us = excluded.from_us, to_us = excluded.to_us,
    source = excluded.source, confidence = excluded.confidence,
    single_valued = excluded.single_valued, known_from_us = excluded.known_from_us,
    known_to_us = excluded.known_to_us

-- name: delete_telling
DELETE FROM fact_tellings WHERE telling_id = :telling_id

-- name: delete_tellings_of_fact
DELETE FROM fact_tellings WHERE fact_id = :fact_id

-- name: put_version
INSERT INTO fact_versions
SELECT :fact_id, :known_from_us, :known_to_us, :line_id, :fact_key, :scope, :subject, :predicate,
    :object, :from_us, :to_us, :told_confidence, :sources, :told_us, :first_telling_id, :closed_by,
    :contradicted, :of_subject, :of_predicate, :of_object
WHERE EXISTS (SELECT 1 FROM memories WHERE fact_id = :fact_id)
ON CONFLICT (fact_id, known_from_us) DO UPDATE SET
    known_to_us = excluded.known_to_us, line_id = excluded.line_id, fact_key = excluded.fact_key,
    scope = excluded.scope, subject = excluded.subject, predicate = excluded.predicate,
    object = excluded.object, from_us = excluded.from_us, to_us = excluded.to_us,
    told_confidence = excluded.told_confidence, sources = excluded.sources,
    told_us = excluded.told_us, first_telling_id = excluded.first_telling_id,
    closed_by = excluded.closed_by, contradicted = excluded.contradicted,
    of_subject = excluded.of_subject, of_predicate = excluded.of_predicate,
    of_object = excluded.of_object

-- name: delete_version
DELETE FROM fact_versions WHERE fact_id = :fact_id AND known_from_us = :known_from_us

-- name: delete_versions_of_fact
DELETE FROM fact_versions WHERE fact_id = :fact_id

-- name: forget_closing
-- Of a fact that no memory holds any more, nothing says that it has closed another.
UPDATE fact_versions SET closed_by = (
    SELECT json_group_array(value) FROM json_each(fact_versions.closed_by)
    WHERE value <> :fact_id)
WHERE line_id IN (
        SELECT line_id FROM fact_tellings WHERE fact_id = :fact_id
        UNION ALL
        SELECT line_id FROM fact_versions WHERE fact_id = :fact_id)
  AND instr(closed_by, :fact_id)
  AND NOT EXISTS (SELECT 1 FROM memories WHERE fact_id = :fact_id)

-- name: derived_of
SELECT DISTINCT e.source_id FROM json_each(:grounds) AS asked
JOIN edges AS e ON e.target_id = asked.value AND e.type = 'derived_from'
ORDER BY e.source_id LIMIT :limit

-- name: reasons_of_ground
SELECT memory_id, ground_id, ended_us FROM review_reasons WHERE ground_id = :ground_id

-- name: put_reason
INSERT INTO review_reasons
SELECT :memory_id, :ground_id, :reason_key, :ended_us
WHERE EXISTS (SELECT 1 FROM memories WHERE memory_id = :memory_id)
  AND EXISTS (SELECT 1 FROM memories WHERE memory_id = :ground_id)
ON CONFLICT DO NOTHING

-- name: delete_reason
DELETE FROM review_reasons
WHERE memory_id = :memory_id AND ground_id = :ground_id AND reason_key = :reason_key

-- name: delete_reasons_of_memory
DELETE FROM review_reasons WHERE memory_id = :memory_id

-- name: delete_reasons_of_ground
DELETE FROM review_reasons WHERE ground_id = :ground_id RETURNING memory_id

-- name: mark_for_review
UPDATE memories
SET needs_review = told.needed, update_time_us = :now_us, revision = :revision
FROM (SELECT EXISTS (
          SELECT 1 FROM review_reasons WHERE memory_id = :memory_id) AS needed) AS told
WHERE memory_id = :memory_id AND needs_review <> told.needed

-- name: put_entity
INSERT INTO entities VALUES (:entity_id, :kind, :create_time_us, :merged_into_id)
ON CONFLICT (entity_id) DO UPDATE SET
    kind = excluded.kind, create_time_us = excluded.create_time_us,
    merged_into_id = excluded.merged_into_id

-- name: get_entities
SELECT e.* FROM json_each(:entity_ids) AS asked
JOIN entities AS e ON e.entity_id = asked.value
ORDER BY asked.key

-- name: names_of_entities
SELECT n.* FROM json_each(:entity_ids) AS asked
JOIN entity_names AS n ON n.entity_id = asked.value
WHERE IN_SCOPES(n)
ORDER BY n.entity_id, n.first_us, n.is_alias, n.name, n.scope

-- name: entities_of_folded
SELECT DISTINCT n.entity_id FROM json_each(:keys) AS asked
JOIN entity_names AS n INDEXED BY entity_names_by_folded ON n.folded = asked.value

-- name: entities_of_core
SELECT DISTINCT n.entity_id FROM json_each(:keys) AS asked
JOIN entity_names AS n INDEXED BY entity_names_by_core ON n.core = asked.value AND n.core <> ''

-- name: entities_of_head
SELECT DISTINCT n.entity_id FROM json_each(:keys) AS asked
JOIN entity_names AS n INDEXED BY entity_names_by_head ON n.head = asked.value AND n.head <> ''
LIMIT :limit

-- name: entities_of_tail
SELECT DISTINCT n.entity_id FROM json_each(:keys) AS asked
JOIN entity_names AS n INDEXED BY entity_names_by_tail ON n.tail = asked.value AND n.tail <> ''
LIMIT :limit

-- name: mentions_of
SELECT n.* FROM json_each(:memory_ids) AS asked JOIN mentions AS n ON n.memory_id = asked.value
ORDER BY n.memory_id, n.entity_id, n.name

-- name: get_mention
SELECT * FROM mentions
WHERE memory_id = :memory_id AND entity_id = :entity_id AND name = :name

-- name: put_mention
INSERT INTO mentions
SELECT :memory_id, :entity_id, :name, :scope, :folded, :core, :head, :tail, :is_alias, :time_us
WHERE EXISTS (SELECT 1 FROM memories WHERE memory_id = :memory_id)
  AND EXISTS (SELECT 1 FROM entities WHERE entity_id = :entity_id)

-- name: delete_mention
DELETE FROM mentions WHERE memory_id = :memory_id AND entity_id = :entity_id AND name = :name

-- name: count_name
INSERT INTO entity_names VALUES (
    :entity_id, :scope, :name, :folded, :core, :head, :tail, :is_alias, 1, :time_us, :time_us)
ON CONFLICT (entity_id, scope, name) DO UPDATE SET
    folded = excluded.folded, core = excluded.core, head = excluded.head, tail = excluded.tail,
    is_alias = min(is_alias, excluded.is_alias), mention_count = mention_count + 1,
    first_us = min(first_us, excluded.first_us), last_us = max(last_us, excluded.last_us)

-- name: uncount_name
UPDATE entity_names SET mention_count = mention_count - 1
WHERE entity_id = :entity_id AND scope = :scope AND name = :name

-- name: delete_uncounted
DELETE FROM entity_names
WHERE entity_id = :entity_id AND scope = :scope AND name = :name AND mention_count = 0

-- name: retell_name
UPDATE entity_names SET (is_alias, first_us, last_us) = (
    SELECT min(is_alias), min(time_us), max(time_us) FROM (
        SELECT is_alias, min(time_us) AS time_us FROM mentions
        WHERE entity_id = :entity_id AND scope = :scope AND name = :name AND is_alias = 0
        UNION ALL
        SELECT is_alias, max(time_us) FROM mentions
        WHERE entity_id = :entity_id AND scope = :scope AND name = :name AND is_alias = 0
        UNION ALL
        SELECT is_alias, min(time_us) FROM mentions
        WHERE entity_id = :entity_id AND scope = :scope AND name = :name AND is_alias = 1
        UNION ALL
        SELECT is_alias, max(time_us) FROM mentions
        WHERE entity_id = :entity_id AND scope = :scope AND name = :name AND is_alias = 1))
WHERE entity_id = :entity_id AND scope = :scope AND name = :name

-- name: is_named
SELECT 1 FROM entity_names WHERE entity_id = :entity_id LIMIT 1

-- name: parts_of_entity
SELECT * FROM entities WHERE merged_into_id = :entity_id AND merged_into_id <> ''
ORDER BY create_time_us, entity_id

-- name: move_parts
UPDATE entities SET merged_into_id = CASE entity_id WHEN :into THEN '' ELSE :into END
WHERE merged_into_id = :entity_id AND merged_into_id <> ''

-- name: delete_entity
DELETE FROM entities WHERE entity_id = :entity_id

-- name: list_facts
SELECT v.* FROM fact_versions AS v INDEXED BY fact_versions_by_place
WHERE AFTER_PLACE AND AS_ASKED
ORDER BY v.from_us, v.to_us, v.fact_key, v.fact_id LIMIT :limit

-- name: list_facts_of_subjects
SELECT v.* FROM fact_versions AS v INDEXED BY fact_versions_by_subject
WHERE v.of_subject IN (SELECT value FROM json_each(:subjects))
  AND AFTER_PLACE AND AS_ASKED
  AND (:object = '' OR v.of_object = :object)
  AND (:entity_ids IS NULL OR EXISTS (
        SELECT 1 FROM memories AS m JOIN mentions AS n ON n.memory_id = m.memory_id
        WHERE m.fact_id = v.fact_id AND n.entity_id IN (SELECT value FROM json_each(:entity_ids))))
ORDER BY v.from_us, v.to_us, v.fact_key, v.fact_id LIMIT :limit

-- name: list_facts_of_entities
SELECT v.* FROM (
    SELECT DISTINCT m.fact_id FROM mentions AS n JOIN memories AS m ON m.memory_id = n.memory_id
    WHERE n.entity_id IN (SELECT value FROM json_each(:entity_ids)) AND m.fact_id IS NOT NULL) AS held
JOIN fact_versions AS v ON v.fact_id = held.fact_id
WHERE AFTER_PLACE AND AS_ASKED
  AND (:object = '' OR v.of_object = :object)
ORDER BY v.from_us, v.to_us, v.fact_key, v.fact_id LIMIT :limit

-- name: list_facts_of_object
SELECT v.* FROM fact_versions AS v INDEXED BY fact_versions_by_object
WHERE v.of_object = :object AND AFTER_PLACE AND AS_ASKED
ORDER BY v.from_us, v.to_us, v.fact_key, v.fact_id LIMIT :limit

-- name: entities_named
SELECT DISTINCT n.entity_id FROM entity_names AS n
WHERE n.folded = :folded AND IN_SCOPES(n)
ORDER BY n.entity_id

-- name: wholes_of_entities
WITH RECURSIVE up (asked_id, entity_id, merged_into_id) AS (
    SELECT e.entity_id, e.entity_id, e.merged_into_id FROM json_each(:entity_ids) AS asked
    JOIN entities AS e ON e.entity_id = asked.value
    UNION
    SELECT up.asked_id, e.entity_id, e.merged_into_id FROM up
    JOIN entities AS e ON e.entity_id = up.merged_into_id)
SELECT asked_id, entity_id AS whole_id FROM up WHERE merged_into_id = ''

-- name: parts_of_wholes
WITH RECURSIVE down (whole_id, entity_id) AS (
    SELECT value, value FROM json_each(:whole_ids)
    UNION
    SELECT down.whole_id, e.entity_id FROM down
    JOIN entities AS e ON e.merged_into_id = down.entity_id AND e.merged_into_id <> '')
SELECT whole_id, entity_id FROM down WHERE entity_id <> whole_id ORDER BY whole_id, entity_id

-- name: list_entities
SELECT e.* FROM entities AS e
WHERE e.entity_id > :after AND (:kind IS NULL OR e.kind = :kind)
  AND EXISTS (SELECT 1 FROM entity_names AS n WHERE n.entity_id = e.entity_id AND IN_SCOPES(n))
ORDER BY e.entity_id LIMIT :limit
