package io.spillway.operator.key;

/**
 * How the values of a column, or those inside a nested value, are written.
 *
 * @param ordered so that bytes compare as values do; else only so that equal bytes are equal values
 * @param value the byte before a value
 * @param absent the byte in place of a value that is null
 * @param mask what each byte of a value is combined with by exclusive or: −1 turns the order round
 */
record KeyForm(boolean ordered, byte value, byte absent, byte mask) {

    private static final byte LEAST = 0;
    private static final byte VALUE = 1;
    private static final byte GREATEST = 2;

    /** Of a key column that equality decides about. */
    static KeyForm equal() {
        return new KeyForm(false, VALUE, LEAST, (byte) 0);
    }

    /**
     * Of a key column that is sorted by: where its nulls stand has nothing to do with the order.
     */
    static KeyForm ordered(SortKey key) {
        return new KeyForm(
                true,
                VALUE,
                key.nullsFirst() ? LEAST : GREATEST,
                (byte) (key.descending() ? -1 : 0));
    }

    /** Of values inside a nested one: nulls are the greatest, and turn round with the others. */
    KeyForm inner() {
        return new KeyForm(ordered, masked(VALUE), masked(GREATEST), mask);
    }

    /** What ends a list: less than what stands before an element. */
    byte end() {
        return masked(LEAST);
    }

    /** A byte of a value. */
    byte masked(int bits) {
        return (byte) (bits ^ mask);
    }

    /** The mask for eight bytes at once. */
    long wideMask() {
        return mask;
    }
}
