package io.spillway.operator.sort;

import io.spillway.batch.OffHeap;
import io.spillway.operator.key.EncodedKeys;
import io.spillway.operator.key.KeyBytes;
import io.spillway.operator.key.KeyEncoder;
import org.jspecify.annotations.Nullable;

/** The next row of a part, with its key. */
final class Cursor implements AutoCloseable {

    /** The place of a block from which no row has been picked. */
    static final int UNPICKED = -1;

    private final SortedPart part;
    private final KeyEncoder encoder;
    private final int skip;
    private @Nullable Block block;
    private @Nullable EncodedKeys keys;
    private @Nullable RowSizes sizes;
    private int rows;
    private int row = -1;
    private long address;
    private int length;

    /** The block's place among those from which rows are picked. */
    private int place = UNPICKED;

    /**
     * A cursor before the first row.
     *
     * @param part stays the caller's
     * @param skip bytes that all keys which are compared begin with
     */
    Cursor(SortedPart part, SortShape shape, int skip) {
        this.part = part;
        this.encoder = shape.encoder();
        this.skip = skip;
    }

    /**
     * Goes on to the next row.
     *
     * @return false if there is none
     */
    boolean advance() {
        row++;
        EncodedKeys own = keys;
        while (own == null || row >= rows) {
            own = nextBlock();
            if (own == null) {
                return false;
            }
        }
        address = own.address(row);
        length = own.length(row);
        return true;
    }

    private @Nullable EncodedKeys nextBlock() {
        dropBlock();
        Block next = part.next();
        if (next == null) {
            return null;
        }
        block = next;
        keys = encoder.encode(next.batch());
        RowSizes all = new RowSizes(next.batch());
        sizes = all;
        rows = next.batch().rowCount();
        row = next.first();
        return keys;
    }

    private void dropBlock() {
        Block old = block;
        block = null;
        sizes = null;
        place = UNPICKED;
        if (old != null) {
            old.close();
        }
        dropKeys();
    }

    private void dropKeys() {
        EncodedKeys old = keys;
        keys = null;
        if (old != null) {
            old.close();
        }
    }

    /** The block of the row; there is one after each advance that found a row. */
    Block block() {
        Block now = block;
        if (now == null) {
            throw new IllegalStateException("no row");
        }
        return now;
    }

    int row() {
        return row;
    }

    int place() {
        return place;
    }

    void setPlace(int newPlace) {
        place = newPlace;
    }

    /** Bytes of the row in plain form. */
    long rowBytes() {
        RowSizes now = sizes;
        return now == null ? 0 : now.of(row);
    }

    int keyLength() {
        return length;
    }

    /** Eight bytes of the key, such that words compare, signed, as the keys do. */
    long word() {
        return KeyBytes.word(address + skip, Math.min(Long.BYTES, length - skip)) ^ Long.MIN_VALUE;
    }

    /** A copy of the key. */
    byte[] key() {
        byte[] copy = new byte[length];
        OffHeap.read(address, copy, 0, length);
        return copy;
    }

    /** Compares the keys of rows whose words are equal. */
    static int compare(Cursor one, Cursor other) {
        int past = Math.min(one.skip + Long.BYTES, Math.min(one.length, other.length));
        return KeyBytes.compare(
                one.address + past, one.length - past, other.address + past, other.length - past);
    }

    /** Gives the rest of the block back to the part, which goes on with this row. */
    @Override
    public void close() {
        Block rest = block;
        block = null;
        if (rest != null) {
            rest.setFirst(row);
        }
        part.giveBack(rest);
        dropKeys();
        encoder.close();
    }
}
