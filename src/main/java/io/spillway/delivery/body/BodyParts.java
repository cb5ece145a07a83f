package io.spillway.delivery.body;

import io.spillway.encode.EncodedChunk;
import io.spillway.group.Cut;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.io.JsonStringEncoder;

/** The parts of a body, one behind the other. */
final class BodyParts {

    private final List<ByteBuffer> parts = new ArrayList<>();
    private final List<EncodedChunk> chunks = new ArrayList<>();

    /** Text that has not become a part yet. */
    private final ByteArrayOutputStream text = new ByteArrayOutputStream();

    /** Adds text that stays as it is. */
    void add(ByteBuffer utf8) {
        if (text.size() == 0) {
            parts.add(utf8);
        } else {
            byte[] copy = new byte[utf8.remaining()];
            utf8.duplicate().get(copy);
            text.writeBytes(copy);
        }
    }

    /** Adds a word, which is to be ASCII. */
    void add(String word) {
        text.writeBytes(word.getBytes(StandardCharsets.US_ASCII));
    }

    /**
     * Adds texts of rows, which are taken over.
     *
     * @param hasCommas whether the first has a comma in front of it, which goes
     */
    void add(List<EncodedChunk> rows, boolean hasCommas) {
        endText();
        int from = hasCommas ? 1 : 0;
        for (EncodedChunk chunk : rows) {
            chunks.add(chunk);
            parts.add(chunk.bytes().nioBuffer(from, chunk.length() - from).asReadOnlyBuffer());
            from = 0;
        }
    }

    private void endText() {
        if (text.size() > 0) {
            parts.add(ByteBuffer.wrap(text.toByteArray()).asReadOnlyBuffer());
            text.reset();
        }
    }

    /** All of it, with the memory that it takes. */
    Body body(Cut cut, String contentType, Allowance memory) {
        endText();
        return new Body(cut, contentType, parts, chunks, memory);
    }

    /** The link to a batch, as a string of JSON. */
    static String link(@Nullable Links links, Cut cut) {
        if (links == null) {
            throw new IllegalStateException("the form has links");
        }
        String link = links.of(cut.firstRow(), cut.rows());
        return '"'
                + new String(
                        JsonStringEncoder.getInstance().quoteAsUTF8(link), StandardCharsets.US_ASCII)
                + '"';
    }
}
