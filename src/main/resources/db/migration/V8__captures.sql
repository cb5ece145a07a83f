-- Written in the SQL that H2 and PostgreSQL share.

-- Where the values are that were captured out of the answer to a batch, as long as they are of use.
CREATE TABLE delivery_capture (
    delivery_id VARCHAR(64) NOT NULL,
    first_row   BIGINT      NOT NULL,
    place       TEXT        NOT NULL,
    CONSTRAINT delivery_capture_pk PRIMARY KEY (delivery_id, first_row),
    CONSTRAINT delivery_capture_delivery FOREIGN KEY (delivery_id) REFERENCES delivery (id) ON DELETE CASCADE
);

-- Datasets that deliveries make, which are there for their owners when the deliveries are gone.
CREATE TABLE captured_dataset (
    owner       VARCHAR(255)                NOT NULL,
    name        VARCHAR(255)                NOT NULL,
    delivery_id VARCHAR(64)                 NOT NULL,
    -- the file; NULL until it is whole: the name is taken then already
    uri         TEXT,
    row_count   BIGINT,
    bytes       BIGINT,
    created_at  TIMESTAMP(6) WITH TIME ZONE NOT NULL,
    CONSTRAINT captured_dataset_pk PRIMARY KEY (owner, name),
    CONSTRAINT captured_dataset_delivery UNIQUE (delivery_id)
);
