package io.spillway.cursor;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Splits as text: opaque, safe in a URL, signed, and self-contained: nothing is kept of a split
 * anywhere else. A token is bound to a job and to the digest of its plan and snapshot, not to a
 * caller: who may read the job is asked when it is used. It has no expiry of its own, the job's
 * counts.
 *
 * <p>A token is {@linkplain SignedText signed text} with the content
 *
 * <pre>
 *   length (1 byte), job id | digest (32 bytes) | offset | limit | kind of range (1 byte) | its numbers
 * </pre>
 *
 * where numbers have 8 bytes, big-endian. The same split under the same key is always the same
 * text, and every other text is refused. Thread-safe.
 */
public final class SplitToken {

    /** Cursors have kind 1, tickets kind 2, leases kind 4. */
    private static final byte KIND = 3;

    private static final int DIGEST_BYTES = 32;
    private static final int MOST_NUMBERS = 5;
    private static final int MAX_CHARACTERS = 399;

    private static final byte ROWS = 0;
    private static final byte INPUT = 1;
    private static final byte SHARE = 2;

    private final SignedText text;

    public SplitToken(KeyRing keys) {
        this.text = new SignedText(keys, KIND, MAX_CHARACTERS);
    }

    /**
     * Signs a split with the newest key. The first call waits for the keys' source.
     *
     * @return fewer than 400 characters out of {@code A-Z a-z 0-9 - _}
     */
    public String encode(Split split) {
        byte[] jobId = split.jobId().getBytes(StandardCharsets.US_ASCII);
        ByteBuffer content =
                ByteBuffer.allocate(
                        1 + jobId.length + DIGEST_BYTES + 1 + (2 + MOST_NUMBERS) * Long.BYTES);
        content.put((byte) jobId.length).put(jobId);
        content.put(HexFormat.of().parseHex(split.digest()));
        content.putLong(split.offset()).putLong(split.limit());
        put(split.range(), content);
        byte[] signed = new byte[content.flip().remaining()];
        content.get(signed);
        return text.sign(signed);
    }

    private static void put(Split.Range range, ByteBuffer out) {
        switch (range) {
            case Split.Rows(long from, long to, long repeatFrom, long repeats, long total) ->
                    out.put(ROWS)
                            .putLong(from)
                            .putLong(to)
                            .putLong(repeatFrom)
                            .putLong(repeats)
                            .putLong(total);
            case Split.Input(int fromPart, long fromRow, int toPart, long toRow) ->
                    out.put(INPUT)
                            .putLong(fromPart)
                            .putLong(fromRow)
                            .putLong(toPart)
                            .putLong(toRow);
            case Split.Share(int number, int of) -> out.put(SHARE).putLong(number).putLong(of);
        }
    }

    /**
     * Reads a token and checks that it was signed here. An unknown key id makes the keys' source be
     * asked again, which may wait.
     *
     * @throws SpillwayException {@code INVALID_SPLIT}, with a sentence that tells a damaged token
     *     from one of another kind or an unknown key
     */
    public Split decode(String token) {
        try {
            return split(text.verify(token));
        } catch (SignedText.Refused e) {
            throw invalid(
                    switch (e.fault()) {
                        case DAMAGED -> "The split is damaged";
                        case OTHER_KIND ->
                                "This is no split, or it was made by another version of the"
                                        + " service";
                        case UNKNOWN_KEY ->
                                "The split is signed with a key that this service does not have";
                    });
        }
    }

    private static Split split(ByteBuffer content) throws SignedText.Refused {
        String jobId = SignedText.text(content);
        try {
            byte[] digest = new byte[DIGEST_BYTES];
            content.get(digest);
            long offset = content.getLong();
            long limit = content.getLong();
            Split.Range range = range(content);
            if (content.hasRemaining()) {
                throw new SignedText.Refused(SignedText.Fault.DAMAGED);
            }
            return new Split(jobId, HexFormat.of().formatHex(digest), range, offset, limit);
        } catch (BufferUnderflowException e) {
            throw new SignedText.Refused(SignedText.Fault.DAMAGED);
        }
    }

    private static Split.Range range(ByteBuffer in) throws SignedText.Refused {
        return switch (in.get()) {
            case ROWS ->
                    new Split.Rows(
                            in.getLong(), in.getLong(), in.getLong(), in.getLong(), in.getLong());
            case INPUT ->
                    new Split.Input(
                            (int) in.getLong(), in.getLong(), (int) in.getLong(), in.getLong());
            case SHARE -> new Split.Share((int) in.getLong(), (int) in.getLong());
            default -> throw new SignedText.Refused(SignedText.Fault.OTHER_KIND);
        };
    }

    /** For a caller who holds a token of a job that has another plan or snapshot. */
    public static SpillwayException invalid(String sentence) {
        return new SpillwayException(ErrorCode.INVALID_SPLIT, sentence);
    }
}
