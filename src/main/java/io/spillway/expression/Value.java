package io.spillway.expression;

import io.spillway.batch.ColumnType;

/** A compiled expression that gives a column. One thread at a time. */
interface Value {

    ColumnType type();

    /**
     * Whether evaluating can never raise an error, whatever the rows hold; such a value may be
     * evaluated on more rows than asked for.
     */
    boolean total();

    /** A value for every row of the input, in any form; the caller closes the operand. */
    Operand evaluate(Input input);

    /** The same in plain form. */
    default Operand plain(Input input) {
        return evaluate(input).decoded(input.allocator());
    }
}
