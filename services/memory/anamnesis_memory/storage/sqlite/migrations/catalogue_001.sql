-- All namespaces of a data directory, and what is due in them.

CREATE TABLE namespaces (
    name                TEXT PRIMARY KEY,
    incarnation         TEXT NOT NULL UNIQUE,
    create_time_us      INTEGER NOT NULL,
    embedding_model     TEXT NOT NULL,
    embedding_dimension INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE due (
    work TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (work, name)
) WITHOUT ROWID;
