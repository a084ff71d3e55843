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

// name: list_namespaces
MATCH (n:Namespace {catalogue: $catalogue}) WHERE n.name > $after
RETURN n {.*} AS row ORDER BY n.catalogue, n.name LIMIT $limit

// name: list_due_namespaces
MATCH (d:Due {catalogue: $catalogue, work: $work}) WHERE d.name > $after
WITH d ORDER BY d.catalogue, d.work, d.name LIMIT $limit
MATCH (n:Namespace {catalogue: $catalogue, name: d.name})
RETURN n {.*} AS row ORDER BY n.name

// name: set_due
MERGE (d:Due {catalogue: $catalogue, work: $work, name: $name})

// name: clear_due
MATCH (d:Due {catalogue: $catalogue, work: $work, name: $name}) DELETE d

// name: get_schema
MATCH (s:AnamnesisSchema) RETURN {version: s.version} AS row

// name: set_schema
MERGE (s:AnamnesisSchema) SET s.version = $version
