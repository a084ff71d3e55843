// What hangs on memories, documents, and lessons found by what they say.

// name: memory_digest
CREATE INDEX memory_digest IF NOT EXISTS
FOR (m:Memory) ON (m.ns, m.digest)

// name: copy_key
CREATE CONSTRAINT copy_key IF NOT EXISTS
FOR (c:Copy) REQUIRE (c.ns, c.copy_id) IS UNIQUE

// name: copy_role
CREATE INDEX copy_role IF NOT EXISTS
FOR (c:Copy) ON (c.ns, c.role, c.copy_id)

// name: copy_agent
CREATE INDEX copy_agent IF NOT EXISTS
FOR (c:Copy) ON (c.ns, c.role, c.agent_id, c.copy_id)

// name: copy_user
CREATE INDEX copy_user IF NOT EXISTS
FOR (c:Copy) ON (c.ns, c.role, c.user_id, c.copy_id)

// name: copy_session
CREATE INDEX copy_session IF NOT EXISTS
FOR (c:Copy) ON (c.ns, c.role, c.session_id, c.copy_id)

// name: document_key
CREATE CONSTRAINT document_key IF NOT EXISTS
FOR (d:Document) REQUIRE (d.ns, d.collection, d.name) IS UNIQUE

// name: document_agent
CREATE INDEX document_agent IF NOT EXISTS
FOR (d:Document) ON (d.ns, d.agent_id, d.collection, d.name)

// name: document_user
CREATE INDEX document_user IF NOT EXISTS
FOR (d:Document) ON (d.ns, d.user_id, d.collection, d.name)

// name: document_session
CREATE INDEX document_session IF NOT EXISTS
FOR (d:Document) ON (d.ns, d.session_id, d.collection, d.name)
