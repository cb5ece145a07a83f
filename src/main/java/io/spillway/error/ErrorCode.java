package io.spillway.error;

import java.util.Locale;

/**
 * The stable codes of everything that can go wrong. A code is part of the interface: its {@link
 * #slug()} is the last part of a problem's {@code type}. A user's mistake and a fault of the
 * machine never share a code.
 */
public enum ErrorCode {
    // The request as a document
    MALFORMED_JSON(Kind.INVALID, "The body is not valid JSON"),
    INVALID_PLAN(Kind.INVALID, "The plan is not valid"),
    INVALID_EXPRESSION(Kind.INVALID, "An expression is not valid"),
    UNKNOWN_COLUMN(Kind.INVALID, "A column does not exist"),
    DUPLICATE_COLUMN(Kind.INVALID, "Two columns have one name"),
    TYPE_MISMATCH(Kind.INVALID, "A value has the wrong type"),
    NOT_SUPPORTED(Kind.INVALID, "This is not supported"),
    PLAN_TOO_LARGE(Kind.INVALID, "The plan is larger than the limit"),
    PLAN_TOO_DEEP(Kind.INVALID, "The plan is nested deeper than the limit"),
    INVALID_PARAMETER(Kind.INVALID, "A parameter is not valid"),
    INVALID_CURSOR(Kind.INVALID, "The cursor is damaged or belongs to another job"),
    INVALID_EVENT_ID(Kind.INVALID, "The event id is damaged or belongs to another job"),
    INVALID_SPLIT(Kind.INVALID, "The split is damaged or belongs to another service"),
    INVALID_LEASE(Kind.INVALID, "The lease is damaged or belongs to another service"),

    // Values met while rows are computed
    ARITHMETIC_OVERFLOW(Kind.UNPROCESSABLE, "A result does not fit its type"),
    DIVISION_BY_ZERO(Kind.UNPROCESSABLE, "Division by zero"),
    INVALID_CAST(Kind.UNPROCESSABLE, "A value cannot be converted"),
    TOO_MANY_ROWS(Kind.UNPROCESSABLE, "A sub-query in place of a value gives more than one row"),
    INVALID_TEXT(Kind.UNPROCESSABLE, "A text is not valid UTF-8"),

    // Inputs
    UNKNOWN_DATASET(Kind.INVALID, "The dataset does not exist"),
    PATH_NOT_ALLOWED(Kind.FORBIDDEN, "The path is not below an allowed root"),
    FILE_NOT_FOUND(Kind.UNPROCESSABLE, "A file does not exist"),
    FILE_ACCESS_DENIED(Kind.UNPROCESSABLE, "A file may not be read by this service"),
    FILE_CORRUPT(Kind.UNPROCESSABLE, "A file is corrupt"),
    FILE_NOT_SUPPORTED(Kind.UNPROCESSABLE, "A file uses a feature that is not supported"),
    SCHEMA_MISMATCH(Kind.UNPROCESSABLE, "Files of one dataset differ in their schema"),
    SOURCE_CHANGED(Kind.CONFLICT, "An input file changed since the job was submitted"),
    READ_FAILED(Kind.INTERNAL, "A file could not be read"),
    WRITE_FAILED(Kind.INTERNAL, "A file could not be written"),
    TARGET_EXISTS(Kind.CONFLICT, "What is to be written is there already"),

