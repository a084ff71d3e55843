// The statements of one namespace about the graph between memories and entities, and about the
// palace. `neo4j.cypher` says what holds for each. `SEEN(m)` stands for the condition that a memory
// or a session is in one of `$scopes`. What is merged stands as the whole.

// name: get_edge
MATCH (a:Memory {ns: $ns, memory_id: $source_id})-[edge:ANY_EDGE {explicit: true}]
      ->(b:Memory {ns: $ns, memory_id: $target_id})
WHERE toLower(type(edge)) = $type
RETURN edge {.*, source_id: a.memory_id, target_id: b.memory_id, type: toLower(type(edge))} AS row

// name: hop
// One step from many nodes: along edges, to what memories mention, and to what mentions entities,
// of which an index gives the first of each.
CALL () {
    UNWIND CASE WHEN $types = [] THEN [] ELSE $ids END AS id
    MATCH (m:Memory {ns: $ns, memory_id: id})
    WHERE SEEN(m)
    CALL (m) {
        WITH m WHERE $outward
        MATCH (m)-[edge:ANY_EDGE]->(other:Memory {ns: $ns})
        WHERE type(edge) IN $types AND edge.explicit AND edge.weight >= $weight_min AND SEEN(other)
        RETURN edge, m AS source, other AS target
        UNION ALL
        WITH m WHERE $inward
        MATCH (m)<-[edge:ANY_EDGE]-(other:Memory {ns: $ns})
        WHERE type(edge) IN $types AND edge.explicit AND edge.weight >= $weight_min AND SEEN(other)
        RETURN edge, other AS source, m AS target
    }
    RETURN source.memory_id AS source_id, target.memory_id AS target_id,
           toLower(type(edge)) AS type, edge.weight AS weight, edge.create_time_us AS time_us,
           edge.detail AS detail
    UNION ALL
    UNWIND CASE WHEN $mentions AND $outward THEN $ids ELSE [] END AS id
    MATCH (m:Memory {ns: $ns, memory_id: id})-[mention:MENTIONS]->(e:Entity {ns: $ns})
    WHERE SEEN(m) AND IN_SCOPES(mention)
    MATCH (e)-[:PART]->(whole:Entity {ns: $ns})
    WHERE whole.merged_into_id = ''
    RETURN id AS source_id, whole.entity_id AS target_id, 'mentions' AS type, 1.0 AS weight,
           min(mention.time_us) AS time_us, '' AS detail
    UNION ALL
    UNWIND CASE WHEN $mentions AND $inward THEN $ids ELSE [] END AS id
    MATCH (e:Entity {ns: $ns, entity_id: id})-[:PART]->(whole:Entity {ns: $ns})
    WHERE whole.merged_into_id = ''
    WITH DISTINCT whole
    MATCH (whole)<-[:PART]-(part:Entity {ns: $ns})
    CALL (part) {
        MATCH (m:Memory {ns: $ns})-[mention:MENTIONS {ns: $ns, entity_id: part.entity_id}]
              ->(named:Entity {ns: $ns})
        USING INDEX SEEK mention:MENTIONS(ns, entity_id, memory_id)
        WHERE mention.memory_id >= ''
          AND IN_SCOPES(mention) AND SEEN(m)
        WITH mention ORDER BY mention.ns, mention.entity_id, mention.memory_id
        WITH mention.ns AS ns, mention.entity_id AS named_id, mention.memory_id AS memory_id,
             min(mention.time_us) AS time_us
        RETURN memory_id, time_us ORDER BY ns, named_id, memory_id LIMIT $limit
    }
    RETURN memory_id AS source_id, whole.entity_id AS target_id, 'mentions' AS type,
           1.0 AS weight, time_us, '' AS detail
}
WITH source_id, target_id, type, weight, min(time_us) AS time_us, min(detail) AS detail
ORDER BY weight DESC, source_id, target_id, type LIMIT $limit
RETURN collect({source_id: source_id, target_id: target_id, type: type, weight: weight,
                create_time_us: time_us, detail: detail}) AS row

// name: homes
MATCH (w:Wing {ns: $ns})
USING INDEX SEEK w:Wing(ns, wing)
WHERE w.wing > $after
WITH w ORDER BY w.ns, w.wing
CALL (w) {
    MATCH (s:Session {ns: $ns, wing: w.wing})
    USING INDEX SEEK s:Session(ns, wing, room)
    WHERE s.room IS NOT NULL AND SEEN(s)
    CALL (s) {
        MATCH (m:Memory {ns: $ns, session_id: s.session_id})
        USING INDEX SEEK m:Memory(ns, session_id, event_index, memory_no)
        WHERE m.event_index IS NOT NULL AND m.memory_no IS NOT NULL AND m.pointer <> ''
          AND SEEN(m)
        RETURN count(m) AS drawers, max(LAST_US(m)) AS last_us
    }
    RETURN count(s) AS rooms, sum(drawers) AS drawers, max(last_us) AS last_us
}
WITH w, rooms, drawers, last_us
WHERE rooms > 0
RETURN w {.wing, .wing_key, rooms: rooms, drawers: drawers, last_us: last_us} AS row
ORDER BY w.ns, w.wing LIMIT $limit

