package io.spillway.delivery.http;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What came of an exchange. */
public sealed interface Answer {

    /** From the start of the attempt to its end. */
    Duration latency();

    /**
     * A complete answer, or one as long as was asked for. One whose body neither ends nor reaches
     * that length in time is a {@link Kind#TIMEOUT}, also after a status of success.
     *
     * @param retryAfter the header's text, see {@link RetryAfter}
     * @param body decompressed where the endpoint compressed it by gzip or deflate; at most as many
     *     bytes as were asked for
     * @param truncated whether there was more than that
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Response(
            int status,
            @Nullable String retryAfter,
            @Nullable String contentType,
            byte[] body,
            boolean truncated,
            Duration latency)
            implements Answer {}

    /**
     * No answer.
     *
     * @param message for the owner of the delivery; tells neither addresses nor secrets
     */
    record Failure(Kind kind, String message, Duration latency) implements Answer {}

    /** Why there was no answer. */
    enum Kind {
        /** The time limit of the exchange passed. */
        TIMEOUT,
        /** No connection came about. */
        CONNECT,
        /** The connection ended before the answer did. */
        RESET,
        /** The certificate does not verify, or no common version of TLS exists. */
        TLS,
        /** The host's name could not be resolved. */
        NAME,
        /** The host has only addresses to which nothing may be sent. */
        NOT_ALLOWED,
        /** The answer is not HTTP. */
        PROTOCOL,
        /** A secret is missing, or the token endpoint gave no token. */
        CREDENTIALS,
        /** The sender gave it up itself. */
        ABORTED
    }
}
