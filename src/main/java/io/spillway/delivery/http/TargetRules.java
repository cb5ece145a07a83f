package io.spillway.delivery.http;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.net.InetAddress;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Where requests may go. Addresses of this machine, of private networks and of other special
 * purpose are refused unless allowed by name.
 *
 * @param allowHttp whether requests may go in clear, without TLS
 * @param allowedTargets beside all public addresses: addresses, CIDR ranges, or host names, which
 *     are allowed whatever they resolve to
 */
public record TargetRules(boolean allowHttp, List<String> allowedTargets) {

    private static final int LAST_PORT = 65_535;

    /** Hosts that some would take for an IPv4 address: those that end in a number (WHATWG URL). */
    private static final Pattern NUMERIC =
            Pattern.compile("(.*\\.)?([0-9]+|0[xX][0-9a-fA-F]*)\\.?");

    private static final Pattern FOUR_NUMBERS =
            Pattern.compile("(0|[1-9][0-9]{0,2})(\\.(0|[1-9][0-9]{0,2})){3}");

    /**
     * @throws IllegalArgumentException where an entry is neither address nor range nor host name
     */
    public TargetRules {
        allowedTargets = List.copyOf(allowedTargets);
        AddressRules.of(allowedTargets);
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
            throw refused(
                    allowHttp
                            ? "The URL must begin with https:// or http://"
                            : "The URL must begin with https://");
        }
        if (uri.getRawUserInfo() != null) {
            throw refused("The URL must not contain a user or a password");
        }
        if (uri.getRawFragment() != null) {
            throw refused("The URL must not have a fragment");
        }
        if (uri.getPort() == 0 || uri.getPort() > LAST_PORT) {
            throw refused("The URL's port must be between 1 and " + LAST_PORT);
        }
        String host = uri.getHost();
        if (host == null || host.isEmpty()) {
            throw refused("The URL must name a host, or an address in its usual form");
        }
        checkLiteral(host);
    }

    private void checkLiteral(String host) {
        if (NUMERIC.matcher(host).matches() && !FOUR_NUMBERS.matcher(host).matches()) {
            throw refused("The URL's address must be written as four decimal numbers");
        }
        if (host.contains("%")) {
            throw refused("The URL's address must not have a zone");
        }
        InetAddress address = AddressRules.literal(host);
        if (address != null && !AddressRules.of(allowedTargets).allows(host, address)) {
            throw refused("Requests may not be sent to this address");
        }
    }

    private static SpillwayException refused(String message) {
        return new SpillwayException(ErrorCode.TARGET_NOT_ALLOWED, message);
    }
}
