package io.spillway.expression;

import io.spillway.batch.ColumnType;

/**
 * Texts in memory as values of one type, a column at a time. Each kind has a loop of its own that
 * reads the forms in which values are mostly written straight from the bytes, and gives all others
 * to {@link TextValues}, so that what is read is always what a cast reads.
 */
abstract class TextColumn {

    private final TextValues exact;

    TextColumn(TextValues exact) {
        this.exact = exact;
    }

    static TextColumn of(ColumnType type, TextValues exact) {
        return switch (type) {
            case ColumnType.Bool() -> new NumberColumns.Truths(exact);
            case ColumnType.Int(int bits, boolean signed) when signed && bits >= Integer.SIZE ->
                    new NumberColumns.Integers(bits, exact);
            case ColumnType.FloatingPoint(int bits) when bits == Double.SIZE ->
                    new NumberColumns.Doubles(exact);
            case ColumnType.Decimal decimal -> new NumberColumns.Decimals(decimal, exact);
            case ColumnType.Date() -> new TemporalColumns.Dates(exact);
            case ColumnType.Timestamp(ColumnType.TimeUnit unit, boolean _) ->
                    new TemporalColumns.Timestamps(unit, exact);
            case ColumnType.Int _,
                    ColumnType.FloatingPoint _,
                    ColumnType.Time _,
                    ColumnType.Utf8 _,
                    ColumnType.Binary _,
                    ColumnType.FixedBinary _,
                    ColumnType.ListOf _,
                    ColumnType.Struct _,
                    ColumnType.MapOf _ ->
                    new Exact(exact);
        };
    }

    /** As {@link TextValues#readColumn}. */
    abstract int read(
            long base, int[] starts, int[] lengths, int mask, int rows, long valid, long data);

    /** Reads one text as a cast does. */
    final boolean readExactly(long address, int length, long data, int row) {
        return exact.read(address, length, data, row);
    }

    /** Types that are rarely read from text. */
    private static final class Exact extends TextColumn {

        Exact(TextValues exact) {
            super(exact);
        }

        @Override
        int read(
                long base, int[] starts, int[] lengths, int mask, int rows, long valid, long data) {
            for (int row = 0; row < rows; row++) {
                if (Bits.get(valid, row)
                        && !readExactly(base + starts[row], lengths[row] & mask, data, row)) {
                    return row;
                }
            }
            return rows;
        }
    }
}
