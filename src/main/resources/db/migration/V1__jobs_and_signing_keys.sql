-- Written in the SQL that H2 and PostgreSQL share.

-- One submitted plan each; everything but expires_at, state, failure and ended_at is written once.
CREATE TABLE job (
    id                 VARCHAR(64)                 NOT NULL,
    owner              VARCHAR(255)                NOT NULL,
    name               TEXT,
    created_at         TIMESTAMP(6) WITH TIME ZONE NOT NULL,
    ttl_millis         BIGINT                      NOT NULL,
    expires_at         TIMESTAMP(6) WITH TIME ZONE NOT NULL,
    state              VARCHAR(16)                 NOT NULL,
    failure            TEXT,
    -- when the job was canceled: its life ends then, whatever expires_at says
    ended_at           TIMESTAMP(6) WITH TIME ZONE,
    request            TEXT                        NOT NULL,
    logical_plan       TEXT                        NOT NULL,
    optimized_plan     TEXT                        NOT NULL,
    physical_plan      TEXT                        NOT NULL,
    digest             VARCHAR(64)                 NOT NULL,
    batch_rows         INTEGER                     NOT NULL,
    memory_limit       BIGINT                      NOT NULL,
    idempotency_key    VARCHAR(255),
    idempotency_digest VARCHAR(128),
    CONSTRAINT job_pk PRIMARY KEY (id),
    -- Rows without a key do not meet each other here: nulls are distinct.
    CONSTRAINT job_idempotency_key UNIQUE (owner, idempotency_key)
);

CREATE INDEX job_by_owner ON job (owner, created_at, id);
CREATE INDEX job_by_expiry ON job (expires_at);

-- Secrets that sign tokens. The highest generation signs, all of them verify; that a generation
-- exists once lets replicas race to make the first.
CREATE TABLE signing_key (
    id         VARCHAR(16)                 NOT NULL,
    generation INTEGER                     NOT NULL,
    secret     VARCHAR(128)                NOT NULL,
    created_at TIMESTAMP(6) WITH TIME ZONE NOT NULL,
    CONSTRAINT signing_key_pk PRIMARY KEY (id),
    CONSTRAINT signing_key_generation UNIQUE (generation)
);
