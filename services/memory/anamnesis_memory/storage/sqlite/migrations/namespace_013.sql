-- Memories may expire.
ALTER TABLE memories ADD COLUMN expire_time_us INTEGER;
CREATE INDEX memories_by_expiry ON memories (expire_time_us, memory_id)
WHERE expire_time_us IS NOT NULL;
