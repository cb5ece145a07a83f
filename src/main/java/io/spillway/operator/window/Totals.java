package io.spillway.operator.window;

import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.List;
import org.apache.arrow.vector.FieldVector;

/** What {@link Sliding} adds up. */
final class Totals {

    private Totals() {}

    /** The sum or the mean of numbers. */
    static Sliding.Total numbers(WindowCall call, ColumnType argument, String name) {
        int column = call.arguments().getFirst();
        boolean mean = call.function() == WindowFunction.AVG;
        return argument instanceof ColumnType.FloatingPoint
                ? new Reals(column, argument, mean)
                : new Exact(column, argument, mean, name);
    }

    /** How many rows have no null among some columns. */
    static Sliding.Total count(List<Integer> columns) {
        return new Count(columns.stream().mapToInt(Integer::intValue).toArray());
    }

    private static final class Exact implements Sliding.Total {

        private final int column;
        private final NumberValue value;
        private final ColumnType type;
        private final boolean mean;
        private final String name;
        private final ExactSum sum = new ExactSum();
        private long count;

        Exact(int column, ColumnType type, boolean mean, String name) {
            this.column = column;
            this.value = new NumberValue(type);
            this.type = type;
            this.mean = mean;
            this.name = name;
        }

        @Override
        public void reset() {
            sum.reset();
            count = 0;
        }

        @Override
        public void change(Reader reader, int row, boolean add) {
            if (!value.load(reader.plain(column), row)) {
                return;
            }
            if (add) {
                sum.add(value.low(), value.high());
                count++;
            } else {
                sum.subtract(value.low(), value.high());
                count--;
            }
        }

        @Override
        public void put(int row, Output out) {
            if (count == 0) {
                return;
            }
            boolean decimal = type instanceof ColumnType.Decimal;
            if (mean) {
                int scale = type instanceof ColumnType.Decimal(int _, int digits) ? digits : 0;
                out.putDouble(row, sum.mean(count, scale));
            } else if (decimal ? sum.fitsDecimal() : sum.fitsLong()) {
                if (decimal) {
                    out.putWide(row, sum.low(), sum.middle());
                } else {
                    out.putLong(row, sum.low());
                }
            } else {
                throw new SpillwayException(
                                ErrorCode.ARITHMETIC_OVERFLOW,
                                "A sum of column '%s' does not fit %s"
                                        .formatted(name, decimal ? "38 digits" : "int64"))
                        .with(SpillwayException.COLUMN, name);
            }
        }
    }

    private static final class Reals implements Sliding.Total {

        private final int column;
        private final NumberValue value;
        private final boolean mean;
        private final RealSum sum = new RealSum();
        private long count;

        Reals(int column, ColumnType type, boolean mean) {
            this.column = column;
            this.value = new NumberValue(type);
            this.mean = mean;
        }

        @Override
        public void reset() {
            sum.reset();
            count = 0;
        }

        @Override
        public void change(Reader reader, int row, boolean add) {
            if (!value.load(reader.plain(column), row)) {
                return;
            }
            if (add) {
                sum.add(value.real());
                count++;
            } else {
                sum.subtract(value.real());
                count--;
            }
        }

        @Override
        public void put(int row, Output out) {
            if (count > 0) {
                out.putDouble(row, mean ? sum.value() / count : sum.value());
            }
        }
    }

    private static final class Count implements Sliding.Total {

        private final int[] columns;
        private long count;

        Count(int[] columns) {
            this.columns = columns;
        }

        @Override
        public void reset() {
            count = 0;
        }

        @Override
        public void change(Reader reader, int row, boolean add) {
            for (int column : columns) {
                boolean absent =
                        switch (reader.batch().column(column)) {
                            case ColumnVector.Plain(FieldVector vector) -> vector.isNull(row);
                            case ColumnVector.Encoded encoded -> encoded.indices().isNull(row);
                        };
                if (absent) {
                    return;
                }
            }
            count += add ? 1 : -1;
        }

        @Override
        public void put(int row, Output out) {
            out.putLong(row, count);
        }
    }
}
