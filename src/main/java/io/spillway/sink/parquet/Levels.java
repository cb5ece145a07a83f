package io.spillway.sink.parquet;

import io.spillway.batch.OffHeap;
import java.util.Arrays;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;

/**
 * Some rows at one node of a column's type, as the entries that Parquet has there: each with its
 * levels, and the position of its value in the node's vector, or {@link #NONE} where a null or an
 * empty list ends it above. Definition levels of entries that go on are those of everything that is
 * there so far (Dremel's, as the format describes them).
 *
 * <p>Filled anew for every run of rows; the arrays are kept.
 */
final class Levels {

    /** The position of what is not there. */
    static final int NONE = -1;

    private static final int FIRST_CAPACITY = 1_024;

    int count;
    int[] repetition = new int[FIRST_CAPACITY];
    int[] definition = new int[FIRST_CAPACITY];
    int[] position = new int[FIRST_CAPACITY];

    /** Rows {@code [from, to)} of a column, before anything is known of them. */
    void rows(int from, int to) {
        count = to - from;
        reserve(count);
        Arrays.fill(repetition, 0, count, 0);
        Arrays.fill(definition, 0, count, 0);
        for (int i = 0; i < count; i++) {
            position[i] = from + i;
        }
    }

    /**
     * Ends the entries that are null.
     *
     * @param vector of this node, which may have nulls
     */
    void endNulls(FieldVector vector) {
        boolean all = vector.getNullCount() == 0;
        long validity = vector.getValidityBuffer().memoryAddress();
        for (int i = 0; i < count; i++) {
            int at = position[i];
            if (at == NONE) {
                continue;
            }
            if (all || isSet(validity, at)) {
                definition[i]++;
            } else {
                position[i] = NONE;
            }
        }
    }

    /** The elements of this node's lists, as entries of the node below. */
    void elements(ListVector lists, int repetitionLevel, Levels below) {
        long offsets = lists.getOffsetBuffer().memoryAddress();
        below.count = 0;
        for (int i = 0; i < count; i++) {
            int at = position[i];
            int first = at == NONE ? 0 : offset(offsets, at);
            int end = at == NONE ? 0 : offset(offsets, at + 1);
            if (first == end) {
                below.reserve(below.count + 1);
                below.add(repetition[i], definition[i], NONE);
                continue;
            }
            below.reserve(below.count + end - first);
            below.add(repetition[i], definition[i] + 1, first);
            for (int element = first + 1; element < end; element++) {
                below.add(repetitionLevel, definition[i] + 1, element);
            }
        }
    }

    /** The same entries, for a node below that has one value for each of this one's. */
    void copyTo(Levels below) {
        below.count = count;
        below.reserve(count);
        System.arraycopy(repetition, 0, below.repetition, 0, count);
        System.arraycopy(definition, 0, below.definition, 0, count);
        System.arraycopy(position, 0, below.position, 0, count);
    }

    /** Puts the dictionary's entries in the place of their indices. */
    void lookUp(long indices) {
        for (int i = 0; i < count; i++) {
            if (position[i] != NONE) {
                position[i] = OffHeap.getInt(indices + (long) Integer.BYTES * position[i]);
            }
        }
    }

    private void add(int repetitionLevel, int definitionLevel, int at) {
        repetition[count] = repetitionLevel;
        definition[count] = definitionLevel;
        position[count++] = at;
    }

    private void reserve(int entries) {
        if (entries > position.length) {
            int capacity = Math.max(entries, (int) Math.min(2L * position.length, 1 << 30));
            repetition = Arrays.copyOf(repetition, capacity);
            definition = Arrays.copyOf(definition, capacity);
            position = Arrays.copyOf(position, capacity);
        }
    }

    private static int offset(long offsets, int index) {
        return OffHeap.getInt(offsets + (long) Integer.BYTES * index);
    }

    private static boolean isSet(long bits, int index) {
        return (OffHeap.getByte(bits + (index >>> 3)) >>> (index & 7) & 1) != 0;
    }
}
