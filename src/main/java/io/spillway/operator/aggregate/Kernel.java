package io.spillway.operator.aggregate;

/**
 * What a call keeps of a group in words of 64 bits, how values change it, and what comes of it. A
 * state of zeros is that of no rows. Immutable: the states are the caller's.
 */
interface Kernel {

    /** Bytes of a state. */
    int bytes();

    /** The form in which it reads values. */
    enum Reads {
        /** Not at all. */
        NOTHING,
        /** As {@link Words} of their type. */
        WORDS,
        /** As words of float64. */
        DOUBLES
    }

    Reads reads();

    /**
     * Adds values, one after the other.
     *
     * @param states address of the group's state, for each value
     * @param offset where in it the kernel's own begins
     * @param low the values in the form that it {@link #reads}, none of them null
     * @param high upper halves of decimals
     */
    void add(long[] states, int offset, long[] low, long[] high, int count);

    /**
     * Adds what another state has seen, whose rows come after this one's.
     *
     * @param from address of the other state, where the kernel's own begins
     * @param to address of this one, there too
     */
    void merge(long from, long to);

    /**
     * The results of some groups.
     *
     * @param states addresses of their states
     * @param to where groups without a result are left out
     * @throws io.spillway.error.SpillwayException {@code ARITHMETIC_OVERFLOW}
     */
    void results(long[] states, int offset, int count, ResultColumn to);
}
