package io.spillway.expression;

/**
 * Comparisons of decimals, exact whatever their scales. The side of smaller scale is scaled up in
 * 128 bits; where that overflows, its magnitude is beyond every decimal, and its sign decides.
 */
final class DecimalTests {

    private DecimalTests() {}

    /** With a constant. */
    static VectorTest compare(
            int scale, Comparison comparison, Constant.Fixed constant, int constantScale) {
        Int128 bound = new Int128();
        bound.set(constant.low(), constant.high());
        int sign = bound.signum();
        boolean boundFits = bound.scaleUp(Math.max(0, scale - constantScale));
        int raise = Math.max(0, constantScale - scale);
        Int128 value = new Int128();
        return (values, rows, scratch, bits) -> {
            long data = Vectors.data(values);
            for (int from = 0; from < rows; from += 64) {
                int end = Math.min(64, rows - from);
                long word = 0;
                for (int i = 0; i < end; i++) {
                    value.load(data + 16L * (from + i));
                    int order = boundFits ? order(value, raise, bound) : -sign;
                    word |= (comparison.holds(order) ? 1L : 0L) << i;
                }
                bits[from >>> 6] = word;
            }
        };
    }

    /** Of two columns. */
    static PairTest compare(int leftScale, Comparison comparison, int rightScale) {
        int raiseLeft = Math.max(0, rightScale - leftScale);
        int raiseRight = Math.max(0, leftScale - rightScale);
        Int128 x = new Int128();
        Int128 y = new Int128();
        return (left, right, rows, scratch, bits) -> {
            long dataLeft = Vectors.data(left);
            long dataRight = Vectors.data(right);
            for (int from = 0; from < rows; from += 64) {
                int end = Math.min(64, rows - from);
                long word = 0;
                for (int i = 0; i < end; i++) {
                    x.load(dataLeft + 16L * (from + i));
                    y.load(dataRight + 16L * (from + i));
                    int order = raiseRight > 0 ? -order(y, raiseRight, x) : order(x, raiseLeft, y);
                    word |= (comparison.holds(order) ? 1L : 0L) << i;
                }
                bits[from >>> 6] = word;
            }
        };
    }

    private static int order(Int128 value, int raise, Int128 other) {
        int sign = value.signum();
        if (raise > 0 && !value.scaleUp(raise)) {
            return sign;
        }
        return Int128.compare(value.low(), value.high(), other.low(), other.high());
    }
}
