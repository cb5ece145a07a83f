package io.spillway.operator.window;

import io.spillway.batch.ColumnVector;

/** Functions that give the value of one row: at an offset, or at a place in the frame. */
final class PickedRow implements Computation {

    private final WindowFunction function;
    private final long parameter;
    private final int otherwise;
    private final RowValues values;

    /**
     * A function of one row.
     *
     * @param parameter how many rows away, or the how manieth row
     * @param otherwise the column whose value in the row itself stands in for a row that there is
     *     not; -1 for null
     * @param values of the argument; taken over
     */
    PickedRow(WindowFunction function, long parameter, int otherwise, RowValues values) {
        this.function = function;
        this.parameter = parameter;
        this.otherwise = otherwise;
        this.values = values;
    }

    @Override
    public ColumnVector compute(Rows rows, long[] starts, long[] ends) {
        long[] positions = new long[rows.count()];
        for (int i = 0; i < positions.length; i++) {
            positions[i] = position(rows, i, starts, ends);
        }
        return values.take(positions, rows.batch, otherwise);
    }

    private long position(Rows rows, int row, long[] starts, long[] ends) {
        long own = rows.first + row;
        long none = otherwise < 0 ? RowValues.NONE : RowValues.OWN;
        return switch (function) {
            case LAG -> parameter <= own - rows.partition[row] ? own - parameter : none;
            case LEAD -> parameter < rows.partitionEnd[row] - own ? own + parameter : none;
            case FIRST_VALUE -> starts[row] < ends[row] ? starts[row] : RowValues.NONE;
            case LAST_VALUE -> starts[row] < ends[row] ? ends[row] - 1 : RowValues.NONE;
            case NTH_VALUE ->
                    parameter <= ends[row] - starts[row]
                            ? starts[row] + parameter - 1
                            : RowValues.NONE;
            case ROW_NUMBER,
                    RANK,
                    DENSE_RANK,
                    PERCENT_RANK,
                    CUME_DIST,
                    NTILE,
                    SUM,
                    AVG,
                    COUNT,
                    COUNT_ROWS,
                    MIN,
                    MAX ->
                    throw new IllegalStateException(function + " is not of one row");
        };
    }

    @Override
    public void close() {
        values.close();
    }
}
