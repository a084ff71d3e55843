-- Documents are listed by who may see them and by their paths, whose segments end with U+001F.
ALTER TABLE memories ADD COLUMN document_scope TEXT;
ALTER TABLE memories ADD COLUMN document_path TEXT;
CREATE INDEX memories_by_document ON memories (document_scope, document_path, memory_no)
WHERE document_scope IS NOT NULL;
