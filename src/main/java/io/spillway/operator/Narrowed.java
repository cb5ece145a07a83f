package io.spillway.operator;

import java.util.List;

/**
 * An operator for somebody who wants only some of the columns that come out of it.
 *
 * @param reads the columns of its input that it takes to make them
 * @param operators what makes them of these columns, one on top of the other: the same rows in the
 *     same order, with exactly the wanted columns; none if the input's rows are those already
 */
public record Narrowed(ColumnSet reads, List<Operator> operators) {

    public Narrowed {
        operators = List.copyOf(operators);
    }
}
