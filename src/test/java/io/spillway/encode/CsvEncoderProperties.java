package io.spillway.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/** Any schema, any rows, any form of the columns, cut anywhere, read by a library's parser. */
class CsvEncoderProperties {

    private static final int TRIES = 150;

    private static final CsvFormat FORMAT = new CsvFormat(false);

    private static final JsonFormat ARRAYS =
            new JsonFormat(JsonFormat.Layout.LINES, true, false, false);

    @Provide
    Arbitrary<RandomRows> cases() {
        return RandomRows.any();
    }

    /** A field has the text that JSON has, without quotes; nested ones are JSON. */
    @Property(tries = TRIES)
    void whatIsParsedIsWhatWasEncoded(@ForAll("cases") RandomRows c) {
        List<List<@Nullable Object>> values = c.values();
        RowSchema schema = c.schema();
        try (Encoding encoding = new Encoding();
                RecordBatch batch = c.batch(values, 0.5, encoding)) {
            List<List<@Nullable String>> columns = new ArrayList<>();
            for (int i = 0; i < schema.size(); i++) {
                columns.add(fields(batch, i, encoding));
            }
            List<List<@Nullable String>> lines =
                    CsvLines.parse(encoding.all(schema, FORMAT, batch), schema);
            assertThat(lines).hasSize(c.rows());
            for (int r = 0; r < c.rows(); r++) {
                List<@Nullable String> row = new ArrayList<>();
                for (List<@Nullable String> column : columns) {
                    row.add(column.get(r));
                }
                assertThat(lines.get(r)).isEqualTo(row);
            }
        }
    }

    private static List<@Nullable String> fields(RecordBatch batch, int column, Encoding encoding) {
        RowSchema one = new RowSchema(List.of(batch.schema().column(column)));
        ColumnType type = one.column(0).type();
        List<@Nullable String> fields = new ArrayList<>();
        // The column stays the batch's.
        RecordBatch part = new RecordBatch(one, List.of(batch.column(column)), batch.rowCount());
        String json = Encoding.text(encoding.all(one, ARRAYS, part));
        for (String line : json.substring(0, json.length() - 1).split("\n", -1)) {
            String text = line.substring(1, line.length() - 1);
            if (text.equals("null")) {
                fields.add(null);
            } else if (!type.isNested() && text.startsWith("\"")) {
                fields.add(Encoding.STRICT.readTree(text).stringValue());
            } else {
                fields.add(text);
            }
        }
        return fields;
    }

    @Property(tries = TRIES)
    void theFormOfColumnsNeverShows(@ForAll("cases") RandomRows c) {
        List<List<@Nullable Object>> values = c.values();
        try (Encoding encoding = new Encoding();
                RecordBatch plain = c.batch(values, 0, encoding);
                RecordBatch encoded = c.batch(values, 1, encoding);
                RecordBatch mixed = c.batch(values, 0.5, encoding)) {
            byte[] text = encoding.all(c.schema(), FORMAT, plain);
            assertThat(encoding.all(c.schema(), FORMAT, encoded)).isEqualTo(text);
            assertThat(encoding.all(c.schema(), FORMAT, mixed)).isEqualTo(text);
        }
    }

    @Property(tries = TRIES)
    void cutsNeverShow(@ForAll("cases") RandomRows c) {
        Random random = new Random(c.seed());
        try (Encoding encoding = new Encoding();
                RecordBatch batch = c.batch(c.values(), 0.5, encoding);
                BatchEncoder encoder = BatchEncoders.of(c.schema(), FORMAT)) {
            byte[] text = encoding.all(c.schema(), FORMAT, batch);
            ByteArrayOutputStream parts = new ByteArrayOutputStream();
            for (int row = 0; row < c.rows(); ) {
                int to = row + 1 + random.nextInt(Math.min(c.rows() - row, 400));
                if (random.nextBoolean()) {
                    parts.writeBytes(encoding.range(encoder, batch, row, to));
                } else {
                    try (RecordBatch slice = batch.slice(row, to - row)) {
                        parts.writeBytes(encoding.range(encoder, slice, 0, to - row));
                    }
                }
                row = to;
            }
            assertThat(parts.toByteArray()).isEqualTo(text);
        }
    }

    /** Values and names of all the characters that mean something, alone or beside others. */
    @Property(tries = TRIES)
    void everyTextComesBack(@ForAll long seed) {
        Random random = new Random(seed);
        int width = 1 + random.nextInt(3);
        RowSchema schema =
                new RowSchema(
                        IntStream.range(0, width)
                                .mapToObj(i -> Encoding.column(i + text(random), "utf8"))
                                .toList());
        List<List<@Nullable String>> rows = new ArrayList<>();
        for (int r = 0; r < 200; r++) {
            List<@Nullable String> row = new ArrayList<>();
            for (int i = 0; i < width; i++) {
                row.add(random.nextInt(4) == 0 ? null : text(random));
            }
            rows.add(row);
        }
        try (Encoding encoding = new Encoding()) {
            List<ColumnVector> columns = new ArrayList<>();
            for (int i = 0; i < width; i++) {
                List<byte @Nullable []> values = new ArrayList<>();
                for (List<@Nullable String> row : rows) {
                    String text = row.get(i);
                    values.add(text == null ? null : Encoding.utf8(text));
                }
                columns.add(
                        random.nextBoolean()
                                ? Vectors.plain(schema.column(i), values, encoding.allocator)
                                : Vectors.encoded(schema.column(i), values, encoding.allocator));
            }
            try (RecordBatch batch = Vectors.batch(schema, columns)) {
                assertThat(CsvLines.parse(encoding.all(schema, FORMAT, batch), schema))
                        .isEqualTo(rows);
            }
        }
    }

    private static String text(Random random) {
        List<String> parts =
                Arrays.asList("", ",", "\"", "\r", "\n", " ", "NULL", "a", "é", "\t", "#", "1.5");
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(4); i > 0; i--) {
            text.append(parts.get(random.nextInt(parts.size())));
        }
        return text.toString();
    }
}
