package io.spillway.cursor;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;

/**
 * Tickets as text: signed, safe in a URL, and good until they expire. Unlike a cursor a ticket is a
 * credential: whoever has it can read the job's streams.
 *
 * <p>A token is {@linkplain SignedText signed text} with the content
 *
 * <pre>
 *   length (1 byte), job id | expiry (8 bytes, milliseconds since 1970) | owner (UTF-8)
 * </pre>
 *
 * Thread-safe.
 */
public final class TicketToken {

    /** Cursors have kind 1. */
    private static final byte KIND = 2;

    /** Room for an owner's name of 255 characters of four bytes. */
    private static final int MAX_CHARACTERS = 1_600;

    private final SignedText text;
    private final Clock clock;

    public TicketToken(KeyRing keys, Clock clock) {
        this.text = new SignedText(keys, KIND, MAX_CHARACTERS);
        this.clock = clock;
    }

    /** Signs a ticket with the newest key. The first call waits for the keys' source. */
    public String encode(Ticket ticket) {
        byte[] jobId = ticket.jobId().getBytes(StandardCharsets.US_ASCII);
        byte[] owner = ticket.owner().getBytes(StandardCharsets.UTF_8);
        ByteBuffer content =
                ByteBuffer.allocate(1 + jobId.length + Long.BYTES + owner.length)
                        .put((byte) jobId.length)
                        .put(jobId)
                        .putLong(ticket.expiresAt().toEpochMilli())
                        .put(owner);
        return text.sign(content.array());
    }

    /**
     * The ticket, if it was signed here, is this job's, and has not expired. Why it is no good is
     * not told: a caller with a good one does not need it. May wait for the keys' source.
     */
    public Optional<Ticket> verify(String token, String jobId) {
        try {
            return Optional.of(ticket(text.verify(token)))
                    .filter(ticket -> ticket.jobId().equals(jobId))
                    .filter(ticket -> clock.instant().isBefore(ticket.expiresAt()));
        } catch (SignedText.Refused e) {
            return Optional.empty();
        }
    }

    private static Ticket ticket(ByteBuffer content) throws SignedText.Refused {
        String jobId = SignedText.text(content);
        if (content.remaining() < Long.BYTES) {
            throw new SignedText.Refused(SignedText.Fault.DAMAGED);
        }
        Instant expiresAt = Instant.ofEpochMilli(content.getLong());
        return new Ticket(jobId, StandardCharsets.UTF_8.decode(content).toString(), expiresAt);
    }
}
