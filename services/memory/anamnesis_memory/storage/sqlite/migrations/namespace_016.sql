-- A model may word the label of a topic.
ALTER TABLE topics ADD COLUMN label_model TEXT NOT NULL DEFAULT '';
ALTER TABLE topics ADD COLUMN label_member_count INTEGER NOT NULL DEFAULT 0;
