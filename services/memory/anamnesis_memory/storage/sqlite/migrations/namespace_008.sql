-- How memories fare, what hangs on them, and what a namespace keeps by name.

ALTER TABLE memories ADD COLUMN archive_time_us INTEGER;
ALTER TABLE memories ADD COLUMN last_hit_us INTEGER;
ALTER TABLE memories ADD COLUMN stability_days REAL NOT NULL DEFAULT 0.0;
ALTER TABLE memories ADD COLUMN review_us INTEGER NOT NULL DEFAULT 0;
ALTER TABLE memories ADD COLUMN centrality REAL NOT NULL DEFAULT 0.0;
UPDATE memories SET archive_time_us = update_time_us WHERE status = 'archived';

-- Of a lesson, what it says exactly; null for those of before.
ALTER TABLE memories ADD COLUMN digest BLOB;
CREATE INDEX memories_by_digest ON memories (digest) WHERE digest IS NOT NULL;

-- Trigger tags of procedures are labels of class 2 (0: tags, 1: entities).
INSERT INTO memory_labels (memory_no, label, is_entity)
SELECT DISTINCT m.memory_no, casefold(t.value), 2
FROM memories AS m, json_each(m.part, '$.trigger_tags') AS t
WHERE m.kind = 'procedural';

-- An edge goes with either of its ends.
CREATE TABLE edges (
    source_id      TEXT NOT NULL,
    target_id      TEXT NOT NULL,
    type           TEXT NOT NULL,
    weight         REAL NOT NULL,
    create_time_us INTEGER NOT NULL,
    update_time_us INTEGER NOT NULL,
    detail         TEXT NOT NULL,
    PRIMARY KEY (source_id, target_id, type)
) WITHOUT ROWID;
CREATE INDEX edges_by_target ON edges (target_id);

INSERT INTO edges
SELECT DISTINCT m.memory_id, s.value, 'derived_from', 1.0, m.create_time_us, m.create_time_us, ''
FROM memories AS m,
     json_each(m.part, CASE m.kind WHEN 'semantic' THEN '$.source_memory_ids'
                                   ELSE '$.evidence_memory_ids' END) AS s
WHERE m.kind IN ('semantic', 'learning') AND s.value <> m.memory_id
  AND EXISTS (SELECT 1 FROM memories AS o WHERE o.memory_id = s.value);

-- memory: the memory as it was, in JSON; agent_id, user_id and session_id are its own.
CREATE TABLE copies (
    copy_id        TEXT PRIMARY KEY,
    memory_id      TEXT NOT NULL,
    role           TEXT NOT NULL,
    agent_id       TEXT NOT NULL,
    user_id        TEXT NOT NULL,
    session_id     TEXT NOT NULL,
    memory         TEXT NOT NULL,
    create_time_us INTEGER NOT NULL,
    similarity     REAL NOT NULL,
    merged         INTEGER NOT NULL,
    pieces         INTEGER,
    vectors        BLOB
);
CREATE INDEX copies_by_memory ON copies (memory_id, create_time_us, copy_id);
CREATE INDEX copies_by_role ON copies (role, copy_id);
CREATE INDEX copies_by_agent ON copies (agent_id, role, copy_id) WHERE agent_id <> '';
CREATE INDEX copies_by_user ON copies (user_id, role, copy_id) WHERE user_id <> '';
CREATE INDEX copies_by_session ON copies (session_id, role, copy_id) WHERE session_id <> '';

CREATE TABLE documents (
    collection     TEXT NOT NULL,
    name           TEXT NOT NULL,
    body           TEXT NOT NULL,
    update_time_us INTEGER NOT NULL,
    agent_id       TEXT NOT NULL,
    user_id        TEXT NOT NULL,
    session_id     TEXT NOT NULL,
    PRIMARY KEY (collection, name)
) WITHOUT ROWID;
CREATE INDEX documents_by_agent ON documents (agent_id) WHERE agent_id <> '';
CREATE INDEX documents_by_user ON documents (user_id) WHERE user_id <> '';
CREATE INDEX documents_by_session ON documents (session_id) WHERE session_id <> '';

-- Which stored answers speak of a session, so that they go with it.
CREATE TABLE request_sessions (
    session_id TEXT NOT NULL,
    method     TEXT NOT NULL,
    request_id TEXT NOT NULL,
    PRIMARY KEY (session_id, method, request_id)
) WITHOUT ROWID;
CREATE INDEX request_sessions_by_request ON request_sessions (method, request_id);
