-- The highest number of a memory that was deleted. Without it the next memory would get that number
-- again, and a listing that had come this far would pass it over.
INSERT INTO meta (key, value) VALUES ('deleted_memory_no', 0);
