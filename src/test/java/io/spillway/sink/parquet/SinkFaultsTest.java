package io.spillway.sink.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.scan.parquet.Scans;
import io.spillway.storage.FileWriter;
import io.spillway.storage.LocalFiles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.TimeStampSecVector;
import org.apache.arrow.vector.VarCharVector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows that Parquet has no form for, and values that have none. */
class SinkFaultsTest {

    @TempDir private Path folder;

    private static RowSchema schema(String type) {
        return new RowSchema(List.of(new ColumnSchema("c", ColumnType.parse(type), true)));
    }

    private static RecordBatch batch(RowSchema schema, FieldVector vector) {
        return new RecordBatch(
                schema, List.of(new ColumnVector.Plain(vector)), vector.getValueCount());
    }

    private static ParquetSink sink(RowSchema schema, BufferAllocator allocator) {
        return new ParquetSink(schema, 1 << 20, Long.MAX_VALUE, allocator, Map.of());
    }

    private static TimeStampSecVector seconds(BufferAllocator allocator, long... values) {
        TimeStampSecVector vector = new TimeStampSecVector("c", allocator);
        vector.allocateNew(values.length);
        for (int i = 0; i < values.length; i++) {
            vector.set(i, values[i]);
        }
        vector.setValueCount(values.length);
        return vector;
    }

    @Test
    void typesWithoutAFormAreRefused() {
        for (String type : List.of("struct<>", "list<struct<>>", "binary(0)")) {
            assertThatExceptionOfType(SpillwayException.class)
                    .as(type)
                    .isThrownBy(() -> ParquetSink.check(schema(type)))
                    .matches(e -> e.code() == ErrorCode.NOT_SUPPORTED)
                    .matches(e -> "c".equals(e.context().get(SpillwayException.COLUMN)));
        }
        assertThatExceptionOfType(SpillwayException.class)
                .isThrownBy(() -> ParquetSink.check(new RowSchema(List.of())))
                .matches(e -> e.code() == ErrorCode.NOT_SUPPORTED);
    }

    @Test
    void textThatIsNoUtf8IsNamedByItsRow() {
        RowSchema schema = schema("utf8");
        try (BufferAllocator allocator = new RootAllocator();
                ParquetSink sink = sink(schema, allocator)) {
            VarCharVector vector = new VarCharVector("c", allocator);
            vector.allocateNew(3);
            vector.set(0, "good".getBytes(StandardCharsets.UTF_8));
            vector.set(2, new byte[] {'a', (byte) 0xC3});
            vector.setValueCount(3);
            try (RecordBatch batch = batch(schema, vector)) {
                assertThatExceptionOfType(SpillwayException.class)
                        .isThrownBy(() -> sink.write(batch, 0, 3))
                        .matches(e -> e.code() == ErrorCode.INVALID_TEXT)
                        .matches(
                                e ->
                                        Long.valueOf(2)
                                                .equals(e.context().get(SpillwayException.ROW)));
            }
        }
    }

    @Test
    void secondsBecomeMillisecondsOrOverflow() {
        RowSchema schema = schema("timestamp(s,UTC)");
        Path file = folder.resolve("seconds.parquet");
        try (BufferAllocator allocator = new RootAllocator();
                ParquetSink sink = sink(schema, allocator);
                FileWriter writer = new LocalFiles().create(file.toUri().toString())) {
            try (RecordBatch batch = batch(schema, seconds(allocator, 0, -1, 9_000_000_000L))) {
                assertThat(sink.write(batch, 0, 3)).isEqualTo(3);
            }
            sink.open(writer);
            sink.seal();
            sink.flush();
            sink.finish();
            writer.commit();
            try (RecordBatch batch = batch(schema, seconds(allocator, Long.MAX_VALUE / 999))) {
                assertThatExceptionOfType(SpillwayException.class)
                        .isThrownBy(() -> sink.write(batch, 0, 1))
                        .matches(e -> e.code() == ErrorCode.ARITHMETIC_OVERFLOW);
            }
        }
        try (Scans scans = new Scans()) {
            assertThat(scans.task(file, 0).columns().column(0).type())
                    .isEqualTo(ColumnType.parse("timestamp(ms,UTC)"));
            assertThat(scans.all(file, 10))
                    .containsExactly(List.of("0"), List.of("-1000"), List.of("9000000000000"));
        }
    }

    @Test
    void memoryThatIsNotThereIsNotTaken() {
        RowSchema schema = schema("timestamp(s)");
        try (BufferAllocator rows = new RootAllocator();
                BufferAllocator allocator = new RootAllocator(4 << 10);
                ParquetSink sink = sink(schema, allocator);
                RecordBatch batch =
                        batch(schema, seconds(rows, LongStream.range(0, 2_000).toArray()))) {
            assertThatExceptionOfType(OutOfMemoryException.class)
                    .isThrownBy(
                            () -> {
                                while (!sink.isFull()) {
                                    sink.write(batch, 0, 2_000);
                                }
                            });
        }
    }
}
