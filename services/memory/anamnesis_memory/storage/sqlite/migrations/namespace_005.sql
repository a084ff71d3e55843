-- Work on the namespace, the segments of its sessions, what they taught, and what models cost.

-- The highest fencing token that was given out.
INSERT INTO meta (key, value) VALUES ('last_token', 0);

-- ready_us: from when somebody may claim it; null for what waits for nobody.
CREATE TABLE work (
    kind           TEXT NOT NULL,
    session_id     TEXT NOT NULL,
    state          TEXT NOT NULL,
    due_us         INTEGER NOT NULL,
    update_time_us INTEGER NOT NULL,
    token          INTEGER NOT NULL,
    holder         TEXT NOT NULL,
    expires_us     INTEGER NOT NULL,
    attempts       INTEGER NOT NULL,
    reason         TEXT NOT NULL,
    again          INTEGER NOT NULL,
    ready_us       INTEGER,
    PRIMARY KEY (kind, session_id)
) WITHOUT ROWID;
CREATE INDEX work_by_ready ON work (kind, ready_us) WHERE ready_us IS NOT NULL;
CREATE INDEX work_by_state ON work (kind, state);

-- Lessons that were stored before work was a record, and are in no topic yet.
INSERT INTO work SELECT 'cluster', '', 'pending', 0, 0, 0, '', 0, 0, '', 0, 0
WHERE EXISTS (
    SELECT 1 FROM memories WHERE kind = 'learning'
       AND revision > (SELECT value FROM meta WHERE key = 'assigned_revision'));

CREATE TABLE segments (
    segment_id     TEXT PRIMARY KEY,
    session_id     TEXT NOT NULL,
    first_index    INTEGER NOT NULL,
    last_index     INTEGER NOT NULL,
    fingerprint    TEXT NOT NULL,
    topic          TEXT NOT NULL,
    summary        TEXT NOT NULL,
    segmenter      TEXT NOT NULL,
    create_time_us INTEGER NOT NULL,
    update_time_us INTEGER NOT NULL,
    revision       INTEGER NOT NULL,
    state          TEXT NOT NULL,
    task_type      TEXT NOT NULL,
    score          REAL,
    metrics_json   TEXT NOT NULL,
    labeller       TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX segments_by_place ON segments (session_id, first_index);

-- Which memories carry a tag.
CREATE INDEX memory_labels_by_tag ON memory_labels (label) WHERE is_entity = 0;

-- An activity outlives its segment; counts tell what was stored, the list what is left of it.
CREATE TABLE activities (
    revision   INTEGER NOT NULL,
    segment_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    time_us    INTEGER NOT NULL,
    topic      TEXT NOT NULL,
    facts      INTEGER NOT NULL,
    lessons    INTEGER NOT NULL,
    procedures INTEGER NOT NULL,
    refusals   TEXT NOT NULL,
    extractor  TEXT NOT NULL,
    PRIMARY KEY (revision, segment_id)
) WITHOUT ROWID;
CREATE INDEX activities_by_session ON activities (session_id, revision, segment_id);

CREATE TABLE activity_memories (
    revision   INTEGER NOT NULL,
    segment_id TEXT NOT NULL,
    place      INTEGER NOT NULL,
    memory_id  TEXT NOT NULL,
    PRIMARY KEY (revision, segment_id, place)
) WITHOUT ROWID;
CREATE INDEX activity_memories_by_memory ON activity_memories (memory_id);

CREATE TABLE usages (
    hour_us       INTEGER NOT NULL,
    purpose       TEXT NOT NULL,
    calls         INTEGER NOT NULL,
    input_tokens  INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    PRIMARY KEY (hour_us, purpose)
) WITHOUT ROWID;

-- Marks of what was deleted and must not be learned again: digests under a key that is only here,
-- so that nobody can try out what they were.
CREATE TABLE tombstones (
    mark BLOB PRIMARY KEY
) WITHOUT ROWID;

CREATE TABLE secrets (
    name  TEXT PRIMARY KEY,
    value BLOB NOT NULL
) WITHOUT ROWID;

INSERT INTO secrets (name, value) VALUES ('tombstones', randomblob(32));
