package io.spillway.web.security;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * An API key, of which only the SHA-256 is known. A plain hash is enough because keys are random
 * and long, so that there is nothing to guess; a key is made with
 *
 * <pre>
 *   key=$(openssl rand -hex 32); printf %s "$key" | openssl dgst -sha256 -r | cut -c1-64
 * </pre>
 */
public final class ApiKey {

    private static final Pattern HASH = Pattern.compile("sha256:([0-9a-fA-F]{64})");

    private final String owner;
    private final byte[] hash;

    private ApiKey(String owner, byte[] hash) {
        this.owner = owner;
        this.hash = hash;
    }

    /**
     * A key by its hash.
     *
     * @param owner to whom the jobs belong that are made with the key
     * @param hash {@code sha256:} and 64 hex digits
     * @throws IllegalArgumentException if either is not of this form; the message does not repeat
     *     the hash, since it may be the key itself
     */
    public static ApiKey of(String owner, String hash) {
        if (!Owners.isValid(owner)) {
            throw new IllegalArgumentException("'" + owner + "' cannot be the owner of an API key");
        }
        var matcher = HASH.matcher(hash);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "The hash of an API key is 'sha256:' and 64 hex digits, never the key itself");
        }
        return new ApiKey(
                owner, HexFormat.of().parseHex(matcher.group(1).toLowerCase(Locale.ROOT)));
    }

    String owner() {
        return owner;
    }

    /** Whether this is the key with that hash; takes the same time whatever the answer. */
    boolean matches(byte[] presentedHash) {
        return MessageDigest.isEqual(hash, presentedHash);
    }

    /** The hash of a key that a caller presents. */
    static byte[] hash(String key) {
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest(key.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            // Every Java platform has it.
            throw new IllegalStateException(e);
        }
    }
}
