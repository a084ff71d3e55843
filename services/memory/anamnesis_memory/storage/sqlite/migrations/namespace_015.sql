-- A lesson that a person put into a topic is held there.
ALTER TABLE topic_members ADD COLUMN held INTEGER NOT NULL DEFAULT 0;
