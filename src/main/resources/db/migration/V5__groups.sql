-- Written in the SQL that H2 and PostgreSQL share.

-- Readers that share a job's batches. What it was made with never changes; batches are cut one behind
-- the other, from next_row on, and all before committed_row are committed.
CREATE TABLE job_group (
    id                VARCHAR(64)                 NOT NULL,
    job_id            VARCHAR(64)                 NOT NULL,
    name              VARCHAR(64)                 NOT NULL,
    created_at        TIMESTAMP(6) WITH TIME ZONE NOT NULL,
    batch_rows        BIGINT                      NOT NULL,
    max_bytes         BIGINT,
    weight_column     TEXT,
    weight_max        BIGINT,
    drop_last         BOOLEAN                     NOT NULL,
    lease_millis      BIGINT                      NOT NULL,
    -- counts resets: leases of another generation than the latest have no effect
    generation        BIGINT                      NOT NULL,
    next_row          BIGINT                      NOT NULL,
    committed_row     BIGINT                      NOT NULL,
    -- batches that lie before these two rows, of those cut since the last reset
    next_batch        BIGINT                      NOT NULL,
    committed_batches BIGINT                      NOT NULL,
    -- the row after the last batch's last one; NULL until that is known
    end_row           BIGINT,
    CONSTRAINT job_group_pk PRIMARY KEY (id),
    CONSTRAINT job_group_name UNIQUE (job_id, name),
    CONSTRAINT job_group_job FOREIGN KEY (job_id) REFERENCES job (id) ON DELETE CASCADE
);

-- Batches that were handed out. One that is committed, and had one holder only, goes when all before it
-- are committed as well; one that had more holders stays, since those before the last may yet come back.
CREATE TABLE job_lease (
    group_id     VARCHAR(64)  NOT NULL,
    generation   BIGINT       NOT NULL,
    first_row    BIGINT       NOT NULL,
    row_count    BIGINT       NOT NULL,
    -- what made the batch short, if anything did
    short_reason VARCHAR(16),
    -- counts holders: what one does with an epoch that is not the latest has no effect
    epoch        BIGINT       NOT NULL,
    -- how often it was handed out and not given back
    attempts     BIGINT       NOT NULL,
    reader       VARCHAR(255) NOT NULL,
    -- how long its holder has it for sure; NULL if it was given back or is committed
    leased_until TIMESTAMP(6) WITH TIME ZONE,
    committed    BOOLEAN      NOT NULL,
    CONSTRAINT job_lease_pk PRIMARY KEY (group_id, generation, first_row),
    CONSTRAINT job_lease_group FOREIGN KEY (group_id) REFERENCES job_group (id) ON DELETE CASCADE
);

CREATE INDEX job_lease_open ON job_lease (group_id, generation, committed, first_row);
