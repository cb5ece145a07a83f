package io.spillway.expression;

/** Comparisons of text, bytes, and bytes of fixed length, by unsigned bytes. */
final class BytesTests {

    private BytesTests() {}

    /** With a constant. */
    static VectorTest compare(Comparison comparison, byte[] constant) {
        return switch (comparison) {
            case EQUAL -> equal(constant, 0);
            case NOT_EQUAL -> equal(constant, -1L);
            case LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL ->
                    bytes(
                            (address, length) ->
                                    comparison.holds(ByteRuns.compare(address, length, constant)));
        };
    }

    private static VectorTest equal(byte[] constant, long flip) {
        VectorTest equal =
                bytes(
                        (address, length) ->
                                length == constant.length && ByteRuns.equal(address, constant));
        return flip == 0
                ? equal
                : (values, rows, scratch, bits) -> {
                    equal.test(values, rows, scratch, bits);
                    for (int w = 0; w < Bits.words(rows); w++) {
                        bits[w] = ~bits[w];
                    }
                };
    }

    /** A question to one run of bytes. */
    interface BytesTest {
        boolean test(long address, int length);
    }

    /** Asks each value. */
    static VectorTest bytes(BytesTest test) {
        return (values, rows, scratch, bits) -> {
            BytesReader reader = new BytesReader(values);
            for (int from = 0; from < rows; from += 64) {
                int end = Math.min(64, rows - from);
                long word = 0;
                for (int i = 0; i < end; i++) {
                    int row = from + i;
                    word |= (test.test(reader.address(row), reader.length(row)) ? 1L : 0L) << i;
                }
                bits[from >>> 6] = word;
            }
        };
    }

    /** Of two columns. */
    static PairTest compare(Comparison comparison) {
        return (left, right, rows, scratch, bits) -> {
            BytesReader x = new BytesReader(left);
            BytesReader y = new BytesReader(right);
            for (int from = 0; from < rows; from += 64) {
                int end = Math.min(64, rows - from);
                long word = 0;
                for (int i = 0; i < end; i++) {
                    int row = from + i;
                    int order =
                            ByteRuns.compare(
                                    x.address(row), x.length(row), y.address(row), y.length(row));
                    word |= (comparison.holds(order) ? 1L : 0L) << i;
                }
                bits[from >>> 6] = word;
            }
        };
    }
}
