// Facts that stand alone, and names that nobody is known by, are told anew when it is opened.

// name: retell
MATCH (n:Namespace)
WHERE EXISTS { MATCH (m:Memory {ns: n.ns, kind: 'semantic'}) WHERE m.fact_id IS NULL }
    OR EXISTS { MATCH (m:Memory {ns: n.ns}) WHERE size(m.entities) > 0
        AND NOT EXISTS { MATCH (m)-[:MENTIONS]->() } }
MERGE (d:Document {ns: n.ns, collection: 'upgrade', name: 'knowledge'})
ON CREATE SET d.body = '{}', d.update_time_us = 0,
    d.agent_id = '', d.user_id = '', d.session_id = ''
