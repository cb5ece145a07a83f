package io.spillway.expression;

import io.spillway.batch.ColumnType;

/** A reference to an input column. */
record ColumnValue(int index, ColumnType type) implements Value {

    @Override
    public boolean total() {
        return true;
    }

    @Override
    public Operand evaluate(Input input) {
        return Operand.lent(input.column(index));
    }

    @Override
    public Operand plain(Input input) {
        return Operand.lent(input.plain(index));
    }
}
