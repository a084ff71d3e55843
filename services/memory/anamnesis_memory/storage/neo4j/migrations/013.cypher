// Memories may expire.

// name: memory_expiry
CREATE INDEX memory_expiry IF NOT EXISTS
FOR (m:Memory) ON (m.ns, m.expire_time_us)
