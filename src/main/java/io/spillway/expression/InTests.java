package io.spillway.expression;

import io.spillway.batch.ColumnType;
import java.util.ArrayList;
import java.util.List;

/** Membership in a list of constants, by a hash set made when the expression is compiled. */
final class InTests {

    private InTests() {}

    /**
     * Is a value one of the constants?
     *
     * @param type of the argument and of every constant
     * @param constants none of them null
     */
    static VectorTest in(ColumnType type, List<Constant> constants) {
        if (Keys.handles(type)) {
            return keys(type, constants);
        }
        return type instanceof ColumnType.Decimal ? decimals(constants) : bytes(constants);
    }

    private static VectorTest keys(ColumnType type, List<Constant> constants) {
        LongSet set =
                new LongSet(
                        constants.stream()
                                .mapToLong(c -> Keys.of(type, (Constant.Fixed) c))
                                .toArray());
        return (values, rows, scratch, bits) -> {
            for (int from = 0; from < rows; from += Scratch.BLOCK) {
                int count = Math.min(Scratch.BLOCK, rows - from);
                Keys.load(values, type, from, count, scratch, scratch.left);
                for (int at = 0; at < count; at += 64) {
                    int end = Math.min(at + 64, count);
                    long word = 0;
                    for (int i = at; i < end; i++) {
                        word |= (set.contains(scratch.left[i]) ? 1L : 0L) << i;
                    }
                    bits[(from + at) >>> 6] = word;
                }
            }
        };
    }

    /** A decimal's 16 bytes are one form of its value, since the scale is the argument's. */
    private static VectorTest decimals(List<Constant> constants) {
        List<byte[]> encoded = new ArrayList<>();
        for (Constant constant : constants) {
            Constant.Fixed fixed = (Constant.Fixed) constant;
            byte[] bytes = new byte[16];
            for (int i = 0; i < 8; i++) {
                bytes[i] = (byte) (fixed.low() >>> (8 * i));
                bytes[8 + i] = (byte) (fixed.high() >>> (8 * i));
            }
            encoded.add(bytes);
        }
        return BytesTests.bytes(new BytesSet(encoded)::contains);
    }

    private static VectorTest bytes(List<Constant> constants) {
        List<byte[]> values = new ArrayList<>();
        for (Constant constant : constants) {
            values.add(((Constant.Bytes) constant).bytes());
        }
        return BytesTests.bytes(new BytesSet(values)::contains);
    }
}
