package io.spillway.expression;

import io.spillway.batch.ColumnType;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Sums, differences, products, quotients and remainders of integers. A result that does not fit is
 * an error, never a wrap. Values of null rows are undefined, so they may seem to overflow: a block
 * in which anything does is looked at again row by row.
 */
final class IntegerArithmetic implements Value {

    private final ArithmeticOperator operator;
    private final LongOperand left;
    private final LongOperand right;
    private final ColumnType.Int type;
    private final Field field;
    private final IntegerRange range;

    IntegerArithmetic(ArithmeticOperator operator, Value left, Value right, ColumnType.Int type) {
        this.operator = operator;
        this.left = new LongOperand(left);
        this.right = new LongOperand(right);
        this.type = type;
        this.field = Vectors.field(type);
        this.range = new IntegerRange(type);
    }

    @Override
    public ColumnType type() {
        return type;
    }

    @Override
    public boolean total() {
        return false;
    }

    @Override
    public Operand evaluate(Input input) {
        int rows = input.rows();
        Scratch scratch = input.scratch();
        try (LongOperand.Rows l = left.open(input);
                LongOperand.Rows r = right.open(input);
                FixedOutput out = new FixedOutput(field, rows, input.allocator())) {
            Bits.fill(out.validity(), rows, true);
            l.restrict(out.validity(), rows);
            r.restrict(out.validity(), rows);
            for (int from = 0; from < rows; from += Scratch.BLOCK) {
                int count = Math.min(Scratch.BLOCK, rows - from);
                l.load(from, count, scratch.left);
                r.load(from, count, scratch.right);
                if (compute(scratch.left, scratch.right, scratch.result, count) < 0) {
                    recheck(scratch, from, count, out.validity());
                }
                Longs.store(type, out.data(), from, count, scratch.result);
            }
            return Operand.owned(out.take());
        }
    }

    /** Computes a block; negative if some row, perhaps a null one, has no result. */
    private long compute(long[] x, long[] y, long[] z, int count) {
        if (range.isUnsigned64()) {
            return computeUnsigned(x, y, z, count);
        }
        long bad = 0;
        switch (operator) {
            case ADD -> {
                for (int i = 0; i < count; i++) {
                    long sum = x[i] + y[i];
                    bad |= (x[i] ^ sum) & (y[i] ^ sum);
                    z[i] = sum;
                }
            }
            case SUBTRACT -> {
                for (int i = 0; i < count; i++) {
                    long difference = x[i] - y[i];
                    bad |= (x[i] ^ y[i]) & (x[i] ^ difference);
                    z[i] = difference;
                }
            }
            case MULTIPLY -> {
                for (int i = 0; i < count; i++) {
                    long product = x[i] * y[i];
                    long high = Math.multiplyHigh(x[i], y[i]) ^ (product >> 63);
                    bad |= high | -high;
                    z[i] = product;
                }
            }
            case DIVIDE -> {
                for (int i = 0; i < count; i++) {
                    if (y[i] == 0) {
                        bad = -1;
                        z[i] = 0;
                    } else {
                        z[i] = x[i] / y[i];
                        bad |= x[i] & y[i] & z[i]; // all negative: MIN_VALUE / -1 alone
                    }
                }
            }
            case REMAINDER -> {
                for (int i = 0; i < count; i++) {
                    if (y[i] == 0) {
                        bad = -1;
                        z[i] = 0;
                    } else {
                        z[i] = x[i] % y[i];
                    }
                }
            }
        }
        return bad | range.outside(z, count);
    }

    private long computeUnsigned(long[] x, long[] y, long[] z, int count) {
        long bad = 0;
        for (int i = 0; i < count; i++) {
            long a = x[i];
            long b = y[i];
            boolean fits =
                    switch (operator) {
                        case ADD -> {
                            z[i] = a + b;
                            yield Long.compareUnsigned(z[i], a) >= 0;
                        }
                        case SUBTRACT -> {
                            z[i] = a - b;
                            yield Long.compareUnsigned(a, b) >= 0;
                        }
                        case MULTIPLY -> {
                            z[i] = a * b;
                            yield Math.unsignedMultiplyHigh(a, b) == 0;
                        }
                        case DIVIDE -> {
                            z[i] = b == 0 ? 0 : Long.divideUnsigned(a, b);
                            yield b != 0;
                        }
                        case REMAINDER -> {
                            z[i] = b == 0 ? 0 : Long.remainderUnsigned(a, b);
                            yield b != 0;
                        }
                    };
            bad |= fits ? 0 : -1;
        }
        return bad;
    }

    private void recheck(Scratch scratch, int from, int count, long validity) {
        long[] x = new long[1];
        long[] y = new long[1];
        long[] z = new long[1];
        for (int i = 0; i < count; i++) {
            x[0] = scratch.left[i];
            y[0] = scratch.right[i];
            if (Bits.get(validity, from + i) && compute(x, y, z, 1) < 0) {
                if (y[0] == 0 && operator.divides()) {
                    throw Failures.divisionByZero(range.text(x[0]));
                }
                throw Failures.overflow(
                        "%s %s %s".formatted(range.text(x[0]), operator.symbol(), range.text(y[0])),
                        type);
            }
        }
    }
}
