// What a user says is that user's from now on. A namespace that holds something keeps what it had:
// everybody sees everything, until its owner decides otherwise.

// name: keep_shared
MATCH (n:Namespace)
WHERE EXISTS { MATCH (:Session {ns: n.ns}) } OR EXISTS { MATCH (:Memory {ns: n.ns}) }
MERGE (d:Document {ns: n.ns, collection: 'policy', name: ''})
ON CREATE SET d.body = '{"visibility": "shared"}', d.update_time_us = 0,
    d.agent_id = '', d.user_id = '', d.session_id = ''
