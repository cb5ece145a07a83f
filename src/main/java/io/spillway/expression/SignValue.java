package io.spillway.expression;

import io.spillway.batch.ColumnType;
import io.spillway.batch.OffHeap;
import org.apache.arrow.vector.types.pojo.Field;

/** SIGN of signed integers and decimals: −1, 0 or 1 as an int32. */
final class SignValue implements Value {

    private static final ColumnType.Int TYPE = new ColumnType.Int(32, true);
    private static final Field FIELD = Vectors.field(TYPE);

    private final RowOperand argument;

    /** Bytes of a value; those of the top end are last. */
    private final int width;

    private SignValue(Value argument, int width) {
        this.argument = new RowOperand(argument);
        this.width = width;
    }

    static Value of(Value argument, ColumnType result) {
        int width =
                switch (argument.type()) {
                    case ColumnType.Int(int bits, boolean signed) when signed -> bits / Byte.SIZE;
                    case ColumnType.Decimal _ -> 16;
                    default -> 0;
                };
        if (width == 0 || !result.equals(TYPE)) {
            throw Failures.unsupported("SIGN of " + argument.type());
        }
        return new SignValue(argument, width);
    }

    @Override
    public ColumnType type() {
        return TYPE;
    }

    @Override
    public boolean total() {
        return argument.total();
    }

    @Override
    public Operand evaluate(Input input) {
        int rows = input.rows();
        try (RowOperand.Rows values = argument.open(input);
                FixedOutput out = new FixedOutput(FIELD, rows, input.allocator())) {
            Bits.fill(out.validity(), rows, true);
            values.restrict(out.validity(), rows);
            long data = Vectors.data(values.vector());
            for (int row = 0; row < rows; row++) {
                long at = data + (long) width * values.row(row);
                OffHeap.putInt(out.data() + 4L * row, sign(at));
            }
            return Operand.owned(out.take());
        }
    }

    private int sign(long at) {
        return switch (width) {
            case 1 -> Integer.signum(OffHeap.getByte(at));
            case 2 -> Integer.signum(OffHeap.getShort(at));
            case 4 -> Integer.signum(OffHeap.getInt(at));
            case 8 -> Long.signum(OffHeap.getLong(at));
            default -> {
                long high = OffHeap.getLong(at + 8);
                yield high != 0 ? Long.signum(high) : OffHeap.getLong(at) == 0 ? 0 : 1;
            }
        };
    }
}
