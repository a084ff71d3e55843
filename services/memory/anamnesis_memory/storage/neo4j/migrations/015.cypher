// A model may word the label of a topic.

// name: label_model
// Some at a time, until none is left.
MATCH (t:Topic) WHERE t.label_model IS NULL
WITH t LIMIT 10000
SET t.label_model = '', t.label_member_count = 0
WITH count(*) AS set WHERE set > 0
RETURN {set: set} AS row
