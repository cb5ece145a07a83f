-- Written in the SQL that H2 and PostgreSQL share.

-- Rows of jobs that are written as files elsewhere. What an export has written that is not to be seen
-- yet is named after its id and epoch, so whoever takes it over, or cancels it, finds that.
CREATE TABLE job_export (
    id             VARCHAR(64)                 NOT NULL,
    owner          VARCHAR(255)                NOT NULL,
    job_id         VARCHAR(64)                 NOT NULL,
    created_at     TIMESTAMP(6) WITH TIME ZONE NOT NULL,
    path           TEXT                        NOT NULL,
    overwrite      BOOLEAN                     NOT NULL,
    max_file_rows  BIGINT,
    max_file_bytes BIGINT,
    state          VARCHAR(16)                 NOT NULL,
    -- its owner wants it no more: whoever has it, or has it next, cleans up
    canceled       BOOLEAN                     NOT NULL,
    -- counts those who write it: what one does with an epoch that is not the latest has no effect
    epoch          BIGINT                      NOT NULL,
    -- how often it was begun and not given back
    attempts       INTEGER                     NOT NULL,
    leased_until   TIMESTAMP(6) WITH TIME ZONE,
    rows_written   BIGINT                      NOT NULL,
    bytes_written  BIGINT                      NOT NULL,
    -- its files, as JSON; NULL until they are about to be seen
    files          TEXT,
    failure_code   VARCHAR(64),
    failure        TEXT,
    ended_at       TIMESTAMP(6) WITH TIME ZONE,
    CONSTRAINT job_export_pk PRIMARY KEY (id),
    CONSTRAINT job_export_job FOREIGN KEY (job_id) REFERENCES job (id) ON DELETE CASCADE
);

CREATE INDEX job_export_by_owner ON job_export (owner, created_at, id);
CREATE INDEX job_export_by_state ON job_export (state, created_at);