    // Jobs
    UNKNOWN_JOB(Kind.NOT_FOUND, "The job does not exist"),
    UNKNOWN_BATCH(Kind.NOT_FOUND, "The batch does not exist"),
    UNKNOWN_RESOURCE(Kind.NOT_FOUND, "The resource does not exist"),
    JOB_EXPIRED(Kind.GONE, "The job has expired"),
    JOB_CANCELED(Kind.GONE, "The job was canceled"),
    UNKNOWN_EXPORT(Kind.NOT_FOUND, "The export does not exist"),
    TOO_MANY_EXPORTS(Kind.BUSY, "Too many exports are under way"),
    UNKNOWN_GROUP(Kind.NOT_FOUND, "The consumer group does not exist"),
    TOO_MANY_GROUPS(Kind.BUSY, "The job has too many consumer groups"),
    GROUP_CONFLICT(Kind.CONFLICT, "The consumer group was made with other settings"),
    GROUP_DONE(Kind.GONE, "All batches of the consumer group are committed"),
    LEASE_LOST(Kind.CONFLICT, "The batch is not leased to this holder any more"),
    DATASET_EXISTS(Kind.CONFLICT, "There is a dataset of that name already"),
    UNKNOWN_DELIVERY(Kind.NOT_FOUND, "The delivery does not exist"),
    TOO_MANY_DELIVERIES(Kind.BUSY, "Too many deliveries are open"),
    DELIVERY_ENDED(Kind.CONFLICT, "The delivery has ended"),
    TARGET_NOT_ALLOWED(Kind.INVALID, "Requests may not be sent to this address"),
    UNKNOWN_SECRET(Kind.INVALID, "A secret does not exist"),
    UNKNOWN_LINK(Kind.NOT_FOUND, "The link leads nowhere, or not any more"),
    ROW_COUNT_UNKNOWN(Kind.CONFLICT, "The rows of the job are not counted yet"),
    IDEMPOTENCY_CONFLICT(Kind.UNPROCESSABLE, "The Idempotency-Key was used with another body"),
    TOO_MANY_JOBS(Kind.BUSY, "Too many jobs are open"),
    TOO_MANY_READERS(Kind.BUSY, "Too many readers are open"),

    // Callers
    UNAUTHENTICATED(Kind.UNAUTHENTICATED, "Credentials are missing or wrong"),
    AUTHENTICATION_UNAVAILABLE(Kind.UNAVAILABLE, "Credentials cannot be checked now"),
    ACCESS_DENIED(Kind.FORBIDDEN, "Access is denied"),
    NOT_ACCEPTABLE(Kind.NOT_ACCEPTABLE, "No format that is accepted can be produced"),
    UNSUPPORTED_MEDIA_TYPE(Kind.UNSUPPORTED_MEDIA_TYPE, "The body's media type is not supported"),
    METHOD_NOT_ALLOWED(Kind.METHOD_NOT_ALLOWED, "The method is not allowed here"),
    BODY_TOO_LARGE(Kind.TOO_LARGE, "The body is larger than the limit"),

    // The machine
    MEMORY_LIMIT(Kind.STORAGE, "The work does not fit in its memory limit"),
    DISK_FULL(Kind.STORAGE, "There is no room on the disk for what the work writes"),
    CANCELED(Kind.GONE, "The work was canceled"),
    STORE_FAILED(Kind.UNAVAILABLE, "The job store does not answer"),
    SHUTTING_DOWN(Kind.UNAVAILABLE, "The service is shutting down"),
    INTERNAL(Kind.INTERNAL, "An unexpected error");

    /** What sort of answer a code asks for; the web layer maps it to a status. */
    public enum Kind {
        INVALID,
        UNAUTHENTICATED,
        FORBIDDEN,
        NOT_FOUND,
        METHOD_NOT_ALLOWED,
        NOT_ACCEPTABLE,
        UNSUPPORTED_MEDIA_TYPE,
        CONFLICT,
        GONE,
        TOO_LARGE,
        UNPROCESSABLE,
        BUSY,
        STORAGE,
        UNAVAILABLE,
        INTERNAL
    }

    private final Kind kind;
    private final String title;

    ErrorCode(Kind kind, String title) {
        this.kind = kind;
        this.title = title;
    }

    public Kind kind() {
        return kind;
    }

    /** A short, fixed sentence without the particulars of one occurrence. */
    public String title() {
        return title;
    }

    /** The code as clients see it: lower case with hyphens, for example {@code unknown-column}. */
    public String slug() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
