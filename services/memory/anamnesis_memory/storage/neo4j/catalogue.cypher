// The statements of a catalogue: the namespaces of one suite, `$catalogue`, and what is due in
// them. Other suites may keep theirs in the same database.

// name: get_namespace
MATCH (n:Namespace {catalogue: $catalogue, name: $name}) RETURN n {.*} AS row

// name: put_namespace
MERGE (n:Namespace {catalogue: $catalogue, name: $name})
ON CREATE SET n += $row
RETURN {put_by: n.put_by} AS row

// name: replace_namespace
// The write before the condition takes the lock, so that two cannot replace the same.
MATCH (n:Namespace {catalogue: $catalogue, name: $name})
SET n.locked_by = $row.put_by
WITH n
CALL (n) {
    WITH n WHERE n.incarnation = $replaced
    SET n += $row
}
RETURN {put_by: n.put_by} AS row

// name: remove_namespace
MATCH (n:Namespace {catalogue: $catalogue, name: $name})
WHERE n.incarnation = $incarnation
DELETE n
RETURN {name: $name} AS row

// name: list_namespaces
MATCH (n:Namespace {catalogue: $catalogue}) WHERE n.name > $after
RETURN n {.*} AS row ORDER BY n.catalogue, n.name LIMIT $limit

// name: list_due
UNWIND $works AS kind
MATCH (w:Work)
USING INDEX SEEK w:Work(kind, ready_us, ns)
WHERE w.kind = kind AND w.ready_us <= $before_us AND w.ns IS NOT NULL
WITH w.ns AS ns, kind, min(w.ready_us) AS at_us
MATCH (n:Namespace {ns: ns}) WHERE n.catalogue = $catalogue
WITH n.name AS name, kind, at_us ORDER BY at_us, name, kind LIMIT $limit
RETURN {name: name, work: kind, at_us: at_us} AS row

// name: note_due
// Notes of work that no commit makes due, each kind under a property of its own.
MATCH (n:Namespace {catalogue: $catalogue, name: $name})
SET n.notes = coalesce(n.notes, 0) + 1,
    n += CASE WHEN coalesce(n[$noted] > $at_us, true) THEN $due ELSE {} END

// name: list_noted
UNWIND $works AS work
MATCH (n:Namespace {catalogue: $catalogue})
WITH n, work, n['due_' + work + '_us'] AS at_us
WHERE at_us <= $before_us
WITH n.name AS name, work, at_us, n.notes AS version ORDER BY at_us, name, work LIMIT $limit
RETURN {name: name, work: work, at_us: at_us, version: version} AS row

// name: move_noted
// Only where nothing was noted since it was read; the row says if so.
MATCH (n:Namespace {catalogue: $catalogue, name: $name})
SET n.locked_by = coalesce(n.locked_by, '')
WITH n WHERE n.notes = $version
SET n.notes = n.notes + 1, n += $due
RETURN {name: n.name} AS row

// name: get_schema
MATCH (s:AnamnesisSchema) RETURN {version: s.version} AS row

// name: set_schema
MERGE (s:AnamnesisSchema) SET s.version = $version
