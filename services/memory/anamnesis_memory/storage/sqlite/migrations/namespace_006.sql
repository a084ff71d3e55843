-- What retention leaves of a ledger, and the raw archive.

ALTER TABLE sessions ADD COLUMN expired_before_index INTEGER NOT NULL DEFAULT 0;

-- What is left of an event: which memory holds its text, and a mark under the key of tombstones.
CREATE TABLE event_stubs (
    session_id  TEXT NOT NULL,
    event_index INTEGER NOT NULL,
    memory_id   TEXT NOT NULL,
    mark        BLOB NOT NULL,
    PRIMARY KEY (session_id, event_index)
) WITHOUT ROWID;
CREATE INDEX event_stubs_by_memory ON event_stubs (memory_id) WHERE memory_id <> '';

-- packed: what came, after redaction, by zlib.
CREATE TABLE uploads (
    upload_id      TEXT PRIMARY KEY,
    session_id     TEXT NOT NULL,
    label          TEXT NOT NULL,
    sha256         TEXT NOT NULL,
    size_bytes     INTEGER NOT NULL,
    format         TEXT NOT NULL,
    lines_left_out INTEGER NOT NULL,
    create_time_us INTEGER NOT NULL,
    packed         BLOB NOT NULL
);
CREATE INDEX uploads_by_session ON uploads (session_id, upload_id);
