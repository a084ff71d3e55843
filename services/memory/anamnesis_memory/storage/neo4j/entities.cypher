// The statements of one namespace about entities: who they are, how they are spelled where, and
// what mentions them. `neo4j.cypher` says what holds for each. A `:Name` is counted from the
// mentions that spell an entity so in one scope.
// `PART` follows what has been merged, up or down, no further than 32 times.

// name: put_entities
UNWIND $rows AS row
MERGE (e:Entity {ns: $ns, entity_id: row.entity_id})
SET e += row

// name: part_entities
UNWIND $ids AS id
MATCH (e:Entity {ns: $ns, entity_id: id})-[part:MERGED_INTO]->(whole:Entity {ns: $ns})
WHERE whole.entity_id <> e.merged_into_id
DELETE part

// name: join_entities
UNWIND $ids AS id
MATCH (e:Entity {ns: $ns, entity_id: id})
MATCH (whole:Entity {ns: $ns, entity_id: e.merged_into_id})
MERGE (e)-[:MERGED_INTO]->(whole)

// name: join_parts
UNWIND $ids AS id
MATCH (whole:Entity {ns: $ns, entity_id: id})
MATCH (e:Entity {ns: $ns, merged_into_id: id})
MERGE (e)-[:MERGED_INTO]->(whole)

// name: forget_same_mentions
UNWIND $rows AS row
MATCH (m:Memory {ns: $ns, memory_id: row.memory_id})-[mention:MENTIONS]
      ->(e:Entity {ns: $ns, entity_id: row.entity_id})
WHERE mention.name = row.name
WITH mention, mention.entity_id AS entity_id, mention.scope AS scope, mention.name AS name
DELETE mention
RETURN {entity_id: entity_id, scope: scope, name: name} AS row

// name: forget_mentions
UNWIND $ids AS id
MATCH (m:Memory {ns: $ns, memory_id: id})-[mention:MENTIONS]->(e:Entity {ns: $ns})
WITH mention, mention.entity_id AS entity_id, mention.scope AS scope, mention.name AS name
DELETE mention
RETURN {entity_id: entity_id, scope: scope, name: name} AS row

// name: put_mentions
UNWIND $rows AS row
MATCH (m:Memory {ns: $ns, memory_id: row.memory_id})
MATCH (e:Entity {ns: $ns, entity_id: row.entity_id})
CREATE (m)-[mention:MENTIONS {ns: $ns}]->(e)
SET mention += row
RETURN collect(mention {.*}) AS row

// name: count_names_up
UNWIND $rows AS row
MATCH (e:Entity {ns: $ns, entity_id: row.entity_id})
MERGE (n:Name {ns: $ns, entity_id: row.entity_id, scope: row.scope, name: row.spelling.name})
SET n.mention_count = coalesce(n.mention_count, 0) + row.mention_count,
    n.is_alias = CASE WHEN n.is_alias < row.is_alias THEN n.is_alias ELSE row.is_alias END,
    n.first_us = CASE WHEN n.first_us < row.first_us THEN n.first_us ELSE row.first_us END,
    n.last_us = CASE WHEN n.last_us > row.last_us THEN n.last_us ELSE row.last_us END,
    n += row.spelling
MERGE (e)-[:NAMED]->(n)

// name: count_names_down
UNWIND $rows AS row
MATCH (n:Name {ns: $ns, entity_id: row.entity_id, scope: row.scope, name: row.name})
SET n.mention_count = n.mention_count - row.gone
WITH n WHERE n.mention_count <= 0
DETACH DELETE n

// name: tell_names_again
// What is left of a name begins and ends at an index, however many mentions there are.
UNWIND $rows AS row
MATCH (n:Name {ns: $ns, entity_id: row.entity_id, scope: row.scope, name: row.name})
CALL (n) {
    UNWIND [0, 1] AS alias
    CALL (n, alias) {
        MATCH (m:Memory {ns: $ns})-[mention:MENTIONS {ns: $ns, entity_id: n.entity_id,
              scope: n.scope, name: n.name, is_alias: alias}]->(e:Entity {ns: $ns})
        USING INDEX SEEK mention:MENTIONS(ns, entity_id, scope, name, is_alias, time_us)
        WHERE mention.time_us IS NOT NULL
        RETURN mention.time_us AS first_us
        ORDER BY mention.ns, mention.entity_id, mention.scope, mention.name, mention.is_alias,
                 mention.time_us
        LIMIT 1
    }
    CALL (n, alias) {
        MATCH (m:Memory {ns: $ns})-[mention:MENTIONS {ns: $ns, entity_id: n.entity_id,
              scope: n.scope, name: n.name, is_alias: alias}]->(e:Entity {ns: $ns})
        USING INDEX SEEK mention:MENTIONS(ns, entity_id, scope, name, is_alias, time_us)
        WHERE mention.time_us IS NOT NULL
        RETURN mention.time_us AS last_us
        ORDER BY mention.ns DESC, mention.entity_id DESC, mention.scope DESC, mention.name DESC,
                 mention.is_alias DESC, mention.time_us DESC
        LIMIT 1
    }
    RETURN min(alias) AS is_alias, min(first_us) AS first_us, max(last_us) AS last_us
}
SET n.is_alias = is_alias, n.first_us = first_us, n.last_us = last_us

// name: show_names
// What a person reads: the first spelling that was used.
UNWIND $ids AS id
MATCH (e:Entity {ns: $ns, entity_id: id})
SET e.name = head(COLLECT {
    MATCH (e)-[:NAMED]->(n:Name {ns: $ns})
    RETURN n.name ORDER BY n.is_alias, n.first_us, n.name LIMIT 1
})

