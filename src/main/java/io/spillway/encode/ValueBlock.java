package io.spillway.encode;

import io.spillway.batch.OffHeap;
import java.util.Arrays;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.IntVector;

/**
 * Values of one column for a block of rows, copied from Arrow's memory to the heap, where loops
 * over them are fastest. Reused from block to block and from column to column.
 *
 * <p>Values of fixed width lie one after the other in {@link #bytes}, booleans as one byte each;
 * those of other width, and binary of fixed width, from {@link #start} to {@link #end}. What stands
 * in place of a null is undefined. Up to seven bytes behind the last value may be read.
 */
final class ValueBlock {

    /** The most values of a block. */
    static final int ROWS = 256;

    private static final int SLACK = Long.BYTES;
    private static final int MASKS = ROWS / Long.SIZE;

    final byte[] bytes;

    /** How many values are loaded. */
    int size;

    private final long[] valid = new long[MASKS];
    private final long[] booleans = new long[MASKS];
    private final int[] starts = new int[ROWS + 1];
    private final byte[] scratch = new byte[(ROWS + 2) * Integer.BYTES];
    private final int[] gatheredRows = new int[ROWS];
    private boolean gathered;
    private int firstRow;

    /**
     * @param capacity the most bytes that the values of a block may have
     */
    ValueBlock(int capacity) {
        bytes = new byte[capacity + SLACK];
    }

    boolean isNull(int i) {
        return (valid[i >>> 6] >>> i & 1) == 0;
    }

    int start(int i) {
        return starts[i];
    }

    int end(int i) {
        return starts[i + 1];
    }

    /** The row of the batch that a value was loaded for. */
    int row(int i) {
        return gathered ? gatheredRows[i] : firstRow + i;
    }

    /**
     * Loads values {@code [from, from + count)} of a vector.
     *
     * @param row the row of the batch that the first one belongs to
     */
    void load(FieldVector vector, int from, int count, int row) {
        size = count;
        gathered = false;
        firstRow = row;
        loadBits(vector.getValidityBuffer(), from, count, valid);
        ArrowBuf data = vector.getDataBuffer();
        switch (vector) {
            case BitVector _ -> {
                loadBits(data, from, count, booleans);
                for (int i = 0; i < count; i++) {
                    bytes[i] = (byte) (booleans[i >>> 6] >>> i & 1);
                }
            }
            case BaseFixedWidthVector fixed -> {
                int width = fixed.getTypeWidth();
                data.getBytes((long) width * from, bytes, 0, width * count);
                if (fixed instanceof FixedSizeBinaryVector) {
                    for (int i = 0; i <= count; i++) {
                        starts[i] = i * width;
                    }
                }
            }
            case BaseVariableWidthVector variable -> {
                variable.getOffsetBuffer()
                        .getBytes(
                                (long) Integer.BYTES * from,
                                scratch,
                                0,
                                (count + 1) * Integer.BYTES);
                int first = (int) Words.INT.get(scratch, 0);
                for (int i = 0; i <= count; i++) {
                    starts[i] = (int) Words.INT.get(scratch, i * Integer.BYTES) - first;
                }
                data.getBytes(first, bytes, 0, starts[count]);
            }
            default -> throw unknown(vector);
        }
    }

