package io.spillway.delivery.http;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.http.client.InetAddressFilter;

/** Which addresses requests may go to. */
final class AddressRules {

    /**
     * Public addresses: Boot's list of those of special purpose (from the IANA registries) and what
     * it leaves out, a cloud's virtual address for its own services and the segment routing block.
     */
    private static final InetAddressFilter PUBLIC =
            InetAddressFilter.externalAddresses().andNot("168.63.129.16", "5f00::/16");

    /** Addresses that lead to the IPv4 address in their last four bytes (RFC 6052). */
    private static final InetAddressFilter TRANSLATED = InetAddressFilter.of("64:ff9b::/96");

    private static final Pattern HOST_NAME =
            Pattern.compile(
                    "[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*");

    private static final int IPV6_BYTES = 16;
    private static final int IPV4_START = 12;

    private final Set<String> names;
    private final InetAddressFilter ranges;

    private AddressRules(Set<String> names, InetAddressFilter ranges) {
        this.names = names;
        this.ranges = ranges;
    }

    /**
     * @param allowed addresses, CIDR ranges and host names
     * @throws IllegalArgumentException where an entry is none of them
     */
    static AddressRules of(List<String> allowed) {
        Set<String> names = new HashSet<>();
        List<String> ranges = new ArrayList<>();
        for (String entry : allowed) {
            String host = bare(entry);
            if (host.contains("/") || literal(host) != null) {
                ranges.add(host);
            } else if (HOST_NAME.matcher(host).matches()) {
                names.add(host);
            } else {
                throw new IllegalArgumentException(
                        "'" + entry + "' is neither an address nor a CIDR range nor a host name");
            }
        }
        return new AddressRules(
                names,
                ranges.isEmpty()
                        ? InetAddressFilter.none()
                        : InetAddressFilter.of(ranges.toArray(String[]::new)));
    }

    /** Whether a request for this host may go to this address. */
    boolean allows(String host, InetAddress address) {
        InetAddress plain = unmapped(address);
        return names.contains(bare(host)) || ranges.matches(plain) || isPublic(address);
    }

    /** The address that a URL's host is, or null for a name. No name is looked up. */
    static @Nullable InetAddress literal(String host) {
        try {
            return InetAddress.ofLiteral(bare(host));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static boolean isPublic(InetAddress address) {
        if (!(address instanceof Inet6Address)) {
            return PUBLIC.matches(address);
        }
        byte[] bytes = address.getAddress();
        if (startsWithZeros(bytes)) {
            // IPv4-mapped and IPv4-compatible addresses: no server of the Internet has one, but
            // the system may take them for the IPv4 addresses in them.
            return false;
        }
        if (TRANSLATED.matches(address)) {
            return PUBLIC.matches(embedded(bytes));
        }
        return PUBLIC.matches(address);
    }

    /** Whether this is below {@code ::/80}. */
    private static boolean startsWithZeros(byte[] bytes) {
        for (int i = 0; i < IPV4_START - 2; i++) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return true;
    }

    private static InetAddress unmapped(InetAddress address) {
        byte[] bytes = address.getAddress();
        boolean mapped =
                bytes.length == IPV6_BYTES
                        && startsWithZeros(bytes)
                        && bytes[IPV4_START - 2] == -1
                        && bytes[IPV4_START - 1] == -1;
        return mapped ? embedded(bytes) : address;
    }

    private static InetAddress embedded(byte[] bytes) {
        try {
            return InetAddress.getByAddress(Arrays.copyOfRange(bytes, IPV4_START, IPV6_BYTES));
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e); // four bytes are an address
        }
    }

    /** In lower case, without the brackets of a URL and without the dot of the root. */
    private static String bare(String host) {
        String lower = host.strip().toLowerCase(Locale.ROOT);
        if (lower.startsWith("[") && lower.endsWith("]")) {
            return lower.substring(1, lower.length() - 1);
        }
        return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    }
}
