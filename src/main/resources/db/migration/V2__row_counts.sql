-- Written in the SQL that H2 and PostgreSQL share.

-- How many rows a job has, once that is known. NULL before.
ALTER TABLE job ADD COLUMN row_count BIGINT;

-- Where a job's rows are, for jobs that had to be counted: what a process learns in place of counting
-- again. In a table of its own, since a job is looked at far more often than it is counted.
CREATE TABLE job_counts (
    job_id VARCHAR(64) NOT NULL,
    counts TEXT        NOT NULL,
    CONSTRAINT job_counts_pk PRIMARY KEY (job_id),
    CONSTRAINT job_counts_job FOREIGN KEY (job_id) REFERENCES job (id) ON DELETE CASCADE
);
