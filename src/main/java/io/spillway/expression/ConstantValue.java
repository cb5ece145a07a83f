package io.spillway.expression;

import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.Dictionary;
import io.spillway.batch.OffHeap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * A literal. As a column it is dictionary-encoded with one entry, so that encoders format it once;
 * NULL is a plain column of nulls. Kernels that treat constants specially read {@link #constant()}.
 */
final class ConstantValue implements Value {

    private static final Field INDICES = Vectors.field(new ColumnType.Int(32, true));

    private final ColumnType type;
    private final Constant constant;
    private final Field field;

    ConstantValue(ColumnType type, Constant constant) {
        this.type = type;
        this.constant = constant;
        this.field = Vectors.field(type);
    }

    Constant constant() {
        return constant;
    }

    @Override
    public ColumnType type() {
        return type;
    }

    @Override
    public boolean total() {
        return true;
    }

    @Override
    public Operand evaluate(Input input) {
        BufferAllocator allocator = input.allocator();
        if (constant instanceof Constant.Null) {
            return Operand.owned(Vectors.nulls(field, input.rows(), allocator));
        }
        try (FixedOutput out = new FixedOutput(INDICES, input.rows(), allocator)) {
            Bits.fill(out.validity(), input.rows(), true);
            OffHeap.zero(out.data(), (long) Integer.BYTES * input.rows());
            Dictionary dictionary = new Dictionary(single(allocator));
            return Operand.owned(new ColumnVector.Encoded((IntVector) out.take(), dictionary));
        }
    }

    /** A plain vector with the value as its one row; the caller owns it. */
    FieldVector single(BufferAllocator allocator) {
        return switch (constant) {
            case Constant.Null() -> Vectors.nulls(field, 1, allocator);
            case Constant.Fixed(long low, long high) -> {
                try (FixedOutput out = new FixedOutput(field, 1, allocator)) {
                    Bits.fill(out.validity(), 1, true);
                    Slots.put(type, out.data(), 0, low, high);
                    yield out.take();
                }
            }
            case Constant.Bytes(byte[] bytes) -> {
                if (type instanceof ColumnType.FixedBinary) {
                    try (FixedOutput out = new FixedOutput(field, 1, allocator)) {
                        Bits.fill(out.validity(), 1, true);
                        OffHeap.write(bytes, 0, out.data(), bytes.length);
                        yield out.take();
                    }
                }
                try (BytesOutput out = new BytesOutput(field, 1, bytes.length, allocator)) {
                    Bits.fill(out.validity(), 1, true);
                    out.append(bytes, bytes.length);
                    yield out.take();
                }
            }
        };
    }
}
