// The statements of one namespace about what retention leaves; `neo4j.cypher` says what holds.

// name: get_stubs
UNWIND $keys AS key
MATCH (x:Stub {ns: $ns, session_id: key.session_id, event_index: key.event_index})
RETURN x {.*} AS row

// name: events_before
MATCH (e:Event {ns: $ns, session_id: $session_id})
WHERE e.event_index < $before_index
WITH e ORDER BY e.ns, e.session_id, e.event_index LIMIT $limit
RETURN e {.event_index, .memory_id, .digest} AS row

// name: put_stubs
UNWIND $rows AS row
MATCH (s:Session {ns: $ns, session_id: row.session_id})
MERGE (x:Stub {ns: $ns, session_id: row.session_id, event_index: row.event_index})
SET x += row

// name: delete_events
UNWIND $rows AS row
MATCH (e:Event {ns: $ns, session_id: row.session_id, event_index: row.event_index})
DETACH DELETE e

// name: delete_events_from
MATCH (e:Event {ns: $ns, session_id: $session_id})
WHERE e.event_index >= $first_index
DETACH DELETE e

// name: clear_stubs
UNWIND $rows AS row
MATCH (x:Stub {ns: $ns, session_id: row.session_id, event_index: row.event_index})
WHERE x.memory_id = row.memory_id
SET x.memory_id = ''
