package io.spillway.operator.key;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import java.util.List;
import org.apache.arrow.vector.FieldVector;

/** Which rows have a key that is null: in joins they match nothing. */
public final class KeyNulls {

    private KeyNulls() {}

    /**
     * Marks the rows of a batch in which one of some columns is null.
     *
     * @param columns positions
     * @param marks set to true for these rows, and left alone for others
     * @return how many rows of the batch are marked
     */
    public static int mark(RecordBatch batch, List<Integer> columns, boolean[] marks) {
        int rows = batch.rowCount();
        for (int column : columns) {
            FieldVector vector =
                    switch (batch.column(column)) {
                        case ColumnVector.Plain plain -> plain.vector();
                        case ColumnVector.Encoded encoded -> encoded.indices();
                    };
            Nulls nulls = Nulls.of(vector);
            if (!nulls.none()) {
                for (int i = 0; i < rows; i++) {
                    marks[i] |= nulls.at(i);
                }
            }
        }
        int count = 0;
        for (int i = 0; i < rows; i++) {
            count += marks[i] ? 1 : 0;
        }
        return count;
    }
}
