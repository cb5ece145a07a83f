package io.spillway.delivery.http;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.net.URI;
import java.util.List;
import java.util.Locale;

/**
 * Where requests may go. Addresses of this machine, of private networks and of other special
 * purpose are refused unless allowed by name.
 *
 * @param allowHttp whether requests may go in clear, without TLS
 * @param allowedTargets beside all public addresses: addresses, CIDR ranges, or host names, which
 *     are allowed whatever they resolve to
 */
public record TargetRules(boolean allowHttp, List<String> allowedTargets) {

    public TargetRules {
        allowedTargets = List.copyOf(allowedTargets);
    }

    /**
     * Checks what can be told from the text: scheme, host, port, and literal addresses. Names are
     * resolved, and their addresses checked, on every attempt.
     *
     * @throws SpillwayException TARGET_NOT_ALLOWED; tells nothing about the network
     */
    public void check(URI uri) {
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("https") && !(scheme.equals("http") && allowHttp)) {
            throw new SpillwayException(
                    ErrorCode.TARGET_NOT_ALLOWED,
                    allowHttp
                            ? "The URL must begin with https:// or http://"
                            : "The URL must begin with https://");
        }
    }
}
