// Documents that callers name. An index is used where each of its properties has a condition.

// name: named_documents
UNWIND $digests AS digest
MATCH (m:Memory {ns: $ns, digest: digest})
USING INDEX SEEK m:Memory(ns, digest)
WHERE m.document_scope IS NOT NULL
RETURN m {.*, named: digest} AS row

// name: list_json_documents
MATCH (m:Memory {ns: $ns, document_scope: $scope})
USING INDEX SEEK m:Memory(ns, document_scope, document_path, memory_no)
WHERE m.document_path >= $after_path AND m.memory_no IS NOT NULL
WITH m ORDER BY m.ns, m.document_scope, m.document_path, m.memory_no
WHERE m.document_path STARTS WITH $prefix
  AND (m.document_path > $after_path OR m.memory_no > $after_no)
RETURN m {.*} AS row ORDER BY m.ns, m.document_scope, m.document_path, m.memory_no LIMIT $limit

// name: document_paths
MATCH (m:Memory {ns: $ns, document_scope: $scope})
USING INDEX SEEK m:Memory(ns, document_scope, document_path, memory_no)
WHERE m.document_path STARTS WITH $prefix AND m.memory_no IS NOT NULL
WITH DISTINCT m.document_path AS path
RETURN {document_path: path} AS row
