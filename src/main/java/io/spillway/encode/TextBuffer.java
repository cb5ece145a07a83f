package io.spillway.encode;

import io.spillway.batch.OffHeap;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.Arrays;

/**
 * Text that grows, on the heap. Writers reserve room first, then write to {@link #bytes} from
 * {@link #end} on and move {@code end}; after a reservation they may touch up to {@link #SLACK}
 * bytes more than they asked for, since they write whole words.
 */
final class TextBuffer {

    /** Bytes that are always there behind what was reserved. */
    static final int SLACK = 96;

    private static final int LARGEST = Integer.MAX_VALUE - 2 * SLACK;

    byte[] bytes;
    int end;

    TextBuffer(int capacity) {
        bytes = new byte[capacity + SLACK];
    }

    /** Bytes that fit without growing. */
    int capacity() {
        return bytes.length - SLACK;
    }

    /**
     * Sees to it that {@code more} bytes fit behind the end.
     *
     * @throws SpillwayException {@code MEMORY_LIMIT} if the text would be longer than an array
     */
    void reserve(long more) {
        long needed = end + more;
        if (needed <= capacity()) {
            return;
        }
        if (needed > LARGEST) {
            throw new SpillwayException(
                            ErrorCode.MEMORY_LIMIT,
                            "A row's text is longer than %,d bytes".formatted(LARGEST))
                    .with(SpillwayException.LIMIT, LARGEST);
        }
        long roomy = Math.min(LARGEST, Math.max(needed, capacity() + (capacity() >> 1)));
        bytes = Arrays.copyOf(bytes, (int) roomy + SLACK);
    }

    /** Gives back what is above a capacity; the text is lost then. */
    void trim(int capacity) {
        if (capacity() > capacity) {
            bytes = new byte[capacity + SLACK];
            end = 0;
        }
    }

    /** A copy of the text. */
    byte[] toByteArray() {
        return Arrays.copyOf(bytes, end);
    }

    /** Appends one character of ASCII. */
    void append(char c) {
        reserve(1);
        bytes[end++] = (byte) c;
    }

    void append(byte[] text) {
        append(text, 0, text.length);
    }

    void append(byte[] text, int from, int length) {
        reserve(length);
        System.arraycopy(text, from, bytes, end, length);
        end += length;
    }

    /** Appends text that lies at an address. */
    void append(long address, int length) {
        reserve(length);
        OffHeap.read(address, bytes, end, length);
        end += length;
    }

    /** Appends a text that is short as a rule, out of an array with slack of its own. */
    void appendShort(byte[] text, int from, int length) {
        if (length > SLACK) {
            append(text, from, length);
            return;
        }
        reserve(length);
        for (int i = 0; i < length; i += Long.BYTES) {
            Words.LONG.set(bytes, end + i, (long) Words.LONG.get(text, from + i));
        }
        end += length;
    }
}
