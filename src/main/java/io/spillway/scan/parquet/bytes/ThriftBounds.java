package io.spillway.scan.parquet.bytes;

import java.nio.ByteBuffer;

/**
 * Walks a struct in Thrift's compact protocol without reading it: how long is it, and do all the
 * lengths in it stay within the bytes that are there? Thrift itself allocates what a length field
 * asks for before it looks for the bytes; a struct that has passed here makes it allocate no more
 * than a small multiple of its own size.
 *
 * @see <a href="https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md">
 *     Thrift compact protocol</a>
 */
public final class ThriftBounds {

    /** The bytes end before the struct does: more bytes may complete it. */
    static final int INCOMPLETE = -1;

    /** No bytes that follow can make this a struct. */
    public static final int MALFORMED = -2;

    private static final int MAX_DEPTH = 32;

    private static final int BOOL_TRUE = 1;
    private static final int BOOL_FALSE = 2;
    private static final int BYTE = 3;
    private static final int I16 = 4;
    private static final int I32 = 5;
    private static final int I64 = 6;
    private static final int DOUBLE = 7;
    private static final int BINARY = 8;
    private static final int LIST = 9;
    private static final int SET = 10;
    private static final int MAP = 11;
    private static final int STRUCT = 12;
    private static final int UUID = 13;

    private final ByteBuffer bytes;
    private int at;
    private int failure;

    private ThriftBounds(ByteBuffer bytes) {
        this.bytes = bytes;
        this.at = bytes.position();
    }

    /**
     * The length of the struct at the buffer's position, or {@link #INCOMPLETE}, or {@link
     * #MALFORMED}. Leaves the buffer as it is.
     */
    public static int structLength(ByteBuffer bytes) {
        ThriftBounds walk = new ThriftBounds(bytes);
        return walk.struct(0) ? walk.at - bytes.position() : walk.failure;
    }

    private boolean struct(int depth) {
        if (depth > MAX_DEPTH) {
            return fail(MALFORMED);
        }
        while (true) {
            if (at >= bytes.limit()) {
                return fail(INCOMPLETE);
            }
            int field = bytes.get(at++);
            int type = field & 15;
            if (type == 0) {
                return true;
            }
            boolean longId = (field & 0xF0) == 0;
            if (longId && varint() < 0) {
                return false;
            }
            boolean inHeader = type == BOOL_TRUE || type == BOOL_FALSE;
            if (!inHeader && !value(type, depth)) {
                return false;
            }
        }
    }

    private boolean value(int type, int depth) {
        return switch (type) {
            case BOOL_TRUE, BOOL_FALSE, BYTE -> skip(1);
            case I16, I32, I64 -> varint() >= 0;
            case DOUBLE -> skip(8);
            case UUID -> skip(16);
            case BINARY -> {
                long length = varint();
                yield length >= 0 && skip(length);
            }
            case LIST, SET -> list(depth);
            case MAP -> map(depth);
            case STRUCT -> struct(depth + 1);
            default -> fail(MALFORMED);
        };
    }

    private boolean list(int depth) {
        if (at >= bytes.limit()) {
            return fail(INCOMPLETE);
        }
        int header = bytes.get(at++) & 0xFF;
        long size = header >>> 4 == 15 ? varint() : header >>> 4;
        return size >= 0 && elements(size, header & 15, header & 15, depth);
    }

    private boolean map(int depth) {
        long size = varint();
        if (size <= 0) {
            return size == 0;
        }
        if (at >= bytes.limit()) {
            return fail(INCOMPLETE);
        }
        int types = bytes.get(at++) & 0xFF;
        return elements(size, types >>> 4, types & 15, depth);
    }

    /** Elements of alternating types; every one takes a byte at least. */
    private boolean elements(long size, int first, int second, int depth) {
        if (size > Integer.MAX_VALUE || depth >= MAX_DEPTH) {
            return fail(MALFORMED);
        }
        for (long i = 0; i < size; i++) {
            if (!value(first, depth + 1) || (first != second && !value(second, depth + 1))) {
                return false;
            }
        }
        return true;
    }

    private boolean skip(long n) {
        if (n > bytes.limit() - at) {
            return fail(n > Integer.MAX_VALUE ? MALFORMED : INCOMPLETE);
        }
        at += (int) n;
        return true;
    }

    /**
     * An unsigned number; its sign says that reading went wrong. The sign bit of a 64-bit number is
     * dropped, since only lengths are looked at.
     */
    private long varint() {
        long value = 0;
        for (int shift = 0; shift < 70; shift += 7) {
            if (at >= bytes.limit()) {
                fail(INCOMPLETE);
                return -1;
            }
            int b = bytes.get(at++);
            value |= (long) (b & 127) << shift;
            if (b >= 0) {
                return value & Long.MAX_VALUE;
            }
        }
        fail(MALFORMED);
        return -1;
    }

    private boolean fail(int how) {
        failure = how;
        return false;
    }
}
