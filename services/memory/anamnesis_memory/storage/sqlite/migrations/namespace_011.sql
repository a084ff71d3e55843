-- Facts that were learned before there were lines name a fact that no line holds: they stand alone,
-- as those of before do. What is stated again of them makes their line.
UPDATE memories SET part = json_set(part, '$.fact_id', '')
WHERE kind = 'semantic' AND fact_id IS NULL AND coalesce(json_extract(part, '$.fact_id'), '') <> '';
