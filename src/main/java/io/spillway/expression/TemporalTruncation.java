package io.spillway.expression;

import io.spillway.batch.ColumnType;
import org.apache.arrow.vector.types.pojo.Field;

/** DATE_TRUNC: the start of the unit in which a date, timestamp or time of day is. */
final class TemporalTruncation implements Value {

    private final TemporalUnit unit;
    private final LongOperand argument;
    private final ColumnType type;
    private final Field field;
    private final long perSecond;
    private final long perDay;
    private final Civil civil = new Civil();

    TemporalTruncation(TemporalUnit unit, Value argument) {
        this.unit = unit;
        this.argument = new LongOperand(argument);
        this.type = argument.type();
        this.field = Vectors.field(type);
        this.perSecond = TemporalUnit.perSecond(type);
        this.perDay = perSecond == 0 ? 1 : Civil.SECONDS_PER_DAY * perSecond;
        boolean dayOfTime = type instanceof ColumnType.Time && unit.ofDays();
        if (perSecond < 0 || dayOfTime) {
            throw Failures.unsupported("DATE_TRUNC of %s to %s".formatted(type, unit));
        }
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
        long[] x = input.scratch().left;
        try (LongOperand.Rows values = argument.open(input);
                FixedOutput out = new FixedOutput(field, rows, input.allocator())) {
            Bits.fill(out.validity(), rows, true);
            values.restrict(out.validity(), rows);
            for (int from = 0; from < rows; from += Scratch.BLOCK) {
                int count = Math.min(Scratch.BLOCK, rows - from);
                values.load(from, count, x);
                for (int i = 0; i < count; i++) {
                    x[i] = Bits.get(out.validity(), from + i) ? start(x[i]) : 0;
                }
                Longs.store(type, out.data(), from, count, x);
            }
            return Operand.owned(out.take());
        }
    }

    private long start(long value) {
        try {
            if (unit.ofDays()) {
                long day = unit.firstDay(unit.number(Math.floorDiv(value, perDay), civil));
                return perSecond == 0 ? Math.toIntExact(day) : Math.multiplyExact(day, perDay);
            }
            long width = perSecond == 0 ? 0 : unit.width(perSecond);
            return width == 0 ? value : Math.subtractExact(value, Math.floorMod(value, width));
        } catch (ArithmeticException e) {
            throw Failures.overflow("DATE_TRUNC('%s', %d)".formatted(unit, value), type);
        }
    }
}
