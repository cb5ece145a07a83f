package io.spillway.scan.ndjson;

import io.spillway.batch.OffHeap;
import io.spillway.memory.MemoryPool;
import io.spillway.memory.MemoryReservation;
import io.spillway.scan.text.TextFault;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * The objects of some lines, one after the other, by one parser over a copy of the lines on the
 * heap. Sees to it that each line holds exactly one object.
 */
final class JsonRows implements AutoCloseable {

    /** How deep arrays and objects may stand in each other. */
    private static final int MAX_DEPTH = 500;

    private static final JsonFactory FACTORY =
            JsonFactory.builder()
                    .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxNestingDepth(MAX_DEPTH)
                                    .maxStringLength(Integer.MAX_VALUE)
                                    .build())
                    .build();

    /** What becomes of each object. */
    interface Taker {

        /**
         * Reads an object.
         *
         * @param parser at the object's beginning; to be left at its end
         */
        void take(JsonRows rows, JsonParser parser);
    }

    private final @Nullable MemoryPool pool;
    private @Nullable MemoryReservation held;
    private byte[] bytes = new byte[0];
    private long base;
    private long line;

    /**
     * @param pool counts the copy; null if the caller does
     */
    JsonRows(@Nullable MemoryPool pool) {
        this.pool = pool;
    }

    /**
     * Hands on the objects of lines.
     *
     * @throws TextFault for a line that does not hold one object
     */
    void read(JsonLines lines, int count, Taker taker) {
        if (count == 0) {
            return;
        }
        base = lines.start(0);
        line = base;
        int length = (int) (lines.end(count - 1) - base);
        copy(length);
        try (JsonParser parser =
                FACTORY.createParser(ObjectReadContext.empty(), bytes, 0, length)) {
            for (int row = 0; row < count; row++) {
                line = lines.start(row);
                JsonToken first = parser.nextToken();
                if (first != JsonToken.START_OBJECT) {
                    throw TextFault.corrupt(line, "is not a JSON object");
                }
                taker.take(this, parser);
                check(offset(parser), (int) (lines.end(row) - base));
            }
        } catch (JacksonException e) {
            throw TextFault.corrupt(line, "is not valid JSON: " + e.getOriginalMessage());
        }
    }

    /** Nothing but blanks may stand between an object and the end of its line. */
    private void check(int at, int end) {
        if (at > end) {
            throw TextFault.corrupt(line, "has a JSON object that does not end in it");
        }
        for (int i = at; i < end; i++) {
            if (bytes[i] != ' ' && bytes[i] != '\t' && bytes[i] != '\r') {
                throw TextFault.corrupt(line, "has something behind its JSON object");
            }
        }
    }

    /** Bytes of the lines that the parser has read. */
    static int offset(JsonParser parser) {
        return (int) parser.currentLocation().getByteOffset();
    }

    /** Where the parser's token begins. */
    static int tokenOffset(JsonParser parser) {
        return (int) parser.currentTokenLocation().getByteOffset();
    }

    /** The address of the line that is being read. */
    long line() {
        return line;
    }

    /** The address in memory of a byte of the lines. */
    long address(int offset) {
        return base + offset;
    }

    private void copy(int length) {
        if (bytes.length < length) {
            close();
            if (pool != null) {
                held = pool.account(length);
            }
            bytes = new byte[length];
        }
        OffHeap.read(base, bytes, 0, length);
    }

    @Override
    public void close() {
        MemoryReservation there = held;
        if (there != null) {
            held = null;
            there.close();
        }
        bytes = new byte[0];
    }
}
