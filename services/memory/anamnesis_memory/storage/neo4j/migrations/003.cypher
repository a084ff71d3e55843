// Work on a namespace, the segments of its sessions, what they taught, and what models cost.

// name: work_key
CREATE CONSTRAINT work_key IF NOT EXISTS
FOR (w:Work) REQUIRE (w.ns, w.kind, w.session_id) IS UNIQUE

// name: work_ready
// What waits for nobody has no ready_us, and is not in here.
CREATE INDEX work_ready IF NOT EXISTS
FOR (w:Work) ON (w.ns, w.kind, w.ready_us, w.session_id)

// name: work_due
// The one index that no namespace leads: it tells in which namespaces work is ready.
CREATE INDEX work_due IF NOT EXISTS
FOR (w:Work) ON (w.kind, w.ready_us, w.ns)

// name: segment_key
CREATE CONSTRAINT segment_key IF NOT EXISTS
FOR (g:Segment) REQUIRE (g.ns, g.segment_id) IS UNIQUE

// name: segment_place
CREATE INDEX segment_place IF NOT EXISTS
FOR (g:Segment) ON (g.ns, g.session_id, g.first_index)

// name: tag_key
CREATE CONSTRAINT tag_key IF NOT EXISTS
FOR (t:Tag) REQUIRE (t.ns, t.tag_key) IS UNIQUE

// name: activity_key
CREATE CONSTRAINT activity_key IF NOT EXISTS
FOR (a:Activity) REQUIRE (a.ns, a.revision, a.segment_id) IS UNIQUE

// name: activity_session
CREATE INDEX activity_session IF NOT EXISTS
FOR (a:Activity) ON (a.ns, a.session_id, a.revision, a.segment_id)

// name: usage_key
CREATE CONSTRAINT usage_key IF NOT EXISTS
FOR (u:Usage) REQUIRE (u.ns, u.hour_us, u.purpose) IS UNIQUE

// name: tombstone_key
CREATE CONSTRAINT tombstone_key IF NOT EXISTS
FOR (t:Tombstone) REQUIRE (t.ns, t.mark) IS UNIQUE

// name: due_becomes_work
// What was noted as due before work was a record.
MATCH (d:Due)
MATCH (n:Namespace {catalogue: d.catalogue, name: d.name})
MERGE (w:Work {ns: n.ns, kind: d.work, session_id: ''})
ON CREATE SET w.state = 'pending', w.due_us = 0, w.update_time_us = 0, w.token = 0, w.holder = '',
    w.expires_us = 0, w.attempts = 0, w.reason = '', w.again = 0, w.ready_us = 0

// name: delete_due
MATCH (d:Due) DELETE d

// name: drop_due_key
DROP CONSTRAINT due_key IF EXISTS
