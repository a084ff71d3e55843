// The statements of one namespace about its archive; `neo4j.cypher` says what holds for each.

// name: get_uploads
UNWIND $ids AS id
MATCH (u:Upload {ns: $ns, upload_id: id})
RETURN u {.*} AS row

// name: put_upload
MATCH (s:Session {ns: $ns, session_id: $row.session_id})
MERGE (u:Upload {ns: $ns, upload_id: $row.upload_id})
SET u += $row

// name: put_upload_piece
// What is kept lies in pieces: a property of MiBs would be read as one value.
MATCH (u:Upload {ns: $ns, upload_id: $row.upload_id})
MERGE (p:UploadPiece {ns: $ns, upload_id: $row.upload_id, place: $row.place})
SET p.packed = $row.packed
MERGE (u)-[:KEPT_IN]->(p)

// name: get_upload_piece
MATCH (p:UploadPiece {ns: $ns, upload_id: $upload_id, place: $place})
RETURN {packed: p.packed} AS row

// name: list_uploads
MATCH (u:Upload {ns: $ns})
USING INDEX SEEK u:Upload(ns, session_id, upload_id)
WHERE u.session_id >= $after_session AND u.upload_id IS NOT NULL
WITH u ORDER BY u.ns, u.session_id, u.upload_id
WHERE (u.session_id > $after_session OR u.upload_id > $after_upload)
  AND EXISTS {
    MATCH (s:Session {ns: $ns, session_id: u.session_id})
    WHERE VISIBLE(s)}
RETURN u {.*} AS row ORDER BY u.ns, u.session_id, u.upload_id LIMIT $limit

// name: list_uploads_of_session
MATCH (u:Upload {ns: $ns, session_id: $session_id})
USING INDEX SEEK u:Upload(ns, session_id, upload_id)
WHERE u.upload_id > $after_upload
  AND EXISTS {
    MATCH (s:Session {ns: $ns, session_id: u.session_id})
    WHERE VISIBLE(s)}
RETURN u {.*} AS row ORDER BY u.ns, u.session_id, u.upload_id LIMIT $limit
