package io.spillway.cursor;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Links to batches of deliveries as text: opaque, safe in a URL, signed. Whoever has one may read
 * the batch, for as long as the job store says so.
 *
 * <p>A token is {@linkplain SignedText signed text} with the content
 *
 * <pre>
 *   length (1 byte), delivery id | first row | rows (8 bytes each, big-endian)
 * </pre>
 *
 * Thread-safe.
 */
public final class LinkToken {

    /** Cursors have kind 1, tickets 2, splits 3, leases 4. */
    private static final byte KIND = 5;

    private static final int NUMBERS = 2 * Long.BYTES;

    /** The longest token, in characters. */
    public static final int MAX_CHARACTERS = 200;

    private final SignedText text;

    public LinkToken(KeyRing keys) {
        this.text = new SignedText(keys, KIND, MAX_CHARACTERS);
    }

    /**
     * Signs a link with the newest key. The first call waits for the keys' source.
     *
     * @return at most {@value #MAX_CHARACTERS} characters out of {@code A-Z a-z 0-9 - _}
     */
    public String encode(BatchLink link) {
        byte[] delivery = link.delivery().getBytes(StandardCharsets.US_ASCII);
        ByteBuffer content =
                ByteBuffer.allocate(1 + delivery.length + NUMBERS)
                        .put((byte) delivery.length)
                        .put(delivery)
                        .putLong(link.firstRow())
                        .putLong(link.rows());
        return text.sign(content.array());
    }

    /**
     * Reads a token and checks that it was signed here. An unknown key id makes the keys' source be
     * asked again, which may wait.
     *
     * @throws SpillwayException {@code UNKNOWN_LINK}
     */
    public BatchLink decode(String token) {
        try {
            return link(text.verify(token));
        } catch (SignedText.Refused e) {
            throw new SpillwayException(ErrorCode.UNKNOWN_LINK, "This is no link of this service");
        }
    }

    private static BatchLink link(ByteBuffer content) throws SignedText.Refused {
        String delivery = SignedText.text(content);
        if (content.remaining() != NUMBERS) {
            throw new SignedText.Refused(SignedText.Fault.DAMAGED);
        }
        return new BatchLink(delivery, content.getLong(), content.getLong());
    }
}
