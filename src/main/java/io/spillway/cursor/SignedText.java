package io.spillway.cursor;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;

/**
 * Signed bytes as text that is safe in a URL: what all tokens have in common. A token is base64url
 * (RFC 4648, section 5, no padding) of
 *
 * <pre>
 *   kind (1 byte) | length (1 byte), key id | content | tag (16 bytes)
 * </pre>
 *
 * The kind tells tokens of one sort and version from all others, so that none is taken for another.
 * The tag is HMAC-SHA256 (RFC 2104) of all bytes before it, cut to the 128 bits that section 5 of
 * the RFC allows. The same content under the same key is always the same text, and every other text
 * is refused. Thread-safe.
 */
final class SignedText {

    /** Why a text is not a token; callers make a sentence of it. */
    enum Fault {
        /** It was not made by this service, or was changed since. */
        DAMAGED,
        /** It may be one of another kind, or of another version of the service. */
        OTHER_KIND,
        /** It names a key that this service does not have. */
        UNKNOWN_KEY
    }

    /** A text is not a token of the kind. Has no stack: callers answer with a sentence. */
    static final class Refused extends Exception {

        private final Fault fault;

        Refused(Fault fault) {
            super(fault.name(), null, false, false);
            this.fault = fault;
        }

        Fault fault() {
            return fault;
        }
    }

    private static final int TAG_BYTES = 16;
    private static final String ALGORITHM = "HmacSHA256";

    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
    private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

    private final KeyRing keys;
    private final byte kind;
    private final int maxCharacters;

    /**
     * Tokens of one kind.
     *
     * @param maxCharacters longer texts are not looked at
     */
    SignedText(KeyRing keys, byte kind, int maxCharacters) {
        this.keys = keys;
        this.kind = kind;
        this.maxCharacters = maxCharacters;
    }

    /** Signs with the newest key. The first call waits for the keys' source. */
    String sign(byte[] content) {
        SigningKey key = keys.newest();
        byte[] keyId = key.id().getBytes(StandardCharsets.US_ASCII);
        int length = 2 + keyId.length + content.length;
        ByteBuffer token =
                ByteBuffer.allocate(length + TAG_BYTES)
                        .put(kind)
                        .put((byte) keyId.length)
                        .put(keyId)
                        .put(content);
        token.put(tag(key, token.array(), length));
        return ENCODER.encodeToString(token.array());
    }

    /**
     * The content of a token that was signed here. An unknown key id makes the keys' source be
     * asked again, which may wait.
     */
    ByteBuffer verify(String token) throws Refused {
        byte[] bytes = bytes(token);
        if (bytes[0] != kind) {
            throw new Refused(Fault.OTHER_KIND);
        }
        int signed = bytes.length - TAG_BYTES;
        ByteBuffer in = ByteBuffer.wrap(bytes, 1, Math.max(0, signed - 1));
        SigningKey key = keys.find(text(in));
        if (key == null) {
            throw new Refused(Fault.UNKNOWN_KEY);
        }
        byte[] tag = Arrays.copyOfRange(bytes, signed, bytes.length);
        if (!MessageDigest.isEqual(tag(key, bytes, signed), tag)) {
            throw new Refused(Fault.DAMAGED);
        }
        return in.slice();
    }

    /** The token's bytes, at least one; refuses any spelling but the one that signing makes. */
    private byte[] bytes(String token) throws Refused {
        if (token.isEmpty() || token.length() > maxCharacters) {
            throw new Refused(Fault.DAMAGED);
        }
        byte[] bytes;
        try {
            bytes = DECODER.decode(token);
        } catch (IllegalArgumentException e) {
            throw new Refused(Fault.DAMAGED);
        }
        // Unused bits of the last character, and padding, would give one token several spellings.
        if (bytes.length == 0 || !ENCODER.encodeToString(bytes).equals(token)) {
            throw new Refused(Fault.DAMAGED);
        }
        return bytes;
    }

    /** ASCII text behind a length of one byte. */
    static String text(ByteBuffer in) throws Refused {
        int length = in.hasRemaining() ? in.get() : -1;
        if (length <= 0 || length > in.remaining()) {
            throw new Refused(Fault.DAMAGED);
        }
        byte[] text = new byte[length];
        in.get(text);
        return new String(text, StandardCharsets.US_ASCII);
    }

    private static byte[] tag(SigningKey key, byte[] bytes, int length) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key.secret());
            mac.update(bytes, 0, length);
            return Arrays.copyOf(mac.doFinal(), TAG_BYTES);
        } catch (GeneralSecurityException e) {
            // Every Java platform has the algorithm, and it takes any key.
            throw new IllegalStateException(e);
        }
    }
}
