// What retention leaves of a ledger, and the raw archive.

// name: stub_key
CREATE CONSTRAINT stub_key IF NOT EXISTS
FOR (x:Stub) REQUIRE (x.ns, x.session_id, x.event_index) IS UNIQUE

// name: upload_key
CREATE CONSTRAINT upload_key IF NOT EXISTS
FOR (u:Upload) REQUIRE (u.ns, u.upload_id) IS UNIQUE

// name: upload_session
CREATE INDEX upload_session IF NOT EXISTS
FOR (u:Upload) ON (u.ns, u.session_id, u.upload_id)

// name: upload_piece_key
CREATE CONSTRAINT upload_piece_key IF NOT EXISTS
FOR (p:UploadPiece) REQUIRE (p.ns, p.upload_id, p.place) IS UNIQUE
