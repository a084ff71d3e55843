-- What is known of the world: facts over time, entities, what mentions them. Times without a bound
-- are -2^62 and 2^62, so that they sort.

ALTER TABLE sessions ADD COLUMN project TEXT NOT NULL DEFAULT '';
CREATE INDEX sessions_by_room ON sessions (wing, room);

-- The fact that a memory holds; null of all others, and of facts of before.
ALTER TABLE memories ADD COLUMN fact_id TEXT;
CREATE UNIQUE INDEX memories_by_fact ON memories (fact_id) WHERE fact_id IS NOT NULL;
-- All that is told of drawers but their texts, so that counting them reads nothing else.
CREATE INDEX memories_by_room ON memories (
    session_id, event_index, visibility, agent_id, user_id, event_time_us, create_time_us, pointer)
WHERE pointer <> '';
CREATE INDEX memories_by_pointer ON memories (pointer) WHERE pointer <> '';

DROP INDEX edges_by_target;
CREATE INDEX edges_by_target ON edges (target_id, type);

-- fact_key: of the statement; known_to_us is null while a telling stands.
CREATE TABLE fact_tellings (
    telling_id    TEXT PRIMARY KEY,
    fact_id       TEXT NOT NULL,
    line_id       TEXT NOT NULL,
    fact_key      TEXT NOT NULL,
    scope         TEXT NOT NULL,
    subject       TEXT NOT NULL,
    predicate     TEXT NOT NULL,
    object        TEXT NOT NULL,
    from_us       INTEGER NOT NULL,
    to_us         INTEGER NOT NULL,
    source        TEXT NOT NULL,
    confidence    REAL NOT NULL,
    single_valued INTEGER NOT NULL,
    known_from_us INTEGER NOT NULL,
    known_to_us   INTEGER
) WITHOUT ROWID;
CREATE INDEX fact_tellings_by_fact ON fact_tellings (fact_id);
CREATE INDEX fact_tellings_by_line
    ON fact_tellings (line_id, fact_key, known_from_us, known_to_us);
CREATE INDEX fact_tellings_standing
    ON fact_tellings (line_id, fact_key) WHERE known_to_us IS NULL;
CREATE INDEX fact_tellings_single
    ON fact_tellings (line_id) WHERE known_to_us IS NULL AND single_valued = 1;

-- sources and closed_by are JSON; the last three are folded.
CREATE TABLE fact_versions (
    fact_id          TEXT NOT NULL,
    known_from_us    INTEGER NOT NULL,
    known_to_us      INTEGER,
    line_id          TEXT NOT NULL,
    fact_key         TEXT NOT NULL,
    scope            TEXT NOT NULL,
    subject          TEXT NOT NULL,
    predicate        TEXT NOT NULL,
    object           TEXT NOT NULL,
    from_us          INTEGER NOT NULL,
    to_us            INTEGER NOT NULL,
    told_confidence  REAL NOT NULL,
    sources          TEXT NOT NULL,
    told_us          INTEGER NOT NULL,
    first_telling_id TEXT NOT NULL,
    closed_by        TEXT NOT NULL,
    contradicted     INTEGER NOT NULL,
    of_subject       TEXT NOT NULL,
    of_predicate     TEXT NOT NULL,
    of_object        TEXT NOT NULL,
    PRIMARY KEY (fact_id, known_from_us)
) WITHOUT ROWID;
CREATE INDEX fact_versions_by_line
    ON fact_versions (line_id, fact_key, known_from_us, known_to_us);
CREATE INDEX fact_versions_current
    ON fact_versions (line_id, fact_key) WHERE known_to_us IS NULL;
CREATE INDEX fact_versions_by_place ON fact_versions (from_us, to_us, fact_key, fact_id);
CREATE INDEX fact_versions_by_subject
    ON fact_versions (of_subject, from_us, to_us, fact_key, fact_id);
CREATE INDEX fact_versions_by_object
    ON fact_versions (of_object, from_us, to_us, fact_key, fact_id);

-- ended_us: the end that the ground got; null: it was taken back. reason_key tells them apart.
CREATE TABLE review_reasons (
    memory_id  TEXT NOT NULL,
    ground_id  TEXT NOT NULL,
    reason_key TEXT NOT NULL,
    ended_us   INTEGER,
    PRIMARY KEY (memory_id, ground_id, reason_key)
) WITHOUT ROWID;
CREATE INDEX review_reasons_by_ground ON review_reasons (ground_id);

-- merged_into_id: whose part it is; empty while it stands by itself.
CREATE TABLE entities (
    entity_id      TEXT PRIMARY KEY,
    kind           TEXT NOT NULL,
    create_time_us INTEGER NOT NULL,
    merged_into_id TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX entities_by_whole ON entities (merged_into_id) WHERE merged_into_id <> '';

-- How an entity is spelled by what one scope sees; mention_count counts its rows of mentions.
CREATE TABLE entity_names (
    entity_id     TEXT NOT NULL,
    scope         TEXT NOT NULL,
    name          TEXT NOT NULL,
    folded        TEXT NOT NULL,
    core          TEXT NOT NULL,
    head          TEXT NOT NULL,
    tail          TEXT NOT NULL,
    is_alias      INTEGER NOT NULL,
    mention_count INTEGER NOT NULL,
    first_us      INTEGER NOT NULL,
    last_us       INTEGER NOT NULL,
    PRIMARY KEY (entity_id, scope, name)
) WITHOUT ROWID;
CREATE INDEX entity_names_by_folded ON entity_names (folded, entity_id);
CREATE INDEX entity_names_by_core ON entity_names (core, entity_id) WHERE core <> '';
CREATE INDEX entity_names_by_head ON entity_names (head, entity_id) WHERE head <> '';
CREATE INDEX entity_names_by_tail ON entity_names (tail, entity_id) WHERE tail <> '';

CREATE TABLE mentions (
    memory_id TEXT NOT NULL,
    entity_id TEXT NOT NULL,
    name      TEXT NOT NULL,
    scope     TEXT NOT NULL,
    folded    TEXT NOT NULL,
    core      TEXT NOT NULL,
    head      TEXT NOT NULL,
    tail      TEXT NOT NULL,
    is_alias  INTEGER NOT NULL,
    time_us   INTEGER NOT NULL,
    PRIMARY KEY (memory_id, entity_id, name)
) WITHOUT ROWID;
CREATE INDEX mentions_by_name ON mentions (entity_id, scope, name, is_alias, time_us);
CREATE INDEX mentions_by_entity ON mentions (entity_id, memory_id, scope, time_us);

-- What was to be reviewed before there were reasons is so until somebody does.
INSERT INTO review_reasons
SELECT memory_id, memory_id, '', NULL FROM memories WHERE needs_review = 1;
