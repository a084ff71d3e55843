// Documents that callers name.

// name: named_documents
UNWIND $digests AS digest
MATCH (m:Memory {ns: $ns, digest: digest})
USING INDEX SEEK m:Memory(ns, digest)
WHERE m.document_scope IS NOT NULL
RETURN m {.*} AS row ORDER BY m.memory_no

// name: list_json_documents
MATCH (m:Memory {ns: $ns, document_scope: $scope})
USING INDEX SEEK m:Memory(ns, document_scope, document_path)
WHERE m.document_path STARTS WITH $prefix AND m.memory_no > $after
RETURN m {.*} AS row ORDER BY m.memory_no LIMIT $limit

// name: document_paths
MATCH (m:Memory {ns: $ns, document_scope: $scope})
USING INDEX SEEK m:Memory(ns, document_scope, document_path)
WHERE m.document_path STARTS WITH $prefix
WITH DISTINCT m.document_path AS path
RETURN {path: path} AS row
