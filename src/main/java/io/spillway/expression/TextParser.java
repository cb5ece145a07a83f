package io.spillway.expression;

/** Reads one value of some type from text. Keeps the value last read. */
abstract class TextParser {

    private long low;
    private long high;

    /** Reads the whole text; false if it is not a value of the type. */
    abstract boolean parse(TextScanner text);

    /** The value read, as {@link Constant.Fixed} holds it. */
    final long low() {
        return low;
    }

    final long high() {
        return high;
    }

    final boolean found(long value) {
        low = value;
        high = 0;
        return true;
    }

    final boolean found(Int128 value) {
        low = value.low();
        high = value.high();
        return true;
    }
}
