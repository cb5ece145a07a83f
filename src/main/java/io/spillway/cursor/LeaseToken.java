package io.spillway.cursor;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Leases as text: opaque, safe in a URL, signed. A token says which claim it is, and not whether
 * that still counts, which only the job store knows; nor does it stand for a caller: who may use
 * the job is asked when it is used.
 *
 * <p>A token is {@linkplain SignedText signed text} with the content
 *
 * <pre>
 *   length (1 byte), job id | length (1 byte), group
 *   | generation | first row | epoch (8 bytes each, big-endian)
 * </pre>
 *
 * Thread-safe.
 */
public final class LeaseToken {

    /** Cursors have kind 1, tickets 2, splits 3. */
    private static final byte KIND = 4;

    private static final int NUMBERS = 3 * Long.BYTES;

    /** Room for two identifiers of 64 characters. */
    private static final int MAX_CHARACTERS = 300;

    private final SignedText text;

    public LeaseToken(KeyRing keys) {
        this.text = new SignedText(keys, KIND, MAX_CHARACTERS);
    }

    /**
     * Signs a lease with the newest key. The first call waits for the keys' source.
     *
     * @return at most 300 characters out of {@code A-Z a-z 0-9 - _}
     */
    public String encode(LeaseRef lease) {
        byte[] jobId = lease.jobId().getBytes(StandardCharsets.US_ASCII);
        byte[] group = lease.group().getBytes(StandardCharsets.US_ASCII);
        ByteBuffer content =
                ByteBuffer.allocate(2 + jobId.length + group.length + NUMBERS)
                        .put((byte) jobId.length)
                        .put(jobId)
                        .put((byte) group.length)
                        .put(group)
                        .putLong(lease.generation())
                        .putLong(lease.firstRow())
                        .putLong(lease.epoch());
        return text.sign(content.array());
    }

    /**
     * Reads a token and checks that it was signed here. An unknown key id makes the keys' source be
     * asked again, which may wait.
     *
     * @throws SpillwayException {@code INVALID_LEASE}, with a sentence that tells a damaged token
     *     from one of another kind or of an unknown key
     */
    public LeaseRef decode(String token) {
        try {
            return lease(text.verify(token));
        } catch (SignedText.Refused e) {
            throw new SpillwayException(
                    ErrorCode.INVALID_LEASE,
                    switch (e.fault()) {
                        case DAMAGED -> "The lease is damaged";
                        case OTHER_KIND ->
                                "This is no lease, or one of another version of the service";
                        case UNKNOWN_KEY ->
                                "The lease is signed with a key that this service does not have";
                    });
        }
    }

    private static LeaseRef lease(ByteBuffer content) throws SignedText.Refused {
        String jobId = SignedText.text(content);
        String group = SignedText.text(content);
        if (content.remaining() != NUMBERS) {
            throw new SignedText.Refused(SignedText.Fault.DAMAGED);
        }
        return new LeaseRef(
                jobId, group, content.getLong(), content.getLong(), content.getLong());
    }
}
