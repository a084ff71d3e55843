// Knowledge over time: who is mentioned under which names, what was told and held true, and the
// palace by numbers and pointers.

// name: fact_memory
// What holds no fact has no fact_id, and is not in here; likewise below.
CREATE CONSTRAINT fact_memory IF NOT EXISTS
FOR (m:Memory) REQUIRE (m.ns, m.fact_id) IS UNIQUE

// name: memory_pointer
CREATE INDEX memory_pointer IF NOT EXISTS
FOR (m:Memory) ON (m.ns, m.pointer)

// name: memory_event
CREATE INDEX memory_event IF NOT EXISTS
FOR (m:Memory) ON (m.ns, m.session_id, m.event_index, m.memory_no)

// name: session_room
CREATE INDEX session_room IF NOT EXISTS
FOR (s:Session) ON (s.ns, s.wing, s.room)

// name: forget_labels
// What older versions made of labels alone, some at a time; the labels are the memories' own.
MATCH (e:Entity)<-[mention:MENTIONS]-(:Memory) WHERE e.name_key IS NOT NULL
WITH mention LIMIT 10000
DELETE mention
WITH count(*) AS gone WHERE gone > 0
RETURN {gone: gone} AS row

// name: forget_labelled
MATCH (e:Entity) WHERE e.name_key IS NOT NULL
WITH e LIMIT 10000
DETACH DELETE e
WITH count(*) AS gone WHERE gone > 0
RETURN {gone: gone} AS row

// name: drop_entity_key
DROP CONSTRAINT entity_key IF EXISTS

// name: entity_identity
CREATE CONSTRAINT entity_identity IF NOT EXISTS
FOR (e:Entity) REQUIRE (e.ns, e.entity_id) IS UNIQUE

// name: entity_kind
CREATE INDEX entity_kind IF NOT EXISTS
FOR (e:Entity) ON (e.ns, e.kind, e.entity_id)

// name: entity_merged
CREATE INDEX entity_merged IF NOT EXISTS
FOR (e:Entity) ON (e.ns, e.merged_into_id)

// name: entity_name
CREATE CONSTRAINT entity_name IF NOT EXISTS
FOR (n:Name) REQUIRE (n.ns, n.entity_id, n.scope, n.name) IS UNIQUE

// name: name_folded
CREATE INDEX name_folded IF NOT EXISTS
FOR (n:Name) ON (n.ns, n.folded)

// name: name_core
CREATE INDEX name_core IF NOT EXISTS
FOR (n:Name) ON (n.ns, n.core)

// name: name_head
CREATE INDEX name_head IF NOT EXISTS
FOR (n:Name) ON (n.ns, n.head)

// name: name_tail
CREATE INDEX name_tail IF NOT EXISTS
FOR (n:Name) ON (n.ns, n.tail)

// name: mention_of_entity
CREATE INDEX mention_of_entity IF NOT EXISTS
FOR ()-[mention:MENTIONS]-() ON (mention.ns, mention.entity_id, mention.memory_id)

// name: mention_of_name
CREATE INDEX mention_of_name IF NOT EXISTS
FOR ()-[mention:MENTIONS]-()
ON (mention.ns, mention.entity_id, mention.scope, mention.name, mention.is_alias, mention.time_us)

// name: telling_key
CREATE CONSTRAINT telling_key IF NOT EXISTS
FOR (t:Telling) REQUIRE (t.ns, t.telling_id) IS UNIQUE

// name: telling_fact
CREATE INDEX telling_fact IF NOT EXISTS
FOR (t:Telling) ON (t.ns, t.fact_id)

// name: telling_line
CREATE INDEX telling_line IF NOT EXISTS
FOR (t:Telling) ON (t.ns, t.line_id, t.fact_key, t.known_from_us)

// name: telling_single
// Only of tellings that stand and say that their line has one object at a time.
CREATE INDEX telling_single IF NOT EXISTS
FOR (t:Telling) ON (t.ns, t.single_line)

// name: version_key
CREATE CONSTRAINT version_key IF NOT EXISTS
FOR (v:FactVersion) REQUIRE (v.ns, v.fact_id, v.known_from_us) IS UNIQUE

// name: version_line
CREATE INDEX version_line IF NOT EXISTS
FOR (v:FactVersion) ON (v.ns, v.line_id, v.fact_key, v.known_from_us)

// name: version_place
CREATE INDEX version_place IF NOT EXISTS
FOR (v:FactVersion) ON (v.ns, v.from_us, v.to_us, v.fact_key, v.fact_id)

// name: version_subject
CREATE INDEX version_subject IF NOT EXISTS
FOR (v:FactVersion) ON (v.ns, v.of_subject, v.from_us)

// name: version_object
CREATE INDEX version_object IF NOT EXISTS
FOR (v:FactVersion) ON (v.ns, v.of_object, v.from_us)

// name: session_project
MATCH (s:Session) WHERE s.project IS NULL
SET s.project = ''
