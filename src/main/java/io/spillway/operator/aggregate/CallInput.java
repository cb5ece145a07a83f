package io.spillway.operator.aggregate;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.operator.ColumnSet;
import io.spillway.operator.key.SortKey;
import java.util.ArrayList;
import java.util.List;

/**
 * The columns that some calls and keys read, and these as they are over those columns alone.
 *
 * @param columns of the input
 * @param schema of them
 */
record CallInput(
        ColumnSet columns, RowSchema schema, List<Integer> keys, List<AggregateCall> calls) {

    static CallInput of(RowSchema input, List<Integer> keys, List<AggregateCall> calls) {
        ColumnSet columns = ColumnSet.none();
        for (int key : keys) {
            columns = columns.and(key);
        }
        for (AggregateCall call : calls) {
            for (int argument : call.arguments()) {
                columns = columns.and(argument);
            }
            for (SortKey key : call.order()) {
                columns = columns.and(key.column());
            }
            if (call.filter() != null) {
                columns = columns.and(call.filter());
            }
        }
        ColumnSet read = columns;
        return new CallInput(
                read,
                read.of(input),
                keys.stream().map(read::indexOf).toList(),
                calls.stream().map(call -> narrowed(call, read)).toList());
    }

    /** These columns of a batch, which stays the caller's; the caller owns the answer, too. */
    RecordBatch narrowed(RecordBatch batch) {
        List<ColumnVector> parts = new ArrayList<>(schema.size());
        try {
            for (int i = 0; i < batch.schema().size(); i++) {
                if (columns.contains(i)) {
                    parts.add(batch.column(i).slice(0, batch.rowCount()));
                }
            }
            return new RecordBatch(schema, parts, batch.rowCount());
        } catch (Throwable t) {
            parts.forEach(ColumnVector::close);
            throw t;
        }
    }

    private static AggregateCall narrowed(AggregateCall call, ColumnSet columns) {
        return new AggregateCall(
                call.function(),
                call.arguments().stream().map(columns::indexOf).toList(),
                call.distinct(),
                call.filter() == null ? null : columns.indexOf(call.filter()),
                call.order().stream()
                        .map(
                                key ->
                                        new SortKey(
                                                columns.indexOf(key.column()),
                                                key.descending(),
                                                key.nullsFirst()))
                        .toList(),
                call.parameters(),
                call.type());
    }
}
