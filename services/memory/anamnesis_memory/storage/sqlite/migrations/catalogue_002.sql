-- From when work may be ready; what was noted before is ready.
ALTER TABLE due ADD COLUMN at_us INTEGER NOT NULL DEFAULT 0;
CREATE INDEX due_by_time ON due (work, at_us);
