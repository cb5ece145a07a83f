package io.spillway.encode;

import io.spillway.batch.OffHeap;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.arrow.vector.BaseVariableWidthVector;

/** Which pairs of a map are the last with their key. */
final class LastOfKey {

    /** Up to so many keys, comparing all with all is cheapest. */
    private static final int FEW = 8;

    /** More pairs have more text than an array of bytes can hold. */
    private static final int MOST = 1 << 28;

    /** A larger table is not kept for the next map. */
    private static final int KEPT = 1 << 12;

    /** So that no file can hold keys that were made to meet in one slot. */
    private static final long SEED = ThreadLocalRandom.current().nextLong();

    private final BitSet dropped = new BitSet();
    private boolean any;

    /** Positions of keys, each one more than it is; 0 is empty. */
    private int[] table = new int[0];

    private long offsets;
    private long data;

    /**
     * Looks at the keys {@code [from, to)}, which are those of one map. Takes up to 12 bytes a pair
     * while it does.
     *
     * @throws SpillwayException {@code MEMORY_LIMIT} for a map whose text would be too long
     */
    void find(BaseVariableWidthVector keys, int from, int to) {
        if (any) {
            dropped.clear();
            any = false;
        }
        if (to - from < 2) {
            return;
        }
        offsets = keys.getOffsetBuffer().memoryAddress() + (long) Integer.BYTES * from;
        data = keys.getDataBuffer().memoryAddress();
        if (to - from <= FEW) {
            compareAll(to - from);
        } else {
            hash(to - from);
        }
    }

    /** Whether no later pair has the same key. */
    boolean is(int position) {
        return !any || !dropped.get(position);
    }

    private void compareAll(int count) {
        for (int i = 0; i < count - 1; i++) {
            for (int k = i + 1; k < count; k++) {
                if (same(i, k)) {
                    drop(i);
                    break;
                }
            }
        }
    }

    /** From the last to the first, so that whatever is found again came earlier. */
    private void hash(int count) {
        if (count > MOST) {
            throw new SpillwayException(
                            ErrorCode.MEMORY_LIMIT,
                            "A map has over %,d pairs, which no row's text can hold"
                                    .formatted(MOST))
                    .with(SpillwayException.LIMIT, MOST);
        }
        // Two thirds full at most.
        int size = Integer.highestOneBit(count + count / 2) << 1;
        if (table.length < size) {
            table = new int[size];
        } else {
            Arrays.fill(table, 0, size, 0);
        }
        for (int i = count - 1; i >= 0; i--) {
            int slot = hashOf(i) & size - 1;
            while (table[slot] != 0 && !same(i, table[slot] - 1)) {
                slot = slot + 1 & size - 1;
            }
            if (table[slot] == 0) {
                table[slot] = i + 1;
            } else {
                drop(i);
            }
        }
        if (table.length > KEPT) {
            table = new int[0];
        }
    }

    private void drop(int position) {
        dropped.set(position);
        any = true;
    }

    private int start(int i) {
        return OffHeap.getInt(offsets + (long) Integer.BYTES * i);
    }

    private boolean same(int a, int b) {
        int length = start(a + 1) - start(a);
        if (length != start(b + 1) - start(b)) {
            return false;
        }
        long x = data + start(a);
        long y = data + start(b);
        int i = 0;
        for (; i + Long.BYTES <= length; i += Long.BYTES) {
            if (OffHeap.getLong(x + i) != OffHeap.getLong(y + i)) {
                return false;
            }
        }
        for (; i < length; i++) {
            if (OffHeap.getByte(x + i) != OffHeap.getByte(y + i)) {
                return false;
            }
        }
        return true;
    }

    private int hashOf(int key) {
        long at = data + start(key);
        int length = start(key + 1) - start(key);
        long hash = SEED ^ length;
        int i = 0;
        for (; i + Long.BYTES <= length; i += Long.BYTES) {
            hash = mix(hash ^ OffHeap.getLong(at + i));
        }
        for (; i < length; i++) {
            hash = mix(hash ^ OffHeap.getUnsignedByte(at + i));
        }
        return (int) (hash ^ hash >>> Integer.SIZE);
    }

    private static long mix(long x) {
        long y = x * 0x9e3779b97f4a7c15L;
        return y ^ y >>> 29;
    }
}
