-- Who could see a memory that was deleted: they alone are told. Empty: deleted before this.

ALTER TABLE deletions ADD COLUMN scope TEXT NOT NULL DEFAULT '';
