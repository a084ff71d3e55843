-- name: get_namespace
SELECT name, incarnation, create_time_us, embedding_model, embedding_dimension
FROM namespaces WHERE name = :name

-- name: put_namespace
INSERT INTO namespaces (name, incarnation, create_time_us, embedding_model, embedding_dimension)
VALUES (:name, :incarnation, :create_time_us, :embedding_model, :embedding_dimension)
ON CONFLICT (name) DO NOTHING

-- name: replace_namespace
UPDATE namespaces SET incarnation = :incarnation, create_time_us = :create_time_us,
    embedding_model = :embedding_model, embedding_dimension = :embedding_dimension
WHERE name = :name AND incarnation = :replaced

-- name: list_namespaces
SELECT name, incarnation, create_time_us, embedding_model, embedding_dimension
FROM namespaces WHERE name > :after ORDER BY name LIMIT :limit

-- name: list_due_namespaces
SELECT n.name, n.incarnation, n.create_time_us, n.embedding_model, n.embedding_dimension
FROM due AS d JOIN namespaces AS n ON n.name = d.name
WHERE d.work = :work AND d.name > :after ORDER BY d.name LIMIT :limit

-- name: set_due
INSERT INTO due (work, name) VALUES (:work, :name) ON CONFLICT DO NOTHING

-- name: clear_due
DELETE FROM due WHERE work = :work AND name = :name
