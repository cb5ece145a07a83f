package io.spillway.scan.pruning;

/**
 * What a condition over some rows may be: true, false, null; or an error. What it cannot be is
 * certain, what it may be is not.
 */
record Truths(boolean mayBeTrue, boolean mayBeFalse, boolean mayBeNull, boolean mayFail) {

    static final Truths ANYTHING = new Truths(true, true, true, false);

    Truths not() {
        return new Truths(
                /* mayBeTrue= */ mayBeFalse, /* mayBeFalse= */ mayBeTrue, mayBeNull, mayFail);
    }

    /** Whether the condition is true: never null itself. */
    Truths isTrue() {
        return new Truths(mayBeTrue, mayBeFalse || mayBeNull, false, mayFail);
    }

    /**
     * This and then the other, which is not looked at for rows where this is false: an error of the
     * other counts only if this may be something else.
     */
    Truths and(Truths next) {
        boolean open = mayBeTrue || mayBeNull;
        boolean nextOpen = next.mayBeTrue || next.mayBeNull;
        return new Truths(
                mayBeTrue && next.mayBeTrue,
                mayBeFalse || (open && next.mayBeFalse),
                open && nextOpen && (mayBeNull || next.mayBeNull),
                mayFail || (open && next.mayFail));
    }

    /** This or else the other, which is not looked at for rows where this is true. */
    Truths or(Truths next) {
        return not().and(next.not()).not();
    }

    /** The truth value of a comparison: null wherever an operand is. */
    static Truths compared(boolean mayBeTrue, boolean mayBeFalse, ValueSet a, ValueSet b) {
        return new Truths(
                mayBeTrue, mayBeFalse, a.mayBeNull() || b.mayBeNull(), a.mayFail() || b.mayFail());
    }

    /** What a column or constant of truth values may be. */
    static Truths of(ValueSet set) {
        return new Truths(
                set.mayBe(new Scalar.Whole(1)),
                set.mayBe(new Scalar.Whole(0)),
                set.mayBeNull(),
                set.mayFail());
    }
}