// name: nameless
UNWIND $ids AS id
MATCH (e:Entity {ns: $ns, entity_id: id})
WHERE NOT EXISTS { (e)-[:NAMED]->(n:Name {ns: $ns}) }
RETURN e {.entity_id, .merged_into_id, part_ids: COLLECT {
    MATCH (e)<-[:MERGED_INTO]-(part:Entity {ns: $ns})
    RETURN part.entity_id ORDER BY part.create_time_us, part.entity_id
}} AS row

// name: move_parts
UNWIND $ids AS id
MATCH (part:Entity {ns: $ns, entity_id: id})
SET part.merged_into_id = CASE id WHEN $whole_id THEN '' ELSE $whole_id END

// name: delete_entities
UNWIND $ids AS id
MATCH (e:Entity {ns: $ns, entity_id: id})
DETACH DELETE e

// name: entities_meant
CALL () {
    UNWIND $folded AS key MATCH (n:Name {ns: $ns, folded: key}) RETURN n.entity_id AS entity_id
    UNION
    UNWIND $cores AS key MATCH (n:Name {ns: $ns, core: key}) RETURN n.entity_id AS entity_id
    UNION
    UNWIND $heads AS key MATCH (n:Name {ns: $ns, head: key})
    RETURN DISTINCT n.entity_id AS entity_id LIMIT $limit
    UNION
    UNWIND $tails AS key MATCH (n:Name {ns: $ns, tail: key})
    RETURN DISTINCT n.entity_id AS entity_id LIMIT $limit
    UNION
    UNWIND $ids AS entity_id RETURN entity_id
}
MATCH (:Entity {ns: $ns, entity_id: entity_id})-[:PART]->(whole:Entity {ns: $ns})
WHERE whole.merged_into_id = ''
WITH DISTINCT whole
MATCH (whole)<-[:PART]-(e:Entity {ns: $ns})
RETURN collect(e {.*, names: COLLECT {
    MATCH (e)-[:NAMED]->(n:Name {ns: $ns})
    RETURN n {.*}
}}) AS row

// name: get_entities
UNWIND $ids AS id
MATCH (e:Entity {ns: $ns, entity_id: id})
RETURN collect(e {.*, names: COLLECT {
    MATCH (e)-[:NAMED]->(n:Name {ns: $ns})
    WHERE IN_SCOPES(n)
    RETURN n {.*}
}}) AS row

// name: entities_named
MATCH (named:Name {ns: $ns, folded: $folded})
WHERE IN_SCOPES(named)
WITH DISTINCT named.entity_id AS entity_id
MATCH (e:Entity {ns: $ns, entity_id: entity_id})
RETURN e {.*, names: COLLECT {
    MATCH (e)-[:NAMED]->(n:Name {ns: $ns})
    WHERE IN_SCOPES(n)
    RETURN n {.*}
}} AS row

// name: list_entities
MATCH (e:Entity {ns: $ns})
USING INDEX SEEK e:Entity(ns, entity_id)
WHERE e.entity_id > $after
WITH e ORDER BY e.ns, e.entity_id
WHERE EXISTS {
  (e)-[:NAMED]->(n:Name {ns: $ns}) WHERE IN_SCOPES(n)
}
RETURN e {.*, names: COLLECT {
    MATCH (e)-[:NAMED]->(n:Name {ns: $ns})
    WHERE IN_SCOPES(n)
    RETURN n {.*}
}} AS row
ORDER BY e.ns, e.entity_id LIMIT $limit

// name: list_entities_of_kind
MATCH (e:Entity {ns: $ns, kind: $kind})
USING INDEX SEEK e:Entity(ns, kind, entity_id)
WHERE e.entity_id > $after
WITH e ORDER BY e.ns, e.kind, e.entity_id
WHERE EXISTS {
  (e)-[:NAMED]->(n:Name {ns: $ns}) WHERE IN_SCOPES(n)
}
RETURN e {.*, names: COLLECT {
    MATCH (e)-[:NAMED]->(n:Name {ns: $ns})
    WHERE IN_SCOPES(n)
    RETURN n {.*}
}} AS row
ORDER BY e.ns, e.kind, e.entity_id LIMIT $limit

// name: entity_groups
UNWIND $ids AS id
MATCH (e:Entity {ns: $ns, entity_id: id})-[:PART]->(whole:Entity {ns: $ns})
WHERE whole.merged_into_id = ''
RETURN collect({entity_id: id, whole_id: whole.entity_id, part_ids: COLLECT {
    MATCH (whole)<-[:PART]-(part:Entity {ns: $ns})
    RETURN part.entity_id
}}) AS row

// name: mentions_of
UNWIND $ids AS id
MATCH (m:Memory {ns: $ns, memory_id: id})-[mention:MENTIONS]->(e:Entity {ns: $ns})
RETURN collect(mention {.*}) AS row

// name: all_entities
MATCH (e:Entity {ns: $ns})
USING INDEX SEEK e:Entity(ns, entity_id)
WHERE e.entity_id >= ''
RETURN e {.*} AS row ORDER BY e.ns, e.entity_id

// name: all_mentions
MATCH (m:Memory {ns: $ns})
USING INDEX SEEK m:Memory(ns, memory_id)
WHERE m.memory_id >= ''
WITH m ORDER BY m.ns, m.memory_id
MATCH (m)-[mention:MENTIONS]->(e:Entity {ns: $ns})
RETURN mention {.*} AS row
ORDER BY m.ns, m.memory_id, e.entity_id, mention.name
