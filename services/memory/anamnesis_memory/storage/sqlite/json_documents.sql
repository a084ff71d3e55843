-- Documents that callers name. `:until` is behind every path that begins with `:prefix`.

-- name: named_documents
SELECT m.*, asked.value AS named FROM json_each(:digests) AS asked
JOIN memories AS m ON m.digest = unhex(asked.value)
WHERE m.document_scope IS NOT NULL

-- name: list_json_documents
SELECT m.* FROM memories AS m
WHERE m.document_scope = :scope AND (m.document_path, m.memory_no) > (:after_path, :after_no)
  AND m.document_path < :until
ORDER BY m.document_path, m.memory_no LIMIT :limit

-- name: document_paths
SELECT DISTINCT m.document_path FROM memories AS m
WHERE m.document_scope = :scope AND m.document_path >= :prefix AND m.document_path < :until
ORDER BY m.document_path