// name: rooms_of_wing
MATCH (s:Session {ns: $ns, wing: $wing})
USING INDEX SEEK s:Session(ns, wing, room)
WHERE s.room > $after AND SEEN(s)
WITH s ORDER BY s.ns, s.wing, s.room LIMIT $limit
CALL (s) {
    MATCH (m:Memory {ns: $ns, session_id: s.session_id})
    USING INDEX SEEK m:Memory(ns, session_id, event_index, memory_no)
    WHERE m.event_index IS NOT NULL AND m.memory_no IS NOT NULL AND m.pointer <> ''
          AND SEEN(m)
    RETURN count(m) AS drawers, max(LAST_US(m)) AS last_us
}
CALL (s) {
    MATCH (g:Segment {ns: $ns, session_id: s.session_id})
    USING INDEX SEEK g:Segment(ns, session_id, first_index)
    WHERE g.first_index IS NOT NULL
    RETURN count(g) AS closets
}
RETURN s {.session_id, .wing, .room, .label, .start_time_us, drawers: drawers, last_us: last_us,
    closets: closets} AS row

// name: rooms_of_entities
UNWIND $entity_ids AS id
MATCH (e:Entity {ns: $ns, entity_id: id})<-[:MENTIONS]-(m:Memory {ns: $ns})
WHERE m.pointer <> '' AND SEEN(m)
WITH DISTINCT m
WITH m.session_id AS session_id, count(m) AS drawers, max(LAST_US(m)) AS last_us
WHERE last_us < $before_us OR (last_us = $before_us AND session_id < $before_session)
MATCH (s:Session {ns: $ns, session_id: session_id})
WHERE SEEN(s)
WITH s, drawers, last_us ORDER BY last_us DESC, session_id DESC LIMIT $limit
CALL (s) {
    MATCH (g:Segment {ns: $ns, session_id: s.session_id})
    USING INDEX SEEK g:Segment(ns, session_id, first_index)
    WHERE g.first_index IS NOT NULL
    RETURN count(g) AS closets
}
RETURN s {.session_id, .wing, .room, .label, .start_time_us, drawers: drawers, last_us: last_us,
    closets: closets} AS row

// name: count_of_entities
UNWIND range(0, size($groups) - 1) AS place
UNWIND $groups[place] AS id
MATCH (e:Entity {ns: $ns, entity_id: id})<-[:MENTIONS]-(m:Memory {ns: $ns})
WHERE m.pointer <> '' AND SEEN(m)
WITH DISTINCT place, m
WITH place, m.session_id AS session_id, count(m) AS drawers, max(LAST_US(m)) AS last_us
MATCH (s:Session {ns: $ns, session_id: session_id})
WHERE SEEN(s)
WITH place, count(s) AS rooms, sum(drawers) AS drawers, max(last_us) AS last_us
RETURN {place: place, rooms: rooms, drawers: drawers, last_us: last_us} AS row

// name: closets_of
MATCH (g:Segment {ns: $ns, session_id: $session_id})
USING INDEX SEEK g:Segment(ns, session_id, first_index)
WHERE g.first_index > $after
WITH g ORDER BY g.ns, g.session_id, g.first_index LIMIT $limit
CALL (g) {
    MATCH (m:Memory {ns: $ns, session_id: $session_id})
    USING INDEX SEEK m:Memory(ns, session_id, event_index, memory_no)
    WHERE g.first_index <= m.event_index <= g.last_index AND m.memory_no IS NOT NULL
      AND m.pointer <> ''
    RETURN count(m) AS drawers, max(LAST_US(m)) AS last_us
}
RETURN g {.*, drawers: drawers, last_us: last_us} AS row

// name: drawers_of
MATCH (m:Memory {ns: $ns, session_id: $session_id})
USING INDEX SEEK m:Memory(ns, session_id, event_index, memory_no)
WHERE $first_index <= m.event_index <= $last_index AND m.memory_no IS NOT NULL
  AND m.pointer <> ''
WITH m ORDER BY m.ns, m.session_id, m.event_index, m.memory_no
WHERE $entity_ids IS NULL OR EXISTS {
    MATCH (m)-[:MENTIONS]->(e:Entity {ns: $ns}) WHERE e.entity_id IN $entity_ids
}
RETURN m {.*} AS row ORDER BY m.ns, m.session_id, m.event_index, m.memory_no LIMIT $limit

// name: memory_at
MATCH (m:Memory {ns: $ns, pointer: $pointer})
WHERE $pointer <> ''
RETURN m {.*} AS row ORDER BY m.memory_no LIMIT 1

// name: given
MATCH (w:Wing {ns: $ns, wing: $wing})
OPTIONAL MATCH (s:Session {ns: $ns, wing: $wing, room: $room})
WHERE $room > 0
RETURN w {.wing_key, .next_room, next_drawer: s.next_drawer, session_id: s.session_id,
    visibility: s.visibility, agent_id: s.agent_id, user_id: s.user_id} AS row
