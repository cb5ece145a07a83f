package io.spillway.delivery.http;

import io.netty.buffer.ByteBuf;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/** Takes the body of an answer, and opens it if it is compressed, up to a limit each. */
final class AnswerBody {

    private static final int FIRST_BYTES = 256;

    private final int limit;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(FIRST_BYTES);
    private boolean truncated;

    AnswerBody(int limit) {
        this.limit = limit;
    }

    /**
     * Takes what has come.
     *
     * @return whether enough has come: more than the limit
     */
    boolean add(ByteBuf part) throws IOException {
        int taken = Math.min(part.readableBytes(), limit - bytes.size());
        truncated |= part.readableBytes() > taken;
        part.readBytes(bytes, taken);
        return truncated;
    }

    /** What came, opened where its coding is known. */
    Opened open(@Nullable String coding) {
        byte[] raw = bytes.toByteArray();
        if (raw.length == 0 || coding == null) {
            return new Opened(raw, truncated);
        }
        return switch (coding.strip().toLowerCase(Locale.ROOT)) {
            case "gzip", "x-gzip" -> open(raw, GZIPInputStream::new);
            case "deflate" -> open(raw, InflaterInputStream::new);
            default -> new Opened(raw, truncated);
        };
    }

    /** What can be opened is kept where the end is missing or damaged. */
    private Opened open(byte[] raw, Opening opening) {
        ByteArrayOutputStream opened = new ByteArrayOutputStream(raw.length);
        byte[] part = new byte[1 << 13];
        try (InputStream in = opening.open(new ByteArrayInputStream(raw))) {
            while (opened.size() < limit) {
                int read = in.read(part, 0, Math.min(part.length, limit - opened.size()));
                if (read < 0) {
                    return new Opened(opened.toByteArray(), truncated);
                }
                opened.write(part, 0, read);
            }
            return new Opened(opened.toByteArray(), truncated || in.read() >= 0);
        } catch (IOException e) {
            return new Opened(opened.toByteArray(), true);
        }
    }

    @FunctionalInterface
    private interface Opening {
        InputStream open(InputStream compressed) throws IOException;
    }

    /**
     * @param truncated whether there was more
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Opened(byte[] bytes, boolean truncated) {}
}
