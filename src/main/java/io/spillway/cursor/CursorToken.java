package io.spillway.cursor;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Cursors as text: opaque, safe in a URL, signed. A token is bound to a job and to the digest of
 * its plan and snapshot, not to a caller: who may read the job is asked when it is used. It has no
 * expiry of its own, the job's counts.
 *
 * <p>A token is {@linkplain SignedText signed text} with the content
 *
 * <pre>
 *   length (1 byte), job id | digest (32 bytes) | row number (8 bytes, big-endian)
 * </pre>
 *
 * The same cursor under the same key is always the same text, and every other text is refused.
 * Thread-safe.
 */
public final class CursorToken {

    private static final byte VERSION = 1;
    private static final int DIGEST_BYTES = 32;
    private static final int MAX_CHARACTERS = 199;

    private final SignedText text;

    public CursorToken(KeyRing keys) {
        this.text = new SignedText(keys, VERSION, MAX_CHARACTERS);
    }

    /**
     * Signs a cursor with the newest key. The first call waits for the keys' source.
     *
     * @return fewer than 200 characters out of {@code A-Z a-z 0-9 - _}
     */
    public String encode(Cursor cursor) {
        byte[] jobId = cursor.jobId().getBytes(StandardCharsets.US_ASCII);
        ByteBuffer content =
                ByteBuffer.allocate(1 + jobId.length + DIGEST_BYTES + Long.BYTES)
                        .put((byte) jobId.length)
                        .put(jobId)
                        .put(HexFormat.of().parseHex(cursor.digest()))
                        .putLong(cursor.rowNumber());
        return text.sign(content.array());
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
        try {
            return cursor(text.verify(token));
        } catch (SignedText.Refused e) {
            throw switch (e.fault()) {
                case DAMAGED -> invalid("The cursor is damaged");
                case OTHER_KIND ->
                        invalid(
                                "The cursor was made by another version of the service, or is"
                                        + " damaged");
                case UNKNOWN_KEY ->
                        invalid("The cursor is signed with a key that this service does not have");
            };
        }
    }

    private static Cursor cursor(ByteBuffer content) throws SignedText.Refused {
        String jobId = SignedText.text(content);
        if (content.remaining() != DIGEST_BYTES + Long.BYTES) {
            throw new SignedText.Refused(SignedText.Fault.DAMAGED);
        }
        byte[] digest = new byte[DIGEST_BYTES];
        content.get(digest);
        return new Cursor(jobId, HexFormat.of().formatHex(digest), content.getLong());
    }

    private static SpillwayException invalid(String sentence) {
        return new SpillwayException(ErrorCode.INVALID_CURSOR, sentence)
                .with(SpillwayException.PARAMETER, "cursor");
    }
}
