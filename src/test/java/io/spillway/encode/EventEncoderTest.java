package io.spillway.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.testing.EventStreamParser;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Rows as server-sent events, read back by a parser as the HTML standard has it. */
class EventEncoderTest {

    private static final RowSchema SCHEMA =
            new RowSchema(List.of(Encoding.column("n", "int64"), Encoding.column("t", "utf8")));

    /** Some ids are longer than others. */
    private static String longId(long next) {
        return "i".repeat(next % 7 == 0 ? 3_000 : 1) + next;
    }

    private static GroupFormat format(long origin, int rowsPerEvent) {
        return new GroupFormat(
                Encoding.ELEMENTS, origin, rowsPerEvent, new RowEvents(n -> "job." + n + ".c"));
    }

    @Test
    void rowsStandInEventsThatTellTheNextRow() {
        assertThat(stream(format(0, 2), 0, 5, batch -> List.of(batch)))
                .isEqualTo(
                        """
                        event: rows
                        data: [{"n":0,"t":"t0"},{"n":1,"t":"t1"}]
                        id: job.2.c

                        event: rows
                        data: [{"n":2,"t":"t2"},{"n":3,"t":"t3"}]
                        id: job.4.c

                        event: rows
                        data: [{"n":4,"t":"t4"}]
                        id: job.5.c

                        """);
    }

    @Test
    void eventsAreCountedFromTheirOrigin() {
        assertThat(stream(format(7, 3), 7, 12, batch -> List.of(batch)))
                .isEqualTo(
                        """
                        event: rows
                        data: [{"n":7,"t":"t7"},{"n":8,"t":"t8"},{"n":9,"t":"t9"}]
                        id: job.10.c

                        event: rows
                        data: [{"n":10,"t":"t10"},{"n":11,"t":"t11"}]
                        id: job.12.c

                        """);
    }

    @ParameterizedTest
    @ValueSource(longs = {7, 10, 13})
    void whereNoEventIsOpenNothingIsClosed(long end) {
        assertThat(BatchEncoders.tail(format(7, 3), end)).isEmpty();
    }

    @Test
    void thereIsNoHead() {
        assertThat(BatchEncoders.head(SCHEMA, format(0, 1))).isEmpty();
    }

    @Test
    void rowsAsArraysStandInEventsToo() {
        JsonFormat arrays = new JsonFormat(JsonFormat.Layout.ARRAY_ELEMENTS, true, true, false);
        GroupFormat format = new GroupFormat(arrays, 0, 2, new RowEvents(Long::toString));
        assertThat(stream(format, 0, 2, batch -> List.of(batch)))
                .isEqualTo("event: rows\ndata: [[\"0\",\"t0\"],[\"1\",\"t1\"]]\nid: 2\n\n");
    }

