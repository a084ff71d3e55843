// Documents are listed by who may see them and by their paths, whose segments end with U+001F.

// name: memory_documents
CREATE INDEX memory_documents IF NOT EXISTS
FOR (m:Memory) ON (m.ns, m.document_scope, m.document_path, m.memory_no)
