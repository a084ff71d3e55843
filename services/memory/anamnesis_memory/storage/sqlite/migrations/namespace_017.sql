-- An event and what is remembered of it belong to the day of who said it.
ALTER TABLE events ADD COLUMN utc_offset_minutes INTEGER;
ALTER TABLE memories ADD COLUMN utc_offset_minutes INTEGER;