    @Test
    void rowsWithoutColumnsAreEmptyObjects() {
        RowSchema none = new RowSchema(List.of());
        GroupFormat format = format(0, 2);
        try (Encoding encoding = new Encoding();
                RecordBatch batch = new RecordBatch(none, List.of(), 2);
                BatchEncoder encoder = BatchEncoders.of(none, format)) {
            assertThat(Encoding.text(encoding.range(encoder, batch, 0, 2)))
                    .isEqualTo("event: rows\ndata: [{},{}]\nid: job.2.c\n\n");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void lineBreaksInValuesNeverBreakAnEvent(int rowsPerEvent) {
        String text = "a\r\nevent: evil\rid: 999\n\ndata: x\u2028y\u0000z\u0085\ufeff";
        RowSchema schema = new RowSchema(List.of(Encoding.column("t\r\nid: 9", "utf8")));
        GroupFormat format = format(0, rowsPerEvent);
        try (Encoding encoding = new Encoding();
                RecordBatch batch =
                        Vectors.batch(
                                schema,
                                List.of(
                                        Vectors.plain(
                                                schema.column(0),
                                                List.of(Encoding.utf8(text), Encoding.utf8(text)),
                                                encoding.allocator)));
                BatchEncoder encoder = BatchEncoders.of(schema, format)) {
            List<EventStreamParser.Event> events =
                    EventStreamParser.parse(
                            Encoding.text(encoding.range(encoder, batch, 0, batch.rowCount())));
            assertThat(events).hasSize(2 / rowsPerEvent);
            for (EventStreamParser.Event event : events) {
                assertThat(event.type()).isEqualTo("rows");
                for (JsonNode row : Encoding.STRICT.readTree(event.data())) {
                    assertThat(row.get("t\r\nid: 9").stringValue()).isEqualTo(text);
                }
            }
            assertThat(events.getLast().id()).isEqualTo("job.2.c");
        }
    }

    /** Batches, chunks and encoders are cut anywhere. */
    @Property(tries = 60)
    void cutsNeverShow(
            @ForAll @IntRange(min = 1, max = 700) int rowsPerEvent,
            @ForAll @IntRange(max = 2000) int origin,
            @ForAll long seed) {
        GroupFormat format = format(origin, rowsPerEvent);
        int rows = 1 + new Random(seed).nextInt(6000);
        String whole = stream(format, origin, origin + rows, batch -> List.of(batch));
        assertThat(stream(format, origin, origin + rows, batch -> pieces(batch, new Random(seed))))
                .isEqualTo(whole);
        long next = origin;
        for (EventStreamParser.Event event : EventStreamParser.parse(whole)) {
            JsonNode data = Encoding.STRICT.readTree(event.data());
            for (JsonNode row : data) {
                assertThat(row.get("n").longValue()).isEqualTo(next++);
            }
            assertThat(event.id()).isEqualTo("job." + next + ".c");
            assertThat(data.size() == rowsPerEvent || next == origin + rows).isTrue();
        }
        assertThat(next).isEqualTo(origin + rows);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 100_000})
    void chunksAreBounded(int rowsPerEvent) {
        RowSchema schema = new RowSchema(List.of(Encoding.column("v", "bool")));
        int rows = 20_000;
        try (Encoding encoding = new Encoding();
                RecordBatch batch =
                        Vectors.batch(
                                schema,
                                List.of(
                                        Vectors.plain(
                                                schema.column(0),
                                                Arrays.asList(new Boolean[rows]),
                                                encoding.allocator)));
                BatchEncoder encoder = BatchEncoders.of(schema, format(0, rowsPerEvent))) {
            int most = BatchEncoders.chunkBytes(format(0, rowsPerEvent));
            int chunks = 0;
            long bytes = 0;
            for (int row = 0; row < rows; chunks++) {
                try (EncodedChunk chunk = encoder.encode(batch, 0, row, rows, encoding.allocator)) {
                    assertThat(chunk.length()).isLessThanOrEqualTo(most);
                    row += (int) chunk.rows();
                    bytes += chunk.length();
                }
            }
            assertThat(bytes / chunks).isGreaterThan(most * 7L / 10);
        }
    }

    /** Framing may be larger than the encoder thought: the rows that were made are made again. */
    @Test
    void chunksAreBoundedWhateverTheIdsAre() {
        GroupFormat format =
                new GroupFormat(Encoding.ELEMENTS, 0, 1, new RowEvents(EventEncoderTest::longId));
        int rows = 700;
        try (Encoding encoding = new Encoding();
                RecordBatch batch = batch(0, rows, encoding);
                BatchEncoder encoder = BatchEncoders.of(SCHEMA, format)) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            for (int row = 0; row < rows; ) {
                try (EncodedChunk chunk = encoder.encode(batch, 0, row, rows, encoding.allocator)) {
                    assertThat(chunk.length())
                            .isLessThanOrEqualTo(BatchEncoders.chunkBytes(format));
                    byte[] bytes = new byte[chunk.length()];
                    chunk.bytes().getBytes(0, bytes);
                    out.writeBytes(bytes);
                    row += (int) chunk.rows();
                }
            }
            List<EventStreamParser.Event> events =
                    EventStreamParser.parse(Encoding.text(out.toByteArray()));
            assertThat(events).hasSize(rows);
            for (int i = 0; i < rows; i++) {
                assertThat(events.get(i).data()).startsWith("[{\"n\":" + i + ",");
                assertThat(events.get(i).id()).isEqualTo(longId(i + 1));
            }
        }
    }

