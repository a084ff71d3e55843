// Vectors of another model, made beside those in use until all are there.

// name: staged_key
CREATE CONSTRAINT staged_key IF NOT EXISTS
FOR (v:StagedEmbedding) REQUIRE (v.ns, v.memory_id) IS UNIQUE
