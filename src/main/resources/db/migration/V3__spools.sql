-- Written in the SQL that H2 and PostgreSQL share.

-- Results that are computed once and written to files. A row is there before the first of its files is
-- written and until the last one is deleted, also when its job is gone: so it refers to no job.
CREATE TABLE job_spool (
    job_id       VARCHAR(64)                 NOT NULL,
    number       INTEGER                     NOT NULL,
    -- counts builders: what one does with an epoch that is not the latest has no effect
    epoch        BIGINT                      NOT NULL,
    -- how long the builder has the right to go on; NULL if nobody builds
    leased_until TIMESTAMP(6) WITH TIME ZONE,
    -- what the result consists of; NULL until it is complete
    manifest     TEXT,
    bytes        BIGINT                      NOT NULL,
    CONSTRAINT job_spool_pk PRIMARY KEY (job_id, number)
);
