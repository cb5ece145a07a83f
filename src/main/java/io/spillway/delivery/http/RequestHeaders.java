package io.spillway.delivery.http;

import java.util.Locale;
import java.util.Set;

/** The headers that Spillway itself sets on every request. */
public final class RequestHeaders {

    private static final Set<String> RESERVED =
            Set.of(
                    "host",
                    "content-length",
                    "content-encoding",
                    "transfer-encoding",
                    "connection",
                    "keep-alive",
                    "proxy-connection",
                    "te",
                    "trailer",
                    "upgrade",
                    "expect",
                    "idempotency-key",
                    "traceparent",
                    "tracestate");

    private RequestHeaders() {}

    /** Whether no client may set a header of this name, whatever its case. */
    public static boolean reserved(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return RESERVED.contains(lower)
                || lower.startsWith("webhook-")
                || lower.startsWith("spillway-");
    }
}
