package io.spillway.delivery.http;

/**
 * What follows from an answer for the batch:
 *
 * <pre>
 *   2xx                                    DELIVERED
 *   1xx, 408, 425, 5xx, no answer          RETRY      counts as a failed attempt
 *   429                                    THROTTLED  waits, counted apart
 *   413                                    TOO_LARGE
 *   410                                    STOP
 *   3xx, other 4xx, not allowed, TLS       REJECTED
 * </pre>
 */
public enum Outcome {
    /** The endpoint has the batch. */
    DELIVERED,
    /** To be sent again later; a failed attempt. */
    RETRY,
    /** To be sent again later, at the endpoint's wish; no failed attempt. */
    THROTTLED,
    /** Too large for the endpoint: to be halved, or a dead letter. */
    TOO_LARGE,
    /** The endpoint wants nothing more of this delivery, ever. */
    STOP,
    /** It would not be taken another time either: a dead letter. */
    REJECTED;

    private static final int REQUEST_TIMEOUT = 408;
    private static final int GONE = 410;
    private static final int CONTENT_TOO_LARGE = 413;
    private static final int TOO_EARLY = 425;
    private static final int TOO_MANY_REQUESTS = 429;

    /** What follows from this answer. */
    public static Outcome of(Answer answer) {
        return switch (answer) {
            case Answer.Response response -> ofStatus(response.status());
            case Answer.Failure failure -> ofFailure(failure.kind());
        };
    }

    private static Outcome ofStatus(int status) {
        if (status >= 200 && status < 300) {
            return DELIVERED;
        }
        boolean informational = status < 200;
        boolean serverError = status >= 500 && status < 600;
        if (informational || serverError) {
            return RETRY;
        }
        return switch (status) {
            case REQUEST_TIMEOUT, TOO_EARLY -> RETRY;
            case TOO_MANY_REQUESTS -> THROTTLED;
            case CONTENT_TOO_LARGE -> TOO_LARGE;
            case GONE -> STOP;
            default -> REJECTED;
        };
    }

    private static Outcome ofFailure(Answer.Kind kind) {
        return switch (kind) {
            case TIMEOUT, CONNECT, RESET, NAME, PROTOCOL, CREDENTIALS, ABORTED -> RETRY;
            case TLS, NOT_ALLOWED -> REJECTED;
        };
    }
}
