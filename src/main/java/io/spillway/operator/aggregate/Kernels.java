package io.spillway.operator.aggregate;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.RowSchema;
import io.spillway.memory.StateMemory;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/** The kernels of calls. */
final class Kernels {

    private Kernels() {}

    /**
     * The kernel of a call.
     *
     * @param input columns that the call's arguments are among
     * @return null if what the call keeps of a group is no few words
     */
    static @Nullable Kernel of(AggregateCall call, RowSchema input) {
        return switch (call.function()) {
            case COUNT, COUNT_ROWS -> new CountKernel();
            case SUM -> sum(call, argument(call, input));
            case AVG -> mean(argument(call, input).type());
            case VAR_SAMP -> new VarianceKernel(true, false);
            case VAR_POP -> new VarianceKernel(false, false);
            case STDDEV_SAMP -> new VarianceKernel(true, true);
            case STDDEV_POP -> new VarianceKernel(false, true);
            case MIN, BOOL_AND -> extreme(argument(call, input).type(), false);
            case MAX, BOOL_OR -> extreme(argument(call, input).type(), true);
            case PERCENTILE_CONT,
                    PERCENTILE_DISC,
                    ANY_VALUE,
                    FIRST,
                    LAST,
                    ARRAY_AGG,
                    APPROX_COUNT_DISTINCT,
                    SINGLE_VALUE ->
                    null;
        };
    }

    /**
     * What a call keeps that is no words.
     *
     * @param offset where in a group's state its word is
     */
    static StoredCall stored(
            AggregateCall call,
            RowSchema input,
            int offset,
            BufferAllocator allocator,
            StateMemory memory) {
        return call.function() == AggregateFunction.APPROX_COUNT_DISTINCT
                ? new Sketches(call, input, offset, allocator, memory)
                : PickedValues.of(call, input, offset, allocator, memory);
    }

    static ColumnSchema argument(AggregateCall call, RowSchema input) {
        return input.column(call.arguments().getFirst());
    }

    private static Kernel sum(AggregateCall call, ColumnSchema argument) {
        SumResult total = new SumResult.Total("SUM(%s)".formatted(argument.name()), call.type());
        return exact(argument.type(), total, new FloatSumKernel(false));
    }

    private static Kernel mean(ColumnType type) {
        int scale = type instanceof ColumnType.Decimal(int _, int digits) ? digits : 0;
        return exact(type, new SumResult.Mean(scale), new FloatSumKernel(true));
    }

    private static Kernel exact(ColumnType type, SumResult result, Kernel ofFloats) {
        return switch (type) {
            case ColumnType.Int(int bits, boolean signed) ->
                    new IntegerSumKernel(signed || bits < Long.SIZE, result);
            case ColumnType.Decimal(int precision, int _) ->
                    // Up to 18 digits are all in the lower word.
                    precision <= 18
                            ? new IntegerSumKernel(true, result)
                            : new DecimalSumKernel(result);
            case ColumnType.FloatingPoint _ -> ofFloats;
            case ColumnType _ -> throw new IllegalArgumentException("a sum of " + type);
        };
    }

    private static @Nullable Kernel extreme(ColumnType type, boolean greatest) {
        if (!Words.holds(type)) {
            return null;
        }
        return switch (type) {
            case ColumnType.Decimal _ -> new DecimalExtremeKernel(greatest);
            case ColumnType.FloatingPoint _ ->
                    new ExtremeKernel(ExtremeKernel.Order.FLOAT, greatest);
            case ColumnType.Int(int _, boolean signed) ->
                    new ExtremeKernel(
                            signed ? ExtremeKernel.Order.SIGNED : ExtremeKernel.Order.UNSIGNED,
                            greatest);
            case ColumnType _ -> new ExtremeKernel(ExtremeKernel.Order.SIGNED, greatest);
        };
    }
}
