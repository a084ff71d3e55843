-- What a user says is that user's from now on. A namespace that holds something keeps what it had:
-- everybody sees everything, until its owner decides otherwise.
INSERT OR IGNORE INTO documents
SELECT 'policy', '', '{"visibility": "shared"}', 0, '', '', ''
WHERE EXISTS (SELECT 1 FROM sessions) OR EXISTS (SELECT 1 FROM memories);
