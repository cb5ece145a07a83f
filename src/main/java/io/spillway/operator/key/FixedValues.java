package io.spillway.operator.key;

import io.spillway.batch.ColumnType;
import io.spillway.batch.OffHeap;
import org.apache.arrow.vector.FieldVector;

/**
 * Values of fixed width: integers of any kind and floats as big-endian words whose unsigned order
 * is the values', decimals as two such words, and fixed bytes as they are. Nulls are as wide, and
 * zero.
 */
final class FixedValues extends KeyValues {

    private final ColumnType type;
    private final int bytes;
    private long data;
    private long[] words = new long[0];

    FixedValues(ColumnType type, KeyForm form, boolean marked) {
        super(form, marked);
        this.type = type;
        this.bytes = OrderedBits.bytes(type);
    }

    @Override
    int width() {
        return bytes + (marked ? 1 : 0);
    }

    @Override
    void bind(FieldVector vector) {
        super.bind(vector);
        data = vector.getValueCount() == 0 ? 0 : vector.getDataBuffer().memoryAddress();
    }

    @Override
    int absentLength() {
        return width();
    }

    @Override
    void writeAbsent(long address) {
        super.writeAbsent(address);
        for (int i = 1; i <= bytes; i++) {
            OffHeap.putByte(address + i, (byte) 0);
        }
    }

    @Override
    int length(int row) {
        return width();
    }

    @Override
    void addLengths(int rows, int[] lengths) {
        int width = width();
        for (int i = 0; i < rows; i++) {
            lengths[i] = sum(lengths[i], width);
        }
    }

    @Override
    long write(int row, long address) {
        long at = address;
        if (marked) {
            if (nulls.at(row)) {
                writeAbsent(address);
                return address + width();
            }
            OffHeap.putByte(at++, form.value());
        }
        writeValue(row, at);
        return at + bytes;
    }

    private void writeValue(int row, long at) {
        switch (type) {
            case ColumnType.Decimal _ -> decimal(row, at);
            case ColumnType.FixedBinary _ -> fixedBytes(row, at);
            case ColumnType _ -> word(OrderedBits.of(type, data, row) ^ form.wideMask(), at);
        }
    }

    private void decimal(int row, long at) {
        long from = data + 16L * row;
        long high = OffHeap.getLong(from + 8) ^ Long.MIN_VALUE ^ form.wideMask();
        OffHeap.putLong(at, Long.reverseBytes(high));
        OffHeap.putLong(at + 8, Long.reverseBytes(OffHeap.getLong(from) ^ form.wideMask()));
    }

    private void fixedBytes(int row, long at) {
        long from = data + (long) bytes * row;
        for (int i = 0; i < bytes; i++) {
            OffHeap.putByte(at + i, form.masked(OffHeap.getByte(from + i)));
        }
    }

    private void word(long bits, long at) {
        switch (bytes) {
            case 1 -> OffHeap.putByte(at, (byte) bits);
            case 2 -> OffHeap.putShort(at, Short.reverseBytes((short) bits));
            case 4 -> OffHeap.putInt(at, Integer.reverseBytes((int) bits));
            default -> OffHeap.putLong(at, Long.reverseBytes(bits));
        }
    }

    @Override
    void write(int rows, long base, int[] positions) {
        if (marked) {
            for (int i = 0; i < rows; i++) {
                OffHeap.putByte(base + positions[i], form.value());
            }
        }
        int skip = marked ? 1 : 0;
        switch (type) {
            case ColumnType.Decimal _ -> {
                for (int i = 0; i < rows; i++) {
                    decimal(i, base + positions[i] + skip);
                }
            }
            case ColumnType.FixedBinary _ -> {
                for (int i = 0; i < rows; i++) {
                    fixedBytes(i, base + positions[i] + skip);
                }
            }
            case ColumnType _ -> words(rows, base + skip, positions);
        }
        if (!nulls.none()) {
            for (int i = 0; i < rows; i++) {
                if (nulls.at(i)) {
                    writeAbsent(base + positions[i]);
                }
            }
        }
        int width = width();
        for (int i = 0; i < rows; i++) {
            positions[i] += width;
        }
    }

    private void words(int rows, long base, int[] positions) {
        if (words.length < rows) {
            words = new long[rows];
        }
        OrderedBits.load(type, data, rows, words);
        long mask = form.wideMask();
        switch (bytes) {
            case 1 -> {
                for (int i = 0; i < rows; i++) {
                    OffHeap.putByte(base + positions[i], (byte) (words[i] ^ mask));
                }
            }
            case 2 -> {
                for (int i = 0; i < rows; i++) {
                    OffHeap.putShort(
                            base + positions[i], Short.reverseBytes((short) (words[i] ^ mask)));
                }
            }
            case 4 -> {
                for (int i = 0; i < rows; i++) {
                    OffHeap.putInt(
                            base + positions[i], Integer.reverseBytes((int) (words[i] ^ mask)));
                }
            }
            default -> {
                for (int i = 0; i < rows; i++) {
                    OffHeap.putLong(base + positions[i], Long.reverseBytes(words[i] ^ mask));
                }
            }
        }
    }
}
