-- The file of one namespace. Times are microseconds since 1970 in UTC.

-- revision, incarnation, topics_revision, assigned_revision
CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value INTEGER NOT NULL
) WITHOUT ROWID;

INSERT INTO meta (key, value) VALUES
    ('revision', 0), ('topics_revision', 0), ('assigned_revision', 0);

CREATE TABLE wings (
    wing      INTEGER PRIMARY KEY,
    wing_key  TEXT NOT NULL UNIQUE,
    next_room INTEGER NOT NULL
);

CREATE TABLE sessions (
    session_id        TEXT PRIMARY KEY,
    agent_id          TEXT NOT NULL,
    user_id           TEXT NOT NULL,
    label             TEXT NOT NULL,
    parent_session_id TEXT NOT NULL,
    state             TEXT NOT NULL,
    visibility        TEXT NOT NULL,
    wing              INTEGER NOT NULL,
    room              INTEGER NOT NULL,
    event_count       INTEGER NOT NULL,
    next_index        INTEGER NOT NULL,
    next_drawer       INTEGER NOT NULL,
    start_time_us     INTEGER,
    end_time_us       INTEGER,
    create_time_us    INTEGER NOT NULL,
    update_time_us    INTEGER NOT NULL,
    revision          INTEGER NOT NULL
) WITHOUT ROWID;

-- The text of an event that has a drawer is the drawer's: it is kept once.
CREATE TABLE events (
    session_id    TEXT NOT NULL,
    event_index   INTEGER NOT NULL,
    role          TEXT NOT NULL,
    name          TEXT NOT NULL,
    content       TEXT,
    digest        BLOB NOT NULL,
    event_time_us INTEGER,
    tool_calls    TEXT NOT NULL,
    tool_call_id  TEXT NOT NULL,
    reasoning     TEXT NOT NULL,
    modality      TEXT NOT NULL,
    source_line   INTEGER NOT NULL,
    memory_id     TEXT NOT NULL,
    token_count   INTEGER NOT NULL,
    PRIMARY KEY (session_id, event_index)
) WITHOUT ROWID;

CREATE TABLE memories (
    memory_no      INTEGER PRIMARY KEY,
    memory_id      TEXT NOT NULL UNIQUE,
    kind           TEXT NOT NULL,
    category       TEXT NOT NULL,
    content        TEXT NOT NULL,
    summary        TEXT NOT NULL,
    overview       TEXT NOT NULL,
    tags           TEXT NOT NULL,
    entities       TEXT NOT NULL,
    importance     REAL NOT NULL,
    confidence     REAL NOT NULL,
    tier           TEXT NOT NULL,
    status         TEXT NOT NULL,
    visibility     TEXT NOT NULL,
    agent_id       TEXT NOT NULL,
    user_id        TEXT NOT NULL,
    session_id     TEXT NOT NULL,
    event_index    INTEGER,
    event_time_us  INTEGER,
    create_time_us INTEGER NOT NULL,
    update_time_us INTEGER NOT NULL,
    revision       INTEGER NOT NULL,
    provenance     TEXT NOT NULL,
    origin         TEXT NOT NULL,
    pointer        TEXT NOT NULL,
    hit_count      INTEGER NOT NULL,
    pinned         INTEGER NOT NULL,
    needs_review   INTEGER NOT NULL,
    part           TEXT
);
CREATE INDEX memories_by_revision ON memories (revision);
CREATE INDEX memories_by_state ON memories (kind, status, tier);
CREATE INDEX memories_by_session ON memories (session_id, event_index);

-- Case-folded names, for filters.
CREATE TABLE memory_labels (
    memory_no INTEGER NOT NULL,
    label     TEXT NOT NULL,
    is_entity INTEGER NOT NULL,
    PRIMARY KEY (memory_no, is_entity, label)
) WITHOUT ROWID;

-- Packed float32 rows of unit length; a long text has several.
CREATE TABLE embeddings (
    memory_no INTEGER PRIMARY KEY,
    pieces    INTEGER NOT NULL,
    vectors   BLOB NOT NULL
);

-- Memories whose embedding is still to be made.
CREATE TABLE pending_embeddings (
    memory_no INTEGER PRIMARY KEY,
    attempts  INTEGER NOT NULL,
    reason    TEXT NOT NULL
);

-- Of deleted memories only the id is left, for those who follow the log.
CREATE TABLE deletions (
    memory_id TEXT PRIMARY KEY,
    revision  INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX deletions_by_revision ON deletions (revision);

CREATE TABLE requests (
    method         TEXT NOT NULL,
    request_id     TEXT NOT NULL,
    digest         BLOB NOT NULL,
    answer         BLOB NOT NULL,
    revision       INTEGER NOT NULL,
    create_time_us INTEGER NOT NULL,
    PRIMARY KEY (method, request_id)
) WITHOUT ROWID;
CREATE INDEX requests_by_time ON requests (create_time_us);

-- Which stored answers speak of a memory, so that they go with it.
CREATE TABLE request_memories (
    memory_id  TEXT NOT NULL,
    method     TEXT NOT NULL,
    request_id TEXT NOT NULL,
    PRIMARY KEY (memory_id, method, request_id)
) WITHOUT ROWID;

CREATE TABLE topics (
    topic_id       TEXT PRIMARY KEY,
    label          TEXT NOT NULL,
    scope          TEXT NOT NULL,
    member_count   INTEGER NOT NULL,
    centroid       BLOB NOT NULL,
    create_time_us INTEGER NOT NULL,
    update_time_us INTEGER NOT NULL,
    revision       INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE topic_members (
    memory_no INTEGER PRIMARY KEY,
    topic_id  TEXT NOT NULL
);
CREATE INDEX topic_members_by_topic ON topic_members (topic_id, memory_no);
