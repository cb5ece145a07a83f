package io.spillway.operator.sort;

import io.spillway.batch.OffHeap;
import io.spillway.operator.key.EncodedKeys;
import io.spillway.operator.key.KeyBytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The rows of some batches by their keys: an entry of 16 bytes a row, a word of its key and where
 * it is.
 *
 * <pre>
 *   word  8 bytes of the key, behind what all keys begin with
 *   place batch in the upper half, row in the lower
 * </pre>
 *
 * Sorting is a radix sort from the most significant byte, out of place and so stable, down to few
 * entries, which are inserted one by one. Entries whose words are equal get the next eight bytes of
 * their keys that differ, and are sorted on (McIlroy, Bostic, McIlroy: "Engineering Radix Sort",
 * Computing Systems 6(1), 1993; caching words of strings as in Sinha, Ring, Zobel: "Cache-efficient
 * String Sorting Using Copying", 2006).
 */
final class KeyIndex implements AutoCloseable {

    /** Bytes that each row takes while it is sorted. */
    static final int BYTES_PER_ROW = 2 * KeyIndex.ENTRY;

    private static final int ENTRY = 16;

    /** So many entries are sorted by insertion. */
    private static final int FEW = 24;

    private static final int VALUES = 256;

    private final List<EncodedKeys> keys;
    private final int count;
    private final int width;
    private final ArrowBuf memory;
    private final long entries;
    private final long spare;

    /** Counters of one level of recursion each. */
    private final List<int[]> counters = new ArrayList<>();

    /**
     * An index in the order of the rows.
     *
     * @param keys of each batch; stay the caller's, and open
     * @param prefix of all keys
     */
    KeyIndex(List<EncodedKeys> keys, KeyPrefix prefix, BufferAllocator allocator) {
        this.keys = keys;
        this.count = keys.stream().mapToInt(EncodedKeys::count).sum();
        this.width = keys.getFirst().width();
        this.memory = allocator.buffer((long) BYTES_PER_ROW * count);
        this.entries = memory.memoryAddress();
        this.spare = entries + (long) ENTRY * count;
        long at = entries;
        for (int b = 0; b < keys.size(); b++) {
            EncodedKeys batch = keys.get(b);
            for (int row = 0; row < batch.count(); row++) {
                OffHeap.putLong(at, word(batch, row, prefix.length()));
                OffHeap.putLong(at + 8, (long) b << 32 | row);
                at += ENTRY;
            }
        }
    }

    private static long word(EncodedKeys keys, int row, int from) {
        return KeyBytes.word(
                keys.address(row) + from, Math.clamp(keys.length(row) - from, 0, Long.BYTES));
    }

    int count() {
        return count;
    }

    /** The batch of an entry's row. */
    int batch(int entry) {
        return (int) (place(entry) >>> 32);
    }

    /** The row of an entry in its batch. */
    int row(int entry) {
        return (int) place(entry);
    }

    private long place(int entry) {
        return OffHeap.getLong(entries + (long) ENTRY * entry + 8);
    }

    private long word(int entry) {
        return OffHeap.getLong(entries + (long) ENTRY * entry);
    }

    /**
     * Sorts all entries.
     *
     * @param prefix what the index was made with
     */
    void sort(KeyPrefix prefix) {
        sort(0, count, prefix.length(), 0, 0);
    }

    /**
     * Sorts entries that agree in the first {@code depth} bytes of their words.
     *
     * @param offset where in the keys the words are from
     * @param level of recursion
     */
    private void sort(int from, int to, int offset, int depth, int level) {
        if (to - from <= FEW) {
            insert(from, to, offset);
            return;
        }
        int[] ends = counters(level);
        int at = depth;
        for (; at < Long.BYTES; at++) {
            if (count(from, to, Long.SIZE - Byte.SIZE * (at + 1), ends) < to - from) {
                break;
            }
        }
        if (at == Long.BYTES) {
            sortOn(from, to, offset, level);
            return;
        }
        scatter(from, to, Long.SIZE - Byte.SIZE * (at + 1), ends);
        int start = from;
        for (int value = 0; value < VALUES; value++) {
            int end = from + ends[value];
            if (end - start > 1) {
                sort(start, end, offset, at + 1, level + 1);
            }
            start = end;
        }
    }

    private int[] counters(int level) {
        if (level == counters.size()) {
            counters.add(new int[VALUES]);
        }
        return counters.get(level);
    }

    /**
     * Counts how many entries have each value of a byte.
     *
     * @return how many have the value that the first one has
     */
    private int count(int from, int to, int shift, int[] counts) {
        Arrays.fill(counts, 0);
        long end = entries + (long) ENTRY * to;
        for (long at = entries + (long) ENTRY * from; at < end; at += ENTRY) {
            counts[(int) (OffHeap.getLong(at) >>> shift) & 0xff]++;
        }
        return counts[(int) (word(from) >>> shift) & 0xff];
    }

    /** Orders entries by a byte; its counts become where each value's entries end. */
    private void scatter(int from, int to, int shift, int[] counts) {
        int sum = 0;
        for (int value = 0; value < VALUES; value++) {
            int own = counts[value];
            counts[value] = sum;
            sum += own;
        }
        long begin = entries + (long) ENTRY * from;
        long end = entries + (long) ENTRY * to;
        for (long at = begin; at < end; at += ENTRY) {
            long word = OffHeap.getLong(at);
            long target = spare + (long) ENTRY * counts[(int) (word >>> shift) & 0xff]++;
            OffHeap.putLong(target, word);
            OffHeap.putLong(target + 8, OffHeap.getLong(at + 8));
        }
        OffHeap.copy(spare, begin, end - begin);
    }

    /** Goes on behind words that are equal. */
    private void sortOn(int from, int to, int offset, int level) {
        int length = length(from);
        int next = offset + Long.BYTES;
        if (length <= next) {
            return; // no key is a prefix of another: these are equal
        }
        long first = address(from);
        for (int i = from + 1; i < to && length > next; i++) {
            length = KeyBytes.mismatch(first, address(i), next, Math.min(length, length(i)));
        }
        if (length == length(from)) {
            return;
        }
        long word = word(from);
        for (int i = from; i < to; i++) {
            setWord(i, word(keys.get(batch(i)), row(i), length));
        }
        sort(from, to, length, 0, level + 1);
        for (int i = from; i < to; i++) {
            setWord(i, word);
        }
    }

    private void setWord(int entry, long word) {
        OffHeap.putLong(entries + (long) ENTRY * entry, word);
    }

    private long address(int entry) {
        return keys.get(batch(entry)).address(row(entry));
    }

    private int length(int entry) {
        return width >= 0 ? width : keys.get(batch(entry)).length(row(entry));
    }

    private void insert(int from, int to, int offset) {
        boolean decided = width >= 0 && width <= offset + Long.BYTES;
        long begin = entries + (long) ENTRY * from;
        long end = entries + (long) ENTRY * to;
        for (long at = begin + ENTRY; at < end; at += ENTRY) {
            long word = OffHeap.getLong(at);
            long place = OffHeap.getLong(at + 8);
            long hole = at;
            for (; hole > begin; hole -= ENTRY) {
                long other = OffHeap.getLong(hole - ENTRY);
                int order = Long.compareUnsigned(other, word);
                if (order < 0) {
                    break;
                }
                long otherPlace = OffHeap.getLong(hole - ENTRY + 8);
                if (order == 0 && (decided || compare(otherPlace, place, offset) <= 0)) {
                    break;
                }
                OffHeap.putLong(hole, other);
                OffHeap.putLong(hole + 8, otherPlace);
            }
            OffHeap.putLong(hole, word);
            OffHeap.putLong(hole + 8, place);
        }
    }

    /** Compares keys whose words are equal. */
    private int compare(long one, long other, int offset) {
        EncodedKeys left = keys.get((int) (one >>> 32));
        EncodedKeys right = keys.get((int) (other >>> 32));
        int leftLength = left.length((int) one);
        int rightLength = right.length((int) other);
        int skip = Math.min(offset + Long.BYTES, Math.min(leftLength, rightLength));
        return KeyBytes.compare(
                left.address((int) one) + skip,
                leftLength - skip,
                right.address((int) other) + skip,
                rightLength - skip);
    }

    @Override
    public void close() {
        memory.close();
    }
}
