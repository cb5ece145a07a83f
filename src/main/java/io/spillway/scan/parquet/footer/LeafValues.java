package io.spillway.scan.parquet.footer;

import io.spillway.batch.ColumnType;
import io.spillway.scan.pruning.Scalar;
import io.spillway.scan.pruning.ValueSet;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Values of one flat leaf that stand outside of pages, PLAIN-encoded and without a length: bounds
 * in statistics and indexes, and what they say of the leaf's rows.
 *
 * @param leaf of a top-level column, one value a row
 */
public record LeafValues(ColumnNode.Leaf leaf) {

    /** Bytes of the longest decimal that is read. */
    private static final int MAX_DECIMAL = 16;

    /** The value, or null if the bytes are not what the leaf is read from. */
    public @Nullable Scalar of(byte[] plain) {
        ByteBuffer bytes = ByteBuffer.wrap(plain).order(ByteOrder.LITTLE_ENDIAN);
        return switch (leaf.physical()) {
            case BOOLEAN ->
                    plain.length == 1 && (plain[0] | 1) == 1 ? new Scalar.Whole(plain[0]) : null;
            case INT32 -> plain.length == Integer.BYTES ? integer(bytes.getInt()) : null;
            case INT64 -> plain.length == Long.BYTES ? integer(bytes.getLong()) : null;
            case FLOAT -> plain.length == Float.BYTES ? new Scalar.Real(bytes.getFloat()) : null;
            case DOUBLE -> plain.length == Double.BYTES ? new Scalar.Real(bytes.getDouble()) : null;
            case BINARY, FIXED_LEN_BYTE_ARRAY -> bytes(plain);
            case INT96 -> null;
        };
    }

    /** An integer as its column's type has it, or null if that type has no such value. */
    private @Nullable Scalar integer(long value) {
        return switch (leaf.field().type()) {
            case ColumnType.Int type when Scalar.isUnsigned64(type) ->
                    new Scalar.Exact(new BigDecimal(new BigInteger(Long.toUnsignedString(value))));
            case ColumnType.Int(int bits, boolean signed) -> {
                long own = signed || bits == Long.SIZE ? value : value & 0xFFFF_FFFFL;
                long least = signed ? -1L << (bits - 1) : 0;
                long most = signed ? ~least : (1L << bits) - 1;
                yield own >= least && own <= most ? new Scalar.Whole(own) : null;
            }
            case ColumnType.Decimal(int _, int scale) ->
                    new Scalar.Exact(BigDecimal.valueOf(value, scale));
            case ColumnType.Date _, ColumnType.Time _, ColumnType.Timestamp _ ->
                    new Scalar.Whole(value);
            case ColumnType _ -> null;
        };
    }

    private @Nullable Scalar bytes(byte[] plain) {
        return switch (leaf.field().type()) {
            case ColumnType.Decimal(int _, int scale) -> {
                boolean possible = plain.length > 0 && plain.length <= MAX_DECIMAL && fits(plain);
                yield possible
                        ? new Scalar.Exact(new BigDecimal(new BigInteger(plain), scale))
                        : null;
            }
            case ColumnType.FloatingPoint(int bits) ->
                    bits == 16 && plain.length == 2
                            ? new Scalar.Real(
                                    Float.float16ToFloat(
                                            ByteBuffer.wrap(plain)
                                                    .order(ByteOrder.LITTLE_ENDIAN)
                                                    .getShort()))
                            : null;
            // Bounds may be cut.
            case ColumnType.FixedBinary(int width) ->
                    plain.length <= width ? new Scalar.Bytes(plain) : null;
            case ColumnType.Utf8 _, ColumnType.Binary _ -> new Scalar.Bytes(plain);
            case ColumnType _ -> null;
        };
    }

    private boolean fits(byte[] plain) {
        return leaf.typeLength() == 0 || plain.length == leaf.typeLength();
    }

    /** What a chunk's statistics say, if its values are the rows. */
    public ValueSet in(Footer.Chunk chunk) {
        ChunkStatistics s = chunk.statistics();
        boolean bounded = s.min() != null || s.max() != null;
        if (leaf.field().nullable() && !bounded && s.nulls() == chunk.values()) {
            return ValueSet.nulls();
        }
        boolean comparable = s.order() == ValueOrder.of(leaf);
        return between(
                comparable ? s.min() : null, comparable ? s.max() : null, s.nulls(), s.nans());
    }

    /**
     * What bounds say, which compare by the leaf's own order.
     *
     * @param nulls number of nulls, or -1 if unknown
     * @param nans number of NaNs, or -1 if unknown
     */
    public ValueSet between(byte @Nullable [] min, byte @Nullable [] max, long nulls, long nans) {
        boolean mayBeNull = leaf.field().nullable() && nulls != 0;
        Scalar low = min == null ? null : of(min);
        Scalar high = max == null ? null : of(max);
        if (isNarrow() && (low == null || high == null)) {
            // Integers outside the type are cut when they are read, and may become any value.
            return ValueSet.between(null, null, mayBeNull);
        }
        if (!(leaf.field().type() instanceof ColumnType.FloatingPoint)) {
            return ValueSet.between(low, high, mayBeNull);
        }
        if (isNaN(low) || isNaN(high)) {
            return ValueSet.between(null, null, mayBeNull);
        }
        ValueSet numbers = ValueSet.between(low, high, mayBeNull);
        return nans == 0 ? numbers : numbers.orNaN();
    }

    /** Whether values are read from integers that are wider than the type. */
    public boolean isNarrow() {
        return leaf.field().type() instanceof ColumnType.Int(int bits, boolean _)
                && bits < Integer.SIZE;
    }

    private static boolean isNaN(@Nullable Scalar value) {
        return value instanceof Scalar.Real real && real.isNaN();
    }
}
