package io.spillway.delivery.body;

import io.spillway.encode.EncodedChunk;
import io.spillway.group.Cut;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
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

    /** Adds a number. */
    void add(long number) {
        text.writeBytes(Long.toString(number).getBytes(StandardCharsets.US_ASCII));
    }

    /** Adds a string, between quotation marks. */
    void add(String string) {
        text.write('"');
        text.writeBytes(JsonStringEncoder.getInstance().quoteAsUTF8(string));
        text.write('"');
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
}