    /**
     * Loads entries of a dictionary.
     *
     * @param indices for rows from {@code row} on: 0 for null, else one more than the entry's index
     * @param positions which of the indices to load
     * @param count how many positions there are
     */
    void gather(FieldVector entries, int[] indices, int[] positions, int count, int row) {
        size = count;
        gathered = true;
        Arrays.fill(valid, 0);
        for (int i = 0; i < count; i++) {
            gatheredRows[i] = row + positions[i];
            valid[i >>> 6] |= (indices[positions[i]] == 0 ? 0L : 1L) << i;
        }
        ArrowBuf data = entries.getDataBuffer();
        switch (entries) {
            case BitVector _ -> {
                for (int i = 0; i < count; i++) {
                    int index = indices[positions[i]];
                    if (index != 0) {
                        int entry = index - 1;
                        bytes[i] = (byte) (data.getByte(entry >>> 3) >>> (entry & 7) & 1);
                    }
                }
            }
            case FixedSizeBinaryVector fixed -> {
                int width = fixed.getTypeWidth();
                starts[0] = 0;
                for (int i = 0; i < count; i++) {
                    int index = indices[positions[i]];
                    starts[i + 1] = starts[i];
                    if (index != 0) {
                        data.getBytes((long) width * (index - 1), bytes, starts[i], width);
                        starts[i + 1] += width;
                    }
                }
            }
            case BaseFixedWidthVector fixed -> {
                int width = fixed.getTypeWidth();
                for (int i = 0; i < count; i++) {
                    int index = indices[positions[i]];
                    if (index != 0) {
                        data.getBytes((long) width * (index - 1), bytes, width * i, width);
                    }
                }
            }
            case BaseVariableWidthVector variable -> {
                starts[0] = 0;
                for (int i = 0; i < count; i++) {
                    int index = indices[positions[i]];
                    int length = index == 0 ? 0 : variable.getValueLength(index - 1);
                    starts[i + 1] = starts[i] + length;
                    if (length > 0) {
                        data.getBytes(variable.getStartOffset(index - 1), bytes, starts[i], length);
                    }
                }
            }
            default -> throw unknown(entries);
        }
    }

    /** Loads a part of one large value that belongs to {@code row}. */
    void loadPart(ArrowBuf data, long at, int length, int row) {
        size = 1;
        gathered = false;
        firstRow = row;
        valid[0] = 1;
        starts[0] = 0;
        starts[1] = length;
        data.getBytes(at, bytes, 0, length);
    }

    /**
     * Reads indices into a dictionary.
     *
     * @param into filled with 0 for each null and one more than the index for all others
     */
    static void loadIndices(IntVector indices, int from, int count, int[] into) {
        long data = indices.getDataBuffer().memoryAddress() + (long) Integer.BYTES * from;
        OffHeap.read(data, into, 0, count);
        for (int i = 0; i < count; i++) {
            into[i]++;
        }
        long validity = indices.getValidityBuffer().memoryAddress();
        for (int i = 0; i < count; i += Long.SIZE) {
            int bits = Math.min(Long.SIZE, count - i);
            long nulls = ~Bits.word(validity, from + i, bits) & Bits.mask(bits);
            for (; nulls != 0; nulls &= nulls - 1) {
                into[i + Long.numberOfTrailingZeros(nulls)] = 0;
            }
        }
    }

    /** Bytes of the values {@code [from, from + count)}, if they can be large; else 0. */
    static long wideBytes(FieldVector vector, int from, int count) {
        return switch (vector) {
            case FixedSizeBinaryVector fixed -> (long) fixed.getTypeWidth() * count;
            case BaseVariableWidthVector variable -> {
                ArrowBuf offsets = variable.getOffsetBuffer();
                yield offsets.getInt((long) Integer.BYTES * (from + count))
                        - offsets.getInt((long) Integer.BYTES * from);
            }
            default -> 0;
        };
    }

    /** Bits {@code [from, from + count)} of a buffer, from bit 0 of the first mask on. */
    private void loadBits(ArrowBuf buffer, int from, int count, long[] masks) {
        int firstByte = from >>> 3;
        int lastByte = (from + count - 1) >>> 3;
        buffer.getBytes(firstByte, scratch, 0, lastByte - firstByte + 1);
        int shift = from & 7;
        for (int i = 0; i < masks.length; i++) {
            long low = (long) Words.LONG.get(scratch, i * Long.BYTES) >>> shift;
            long high = (long) scratch[(i + 1) * Long.BYTES] << (Long.SIZE - 1 - shift) << 1;
            masks[i] = low | high;
        }
    }

    private static IllegalArgumentException unknown(FieldVector vector) {
        return new IllegalArgumentException("a vector of " + vector.getMinorType());
    }
}
