-- Written in the SQL that H2 and PostgreSQL share.

-- Where an export failed: file, row, column and their like, as a JSON object.
ALTER TABLE job_export ADD COLUMN failure_context TEXT;

-- A repeated request with the key of a former one finds that one's export.
ALTER TABLE job_export ADD COLUMN idempotency_key VARCHAR(255);
ALTER TABLE job_export ADD COLUMN idempotency_digest VARCHAR(128);
ALTER TABLE job_export ADD CONSTRAINT job_export_idempotency_key UNIQUE (owner, idempotency_key);
