// The statements of one namespace about erasing a session, and about finding what is left of a
// text; `neo4j.cypher` says what holds for each.

// name: erase_events
MATCH (e:Event {ns: $ns, session_id: $session_id})
WHERE e.event_index IS NOT NULL
DETACH DELETE e

// name: erase_stubs
MATCH (x:Stub {ns: $ns, session_id: $session_id})
WHERE x.event_index IS NOT NULL
DETACH DELETE x

// name: erase_segments
MATCH (g:Segment {ns: $ns, session_id: $session_id})
USING INDEX SEEK g:Segment(ns, session_id, first_index)
WHERE g.first_index IS NOT NULL
DETACH DELETE g

// name: erase_activities
MATCH (a:Activity {ns: $ns, session_id: $session_id})
USING INDEX SEEK a:Activity(ns, session_id, revision, segment_id)
WHERE a.revision IS NOT NULL AND a.segment_id IS NOT NULL
DETACH DELETE a

// name: erase_upload_pieces
MATCH (u:Upload {ns: $ns, session_id: $session_id})
USING INDEX SEEK u:Upload(ns, session_id, upload_id)
WHERE u.upload_id IS NOT NULL
MATCH (u)-[:KEPT_IN]->(p:UploadPiece {ns: $ns})
DETACH DELETE p

// name: erase_uploads
MATCH (u:Upload {ns: $ns, session_id: $session_id})
USING INDEX SEEK u:Upload(ns, session_id, upload_id)
WHERE u.upload_id IS NOT NULL
DETACH DELETE u

// name: erase_work
UNWIND $kinds AS kind
MATCH (w:Work {ns: $ns, kind: kind, session_id: $session_id})
DELETE w

// name: erase_copies
UNWIND $roles AS role
MATCH (c:Copy {ns: $ns, role: role, session_id: $session_id})
USING INDEX SEEK c:Copy(ns, role, session_id, copy_id)
WHERE c.copy_id IS NOT NULL
DETACH DELETE c

// name: erase_documents
MATCH (d:Document {ns: $ns, session_id: $session_id})
USING INDEX SEEK d:Document(ns, session_id, collection, name)
WHERE d.collection IS NOT NULL AND d.name IS NOT NULL
DELETE d

// name: erase_session
MATCH (s:Session {ns: $ns, session_id: $session_id})
DETACH DELETE s

// name: erase_answers
MATCH (s:Session {ns: $ns, session_id: $session_id})<-[:ANSWERED_WITH]-(r:Request {ns: $ns})
DETACH DELETE r

// name: every_node
// With the relationships that begin there. Every label is here.
CALL () {
    MATCH (n:Clock {ns: $ns}) RETURN n
    UNION ALL
    MATCH (n:Namespace {ns: $ns}) RETURN n
    UNION ALL
    MATCH (n:Memory {ns: $ns}) WHERE n.memory_id IS NOT NULL RETURN n
    UNION ALL
    MATCH (n:Embedding {ns: $ns}) WHERE n.memory_id IS NOT NULL RETURN n
    UNION ALL
    MATCH (n:StagedEmbedding {ns: $ns}) WHERE n.memory_id IS NOT NULL RETURN n
    UNION ALL
    MATCH (n:Copy {ns: $ns}) WHERE n.copy_id IS NOT NULL RETURN n
    UNION ALL
    MATCH (n:Document {ns: $ns})
    USING INDEX SEEK n:Document(ns, collection, name)
    WHERE n.collection IS NOT NULL AND n.name IS NOT NULL
    RETURN n
    UNION ALL
    MATCH (n:Event {ns: $ns})
    WHERE n.session_id IS NOT NULL AND n.event_index IS NOT NULL
    RETURN n
    UNION ALL
    MATCH (n:Stub {ns: $ns})
    WHERE n.session_id IS NOT NULL AND n.event_index IS NOT NULL
    RETURN n
    UNION ALL
    MATCH (n:Session {ns: $ns}) WHERE n.session_id IS NOT NULL RETURN n
    UNION ALL
    MATCH (n:Wing {ns: $ns}) WHERE n.wing IS NOT NULL RETURN n
    UNION ALL
    MATCH (n:Entity {ns: $ns}) WHERE n.entity_id IS NOT NULL RETURN n
    UNION ALL
    MATCH (n:Name {ns: $ns})
    USING INDEX SEEK n:Name(ns, entity_id, scope, name)
    WHERE n.entity_id IS NOT NULL AND n.scope IS NOT NULL AND n.name IS NOT NULL
    RETURN n
    UNION ALL
    MATCH (n:Telling {ns: $ns}) WHERE n.telling_id IS NOT NULL RETURN n
    UNION ALL
    MATCH (n:FactVersion {ns: $ns})
    USING INDEX SEEK n:FactVersion(ns, fact_id, known_from_us)
    WHERE n.fact_id IS NOT NULL AND n.known_from_us IS NOT NULL
    RETURN n
    UNION ALL
    MATCH (n:Topic {ns: $ns}) WHERE n.topic_id IS NOT NULL RETURN n
    UNION ALL
    MATCH (n:Tag {ns: $ns}) WHERE n.tag_key IS NOT NULL RETURN n
    UNION ALL
    MATCH (n:Deletion {ns: $ns}) WHERE n.memory_id IS NOT NULL RETURN n
    UNION ALL
    MATCH (n:Request {ns: $ns})
    WHERE n.method IS NOT NULL AND n.request_id IS NOT NULL
    RETURN n
    UNION ALL
    MATCH (n:Segment {ns: $ns}) WHERE n.segment_id IS NOT NULL RETURN n
    UNION ALL
    MATCH (n:Activity {ns: $ns})
    WHERE n.revision IS NOT NULL AND n.segment_id IS NOT NULL
    RETURN n
    UNION ALL
    MATCH (n:Work {ns: $ns})
    WHERE n.kind IS NOT NULL AND n.session_id IS NOT NULL
    RETURN n
    UNION ALL
    MATCH (n:Usage {ns: $ns})
    WHERE n.hour_us IS NOT NULL AND n.purpose IS NOT NULL
    RETURN n
    UNION ALL
    MATCH (n:Tombstone {ns: $ns}) WHERE n.mark IS NOT NULL RETURN n
    UNION ALL
    MATCH (n:Upload {ns: $ns}) WHERE n.upload_id IS NOT NULL RETURN n
    UNION ALL
    MATCH (n:EmbeddingLock {ns: $ns}) RETURN n
}
RETURN {
    labels: labels(n), properties: properties(n),
    links: COLLECT {
        MATCH (n)-[link]->(other {ns: $ns})
        RETURN {type: type(link), properties: properties(link)}
    }
} AS row