    @Test
    void aRowLargerThanAChunkIsAnEventLikeOthers() {
        RowSchema schema = new RowSchema(List.of(Encoding.column("t", "utf8")));
        byte[] large = new byte[1 << 20];
        Arrays.fill(large, (byte) '\n');
        try (Encoding encoding = new Encoding();
                RecordBatch batch =
                        Vectors.batch(
                                schema,
                                List.of(
                                        Vectors.plain(
                                                schema.column(0),
                                                List.of(large, large, Encoding.utf8("x")),
                                                encoding.allocator)));
                BatchEncoder encoder = BatchEncoders.of(schema, format(0, 2))) {
            List<EventStreamParser.Event> events =
                    EventStreamParser.parse(
                            Encoding.text(encoding.range(encoder, batch, 0, 3))
                                    + Encoding.text(BatchEncoders.tail(format(0, 2), 3)));
            assertThat(events).hasSize(2);
            JsonNode first = Encoding.STRICT.readTree(events.get(0).data());
            assertThat(first.get(0).get("t").stringValue()).hasSize(1 << 20);
            assertThat(first.get(1).get("t").stringValue()).hasSize(1 << 20);
            assertThat(Encoding.STRICT.readTree(events.get(1).data()).get(0).get("t").stringValue())
                    .isEqualTo("x");
        }
    }

    private interface Cut {
        /** Batches of the same rows; the given one stays the caller's. */
        List<RecordBatch> of(RecordBatch all);
    }

    private static List<RecordBatch> pieces(RecordBatch all, Random random) {
        List<RecordBatch> pieces = new ArrayList<>();
        for (int row = 0; row < all.rowCount(); ) {
            int count = Math.min(1 + random.nextInt(1500), all.rowCount() - row);
            pieces.add(all.slice(row, count));
            row += count;
        }
        return pieces;
    }

    /** The events of rows {@code [from, to)}, each piece by an encoder of its own. */
    private static String stream(GroupFormat format, long from, long to, Cut cut) {
        try (Encoding encoding = new Encoding();
                RecordBatch all = batch(from, (int) (to - from), encoding)) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            List<RecordBatch> pieces = cut.of(all);
            long first = from;
            for (RecordBatch piece : pieces) {
                try (BatchEncoder encoder = BatchEncoders.of(SCHEMA, format)) {
                    for (int row = 0; row < piece.rowCount(); ) {
                        try (EncodedChunk chunk =
                                encoder.encode(
                                        piece, first, row, piece.rowCount(), encoding.allocator)) {
                            byte[] bytes = new byte[chunk.length()];
                            chunk.bytes().getBytes(0, bytes);
                            out.writeBytes(bytes);
                            row += (int) chunk.rows();
                        }
                    }
                }
                first += piece.rowCount();
                if (piece != all) {
                    piece.close();
                }
            }
            out.writeBytes(BatchEncoders.tail(format, to));
            return Encoding.text(out.toByteArray());
        }
    }

    private static RecordBatch batch(long first, int rows, Encoding encoding) {
        List<Long> numbers = IntStream.range(0, rows).mapToObj(i -> first + i).toList();
        List<byte[]> texts = numbers.stream().map(n -> Encoding.utf8("t" + n)).toList();
        return Vectors.batch(
                SCHEMA,
                List.of(
                        Vectors.plain(SCHEMA.column(0), numbers, encoding.allocator),
                        Vectors.encoded(SCHEMA.column(1), texts, encoding.allocator)));
    }
}
