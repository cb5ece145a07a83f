package io.spillway.cursor;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;

/**
 * Cursors as text: opaque, safe in a URL, signed. A token is bound to a job and to the digest of
 * its plan and snapshot, not to a caller: who may read the job is asked when it is used. It has no
 * expiry of its own, the job's counts.
 *
 * <p>A token is base64url (RFC 4648, section 5, no padding) of
 *
 * <pre>
 *   version (1 byte) | length, key id | length, job id | digest (32 bytes) | row number (8 bytes) | tag (16 bytes)
 * </pre>
 *
 * with lengths of one byte and the number in big-endian order. The tag is HMAC-SHA256 (RFC 2104) of
 * all bytes before it, cut to the 128 bits that section 5 of the RFC allows. The same cursor under
 * the same key is always the same text, and every other text is refused. Thread-safe.
 */
public final class CursorToken {

    private static final byte VERSION = 1;
    private static final int DIGEST_BYTES = 32;
    private static final int TAG_BYTES = 16;
    private static final int MAX_CHARACTERS = 200;
    private static final String ALGORITHM = "HmacSHA256";

    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
    private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

    private final KeyRing keys;

    public CursorToken(KeyRing keys) {
        this.keys = keys;
    }

    /**
     * Signs a cursor with the newest key. The first call waits for the keys' source.
     *
     * @return fewer than 200 characters out of {@code A-Z a-z 0-9 - _}
     */
    public String encode(Cursor cursor) {
        SigningKey key = keys.newest();
        byte[] keyId = key.id().getBytes(StandardCharsets.US_ASCII);
        byte[] jobId = cursor.jobId().getBytes(StandardCharsets.US_ASCII);
        int length = 3 + keyId.length + jobId.length + DIGEST_BYTES + Long.BYTES;
        ByteBuffer token =
                ByteBuffer.allocate(length + TAG_BYTES)
                        .put(VERSION)
                        .put((byte) keyId.length)
                        .put(keyId)
                        .put((byte) jobId.length)
                        .put(jobId)
                        .put(HexFormat.of().parseHex(cursor.digest()))
                        .putLong(cursor.rowNumber());
        token.put(tag(key, token.array(), length));
        return ENCODER.encodeToString(token.array());
    }

    /**
     * Reads a token and checks that it was signed here and belongs to a job.
     *
     * @param jobId the job whose rows are asked for
     * @param digest that job's digest
     * @throws SpillwayException {@code INVALID_CURSOR}, with a sentence that tells a damaged token
     *     from one of another version, an unknown key or another job
     */
    public Cursor verify(String token, String jobId, String digest) {
        Cursor cursor = decode(token);
        if (!cursor.jobId().equals(jobId)) {
            throw invalid("The cursor belongs to another job");
        }
        if (!cursor.digest().equals(digest)) {
            throw invalid("The cursor belongs to another plan or snapshot of this job");
        }
        return cursor;
    }

    /**
     * Reads a token and checks that it was signed here. An unknown key id makes the keys' source be
     * asked again, which may wait.
     *
     * @throws SpillwayException {@code INVALID_CURSOR} as for {@link #verify}
     */
    public Cursor decode(String token) {
        byte[] bytes = bytes(token);
        if (bytes[0] != VERSION) {
            throw invalid("The cursor was made by another version of the service, or is damaged");
        }
        int signed = bytes.length - TAG_BYTES;
        ByteBuffer in = ByteBuffer.wrap(bytes, 1, Math.max(0, signed - 1));
        String keyId = text(in);
        SigningKey key = keys.find(keyId);
        if (key == null) {
            throw invalid("The cursor is signed with a key that this service does not have");
        }
        byte[] tag = Arrays.copyOfRange(bytes, signed, bytes.length);
        if (!MessageDigest.isEqual(tag(key, bytes, signed), tag)) {
            throw damaged();
        }
        String jobId = text(in);
        byte[] digest = new byte[DIGEST_BYTES];
        if (in.remaining() != DIGEST_BYTES + Long.BYTES) {
            throw damaged();
        }
        in.get(digest);
        return new Cursor(jobId, HexFormat.of().formatHex(digest), in.getLong());
    }

    /** The token's bytes, at least one; refuses any spelling but the one that encoding makes. */
    private static byte[] bytes(String token) {
        if (token.isEmpty() || token.length() >= MAX_CHARACTERS) {
            throw damaged();
        }
        byte[] bytes;
        try {
            bytes = DECODER.decode(token);
        } catch (IllegalArgumentException e) {
            throw damaged();
        }
        // Unused bits of the last character, and padding, would give one cursor several spellings.
        if (bytes.length == 0 || !ENCODER.encodeToString(bytes).equals(token)) {
            throw damaged();
        }
        return bytes;
    }

    private static String text(ByteBuffer in) {
        int length = in.hasRemaining() ? in.get() : -1;
        if (length <= 0 || length > in.remaining()) {
            throw damaged();
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

    private static SpillwayException damaged() {
        return invalid("The cursor is damaged");
    }

    private static SpillwayException invalid(String sentence) {
        return new SpillwayException(ErrorCode.INVALID_CURSOR, sentence)
                .with(SpillwayException.PARAMETER, "cursor");
    }
}
