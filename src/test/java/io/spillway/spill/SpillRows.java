package io.spillway.spill;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.Poll;
import io.spillway.batch.PollStream;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VarCharVector;

/** Batches of a number and a text, and how they are read back. */
public final class SpillRows {

    public static final RowSchema SCHEMA =
            new RowSchema(
                    List.of(
                            new ColumnSchema("n", ColumnType.parse("int64"), false),
                            new ColumnSchema("t", ColumnType.parse("utf8"), true)));

    private SpillRows() {}

    /** Rows {@code [from, from + count)}; every seventh text is null. */
    public static RecordBatch batch(int from, int count, int textBytes, BufferAllocator allocator) {
        BigIntVector n = (BigIntVector) SCHEMA.column(0).toArrow().createVector(allocator);
        VarCharVector t = (VarCharVector) SCHEMA.column(1).toArrow().createVector(allocator);
        n.allocateNew(count);
        t.allocateNew((long) count * textBytes + 1, count);
        for (int i = 0; i < count; i++) {
            n.set(i, from + i);
            if ((from + i) % 7 != 0) {
                t.setSafe(i, text(from + i, textBytes).getBytes(StandardCharsets.UTF_8));
            }
        }
        n.setValueCount(count);
        t.setValueCount(count);
        return new RecordBatch(
                SCHEMA, List.of(new ColumnVector.Plain(n), new ColumnVector.Plain(t)), count);
    }

    private static String text(int row, int bytes) {
        return (row + "-").repeat(bytes).substring(0, bytes);
    }

    public static String row(int row, int textBytes) {
        return row + ":" + (row % 7 == 0 ? null : text(row, textBytes));
    }

    public static List<String> rows(int from, int to, int textBytes) {
        List<String> rows = new ArrayList<>();
        for (int i = from; i < to; i++) {
            rows.add(row(i, textBytes));
        }
        return rows;
    }

    /** All rows of a stream, which is closed. */
    public static List<String> read(PollStream<RecordBatch> stream) {
        List<String> rows = new ArrayList<>();
        try (stream) {
            while (stream.poll() instanceof Poll.Output<RecordBatch>(RecordBatch batch)) {
                try (batch) {
                    rows.addAll(read(batch));
                }
            }
        }
        return rows;
    }

    public static List<String> read(RecordBatch batch) {
        List<String> rows = new ArrayList<>();
        if (batch.column(0) instanceof ColumnVector.Plain(var n)
                && batch.column(1) instanceof ColumnVector.Plain(var t)) {
            for (int i = 0; i < batch.rowCount(); i++) {
                rows.add(n.getObject(i) + ":" + t.getObject(i));
            }
        }
        return rows;
    }
}
