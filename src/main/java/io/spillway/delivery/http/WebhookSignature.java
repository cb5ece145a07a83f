package io.spillway.delivery.http;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signatures by the Standard Webhooks rules (version 1.0.0, symmetric): HMAC-SHA256 over id, time
 * and body, joined by dots.
 */
final class WebhookSignature {

    private static final String PREFIX = "whsec_";
    private static final String ALGORITHM = "HmacSHA256";
    private static final int FEWEST_KEY_BYTES = 24;
    private static final int MOST_KEY_BYTES = 64;

    private WebhookSignature() {}

    /**
     * The key in a secret's value.
     *
     * @throws SpillwayException INVALID_PLAN; tells nothing of the value
     */
    static byte[] key(String secret) {
        byte[] key;
        try {
            key =
                    Base64.getDecoder()
                            .decode(
                                    secret.substring(
                                            secret.startsWith(PREFIX) ? PREFIX.length() : 0));
        } catch (IllegalArgumentException e) {
            key = new byte[0];
        }
        if (!secret.startsWith(PREFIX)
                || key.length < FEWEST_KEY_BYTES
                || key.length > MOST_KEY_BYTES) {
            throw new SpillwayException(
                    ErrorCode.INVALID_PLAN,
                    "The secret of a webhook must be whsec_ followed by "
                            + FEWEST_KEY_BYTES
                            + " to "
                            + MOST_KEY_BYTES
                            + " bytes in Base64");
        }
        return key;
    }

    /**
     * The value of {@code webhook-signature}.
     *
     * @param timestamp in seconds since 1970
     */
    static String sign(byte[] key, String id, long timestamp, List<ByteBuffer> body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
            for (ByteBuffer part : body) {
                mac.update(part.duplicate());
            }
            return "v1," + Base64.getEncoder().encodeToString(mac.doFinal());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }
}
