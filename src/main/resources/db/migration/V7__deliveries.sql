-- Written in the SQL that H2 and PostgreSQL share.

-- Processes that deliver. What one has whose time is over is anybody's.
CREATE TABLE delivery_holder (
    id           VARCHAR(64)                 NOT NULL,
    leased_until TIMESTAMP(6) WITH TIME ZONE NOT NULL,
    CONSTRAINT delivery_holder_pk PRIMARY KEY (id)
);

-- Rows of jobs that are sent elsewhere in batches. All batches before committed_row are settled:
-- delivered, or dead letters.
CREATE TABLE delivery (
    id                 VARCHAR(64)                 NOT NULL,
    owner              VARCHAR(255)                NOT NULL,
    job_id             VARCHAR(64)                 NOT NULL,
    created_at         TIMESTAMP(6) WITH TIME ZONE NOT NULL,
    -- as JSON; secrets stand in it by their names
    request            TEXT                        NOT NULL,
    state              VARCHAR(32)                 NOT NULL,
    -- why it is in that state, if it did not come there by itself or at its owner's wish
    reason             VARCHAR(64),
    reason_message     TEXT,
    reason_context     TEXT,
    ended_at           TIMESTAMP(6) WITH TIME ZONE,
    -- the process that sends its batches; NULL for none
    holder             VARCHAR(64),
    -- counts those who had it: what one does with an epoch that is not the latest has no effect
    epoch              BIGINT                      NOT NULL,
    -- somebody else than its holder has changed it
    attention          BOOLEAN                     NOT NULL,
    committed_row      BIGINT                      NOT NULL,
    -- the row behind the last batch's last one; NULL until that is known
    end_row            BIGINT,
    -- rows behind it that make no batch
    dropped_rows       BIGINT                      NOT NULL,
    delivered_batches  BIGINT                      NOT NULL,
    delivered_rows     BIGINT                      NOT NULL,
    dead_batches       BIGINT                      NOT NULL,
    dead_rows          BIGINT                      NOT NULL,
    waiting_batches    BIGINT                      NOT NULL,
    next_attempt_at    TIMESTAMP(6) WITH TIME ZONE,
    attempts           BIGINT                      NOT NULL,
    failed_attempts    BIGINT                      NOT NULL,
    rows_per_second    DOUBLE PRECISION            NOT NULL,
    -- since when nothing was delivered though it was tried; NULL if the last attempt delivered
    failing_since      TIMESTAMP(6) WITH TIME ZONE,
    idempotency_key    VARCHAR(255),
    idempotency_digest VARCHAR(128),
    CONSTRAINT delivery_pk PRIMARY KEY (id),
    CONSTRAINT delivery_idempotency_key UNIQUE (owner, idempotency_key),
    CONSTRAINT delivery_job FOREIGN KEY (job_id) REFERENCES job (id) ON DELETE CASCADE
);

CREATE INDEX delivery_by_owner ON delivery (owner, created_at, id);
CREATE INDEX delivery_by_state ON delivery (state, created_at);
CREATE INDEX delivery_by_holder ON delivery (holder, attention);

-- Batches of which more is to be known than that they lie before committed_row. State: WAITING for its
-- next attempt; DEAD letter, which stays; DELIVERED behind committed_row, where neighbours become one.
CREATE TABLE delivery_batch (
    delivery_id     VARCHAR(64)                 NOT NULL,
    first_row       BIGINT                      NOT NULL,
    row_count       BIGINT                      NOT NULL,
    state           VARCHAR(16)                 NOT NULL,
    failures        INTEGER                     NOT NULL,
    -- attempts that the target put off, which count as no failures
    throttled       INTEGER                     NOT NULL,
    next_attempt_at TIMESTAMP(6) WITH TIME ZONE,
    -- the last failure
    reason          VARCHAR(64),
    message         TEXT,
    status          INTEGER,
    response_head   TEXT,
    changed_at      TIMESTAMP(6) WITH TIME ZONE NOT NULL,
    CONSTRAINT delivery_batch_pk PRIMARY KEY (delivery_id, first_row),
    CONSTRAINT delivery_batch_delivery FOREIGN KEY (delivery_id) REFERENCES delivery (id) ON DELETE CASCADE
);

CREATE INDEX delivery_batch_by_state ON delivery_batch (delivery_id, state, first_row);

-- Attempts, the latest ones, and all that are kept of batches that became dead letters.
CREATE TABLE delivery_attempt (
    delivery_id     VARCHAR(64)                 NOT NULL,
    number          BIGINT                      NOT NULL,
    first_row       BIGINT                      NOT NULL,
    row_count       BIGINT                      NOT NULL,
    attempt         INTEGER                     NOT NULL,
    started_at      TIMESTAMP(6) WITH TIME ZONE NOT NULL,
    latency_micros  BIGINT                      NOT NULL,
    outcome         VARCHAR(32)                 NOT NULL,
    status          INTEGER,
    message         TEXT,
    next_attempt_at TIMESTAMP(6) WITH TIME ZONE,
    kept            BOOLEAN                     NOT NULL,
    CONSTRAINT delivery_attempt_pk PRIMARY KEY (delivery_id, number),
    CONSTRAINT delivery_attempt_delivery FOREIGN KEY (delivery_id) REFERENCES delivery (id) ON DELETE CASCADE
);

CREATE INDEX delivery_attempt_by_batch ON delivery_attempt (delivery_id, first_row);
