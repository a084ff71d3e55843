// Uniqueness of what is named, and indexes for what is looked up; a namespace leads each.
// Every constraint has an index of the same name and properties behind it.

// name: clock
CREATE CONSTRAINT clock_key IF NOT EXISTS
FOR (c:Clock) REQUIRE c.ns IS UNIQUE

// name: namespace_name
CREATE CONSTRAINT namespace_name IF NOT EXISTS
FOR (n:Namespace) REQUIRE (n.catalogue, n.name) IS UNIQUE

// name: namespace_ns
CREATE CONSTRAINT namespace_ns IF NOT EXISTS
FOR (n:Namespace) REQUIRE n.ns IS UNIQUE

// name: due_key
CREATE CONSTRAINT due_key IF NOT EXISTS
FOR (d:Due) REQUIRE (d.catalogue, d.work, d.name) IS UNIQUE

// name: memory_key
CREATE CONSTRAINT memory_key IF NOT EXISTS
FOR (m:Memory) REQUIRE (m.ns, m.memory_id) IS UNIQUE

// name: memory_order
CREATE CONSTRAINT memory_order IF NOT EXISTS
FOR (m:Memory) REQUIRE (m.ns, m.memory_no) IS UNIQUE

// name: memory_revision
CREATE INDEX memory_revision IF NOT EXISTS
FOR (m:Memory) ON (m.ns, m.revision)

// name: memory_pending
CREATE INDEX memory_pending IF NOT EXISTS
FOR (m:Memory) ON (m.ns, m.pending_no)

// name: embedding_key
CREATE CONSTRAINT embedding_key IF NOT EXISTS
FOR (v:Embedding) REQUIRE (v.ns, v.memory_id) IS UNIQUE

// name: deletion_key
CREATE CONSTRAINT deletion_key IF NOT EXISTS
FOR (d:Deletion) REQUIRE (d.ns, d.memory_id) IS UNIQUE

// name: deletion_revision
CREATE INDEX deletion_revision IF NOT EXISTS
FOR (d:Deletion) ON (d.ns, d.revision)

// name: session_key
CREATE CONSTRAINT session_key IF NOT EXISTS
FOR (s:Session) REQUIRE (s.ns, s.session_id) IS UNIQUE

// name: event_key
CREATE CONSTRAINT event_key IF NOT EXISTS
FOR (e:Event) REQUIRE (e.ns, e.session_id, e.event_index) IS UNIQUE

// name: wing_key
CREATE CONSTRAINT wing_key IF NOT EXISTS
FOR (w:Wing) REQUIRE (w.ns, w.wing_key) IS UNIQUE

// name: wing_number
CREATE CONSTRAINT wing_number IF NOT EXISTS
FOR (w:Wing) REQUIRE (w.ns, w.wing) IS UNIQUE

// name: entity_key
CREATE CONSTRAINT entity_key IF NOT EXISTS
FOR (e:Entity) REQUIRE (e.ns, e.name_key) IS UNIQUE

// name: topic_key
CREATE CONSTRAINT topic_key IF NOT EXISTS
FOR (t:Topic) REQUIRE (t.ns, t.topic_id) IS UNIQUE

// name: request_key
CREATE CONSTRAINT request_key IF NOT EXISTS
FOR (r:Request) REQUIRE (r.ns, r.method, r.request_id) IS UNIQUE

// name: request_time
CREATE INDEX request_time IF NOT EXISTS
FOR (r:Request) ON (r.ns, r.create_time_us)
