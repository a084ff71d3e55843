-- Which memories an answer speaks of: without it, letting go of answers reads every mention.
CREATE INDEX request_memories_by_request ON request_memories (method, request_id);

-- Mentions whose answer went with another memory of the same request.
DELETE FROM request_memories WHERE (method, request_id) NOT IN (
    SELECT method, request_id FROM requests);
