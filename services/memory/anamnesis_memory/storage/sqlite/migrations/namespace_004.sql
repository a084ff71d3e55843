-- Vectors of another model, made beside those in use until all are there.
CREATE TABLE staged_embeddings (
    memory_no INTEGER PRIMARY KEY,
    pieces    INTEGER NOT NULL,
    vectors   BLOB NOT NULL
);

-- place: 'staged', the model of staged_embeddings; 'current', that of embeddings where it is not
-- the one that the catalogue was told when the namespace was made.
CREATE TABLE bindings (
    place     TEXT PRIMARY KEY,
    model     TEXT NOT NULL,
    dimension INTEGER NOT NULL
) WITHOUT ROWID;
