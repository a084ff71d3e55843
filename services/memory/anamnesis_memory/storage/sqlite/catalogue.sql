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

-- name: remove_namespace
DELETE FROM namespaces WHERE name = :name AND incarnation = :incarnation

-- name: clear_all_due
DELETE FROM due WHERE name = :name AND work IN (SELECT value FROM json_each(:works))

-- name: list_namespaces
SELECT name, incarnation, create_time_us, embedding_model, embedding_dimension
FROM namespaces WHERE name > :after ORDER BY name LIMIT :limit

-- name: list_due
SELECT d.name, d.work, d.at_us FROM due AS d JOIN namespaces AS n ON n.name = d.name
WHERE d.work IN (SELECT value FROM json_each(:works)) AND d.at_us <= :before_us
ORDER BY d.at_us, d.name, d.work LIMIT :limit

-- name: set_due
INSERT INTO due (work, name, at_us) VALUES (:work, :name, :at_us)
ON CONFLICT (work, name) DO UPDATE SET at_us = min(at_us, excluded.at_us)
RETURNING at_us

-- name: move_due
INSERT INTO due (work, name, at_us) VALUES (:work, :name, :at_us)
ON CONFLICT (work, name) DO UPDATE SET at_us = excluded.at_us

-- name: clear_due
DELETE FROM due WHERE work = :work AND name = :name
