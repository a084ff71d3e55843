// What stands for the vectors of a namespace while they are written.

// name: embedding_lock_key
CREATE CONSTRAINT embedding_lock_key IF NOT EXISTS
FOR (l:EmbeddingLock) REQUIRE l.ns IS UNIQUE
