-- Facts that stand alone, and names that nobody is known by, are told anew when it is opened.
INSERT OR IGNORE INTO documents
SELECT 'upgrade', 'knowledge', '{}', 0, '', '', ''
WHERE EXISTS (SELECT 1 FROM memories WHERE kind = 'semantic' AND fact_id IS NULL)
   OR (EXISTS (SELECT 1 FROM memory_labels WHERE is_entity = 1)
       AND NOT EXISTS (SELECT 1 FROM mentions));
