package io.spillway.encode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.error.SpillwayException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/** Neighbouring dictionary columns, which an encoder that has seen some rows writes as one. */
class FoldedColumnsProperties {

    private static final int TRIES = 60;
    private static final byte[] INVALID = {'a', (byte) 0xff};

    /** The values of a column: how many there are, and what they look like. */
    enum Kind {
        NULLS("int64"),
        ONE("int64"),
        FEW("int64"),
        DOZENS("int64"),
        THOUSANDS("int64"),
        ESCAPES("utf8"),
        LONG("utf8");

        private final String type;

        Kind(String type) {
            this.type = type;
        }
    }

    record Case(List<Kind> kinds, List<Integer> batches, boolean arrays, long seed) {

        JsonFormat format() {
            return new JsonFormat(JsonFormat.Layout.LINES, arrays, false, false);
        }

        RowSchema schema() {
            List<ColumnSchema> columns = new ArrayList<>();
            for (int i = 0; i < kinds.size(); i++) {
                String name = (i % 3 == 0 ? "column " : "c") + i;
                columns.add(Encoding.column(name, kinds.get(i).type));
            }
            return new RowSchema(columns);
        }

        /** Columns of which each may have a null now and then. */
        List<List<@Nullable Object>> values(int rows, Random random) {
            List<List<@Nullable Object>> columns = new ArrayList<>();
            for (Kind kind : kinds) {
                int nulls = random.nextInt(3);
                List<@Nullable Object> column = new ArrayList<>();
                for (int r = 0; r < rows; r++) {
                    boolean isNull = nulls > 0 && random.nextInt(4 * nulls) == 0;
                    column.add(isNull ? null : value(kind, random));
                }
                columns.add(column);
            }
            return columns;
        }
    }

    private static @Nullable Object value(Kind kind, Random random) {
        return switch (kind) {
            case NULLS -> null;
            case ONE -> 1L;
            case FEW -> random.nextLong(5) << 30;
            case DOZENS -> random.nextLong(50);
            case THOUSANDS -> random.nextLong(3000);
            case ESCAPES -> "\"\n\\é".repeat(random.nextInt(4)).getBytes(StandardCharsets.UTF_8);
            case LONG ->
                    "x"
                            .repeat(random.nextInt(12) * random.nextInt(12))
                            .getBytes(StandardCharsets.UTF_8);
        };
    }

    @Provide
    Arbitrary<Case> cases() {
        return Combinators.combine(
                        Arbitraries.of(Kind.class).list().ofMinSize(2).ofMaxSize(9),
                        Arbitraries.integers().between(1, 3000).list().ofMinSize(1).ofMaxSize(4),
                        Arbitraries.of(true, false),
                        Arbitraries.longs())
                .as(Case::new);
    }

    /** Dictionaries stay for some batches, then change; columns come plain now and then. */
    @Property(tries = TRIES)
    void foldingNeverShows(@ForAll("cases") Case c) {
        Random random = new Random(c.seed);
        RowSchema schema = c.schema();
        try (Encoding encoding = new Encoding();
                BatchEncoder encoder = BatchEncoders.of(schema, c.format())) {
            for (int rows : c.batches) {
                List<List<@Nullable Object>> values = c.values(rows, random);
                try (RecordBatch plain = batch(schema, values, 0, random, encoding);
                        RecordBatch mixed = batch(schema, values, 0.9, random, encoding)) {
                    byte[] text = encoding.all(schema, c.format(), plain);
                    assertThat(slices(encoder, mixed, random, encoding)).isEqualTo(text);
                    assertThat(encoding.range(encoder, mixed, 0, rows)).isEqualTo(text);
                }
            }
        }
    }

    private static RecordBatch batch(
            RowSchema schema,
            List<List<@Nullable Object>> values,
            double encoded,
            Random random,
            Encoding encoding) {
        List<ColumnVector> vectors = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            ColumnSchema column = schema.column(i);
            vectors.add(
                    random.nextDouble() < encoded
                            ? Vectors.encoded(
                                    column, values.get(i), 0.01, random, encoding.allocator)
                            : Vectors.plain(column, values.get(i), encoding.allocator));
        }
        return Vectors.batch(schema, vectors);
    }

    /** A batch's text, read in batches with the same dictionaries. */
    private static byte[] slices(
            BatchEncoder encoder, RecordBatch batch, Random random, Encoding encoding) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        for (int row = 0; row < batch.rowCount(); ) {
            int count = 1 + random.nextInt(batch.rowCount() - row);
            try (RecordBatch slice = batch.slice(row, count)) {
                text.writeBytes(encoding.range(encoder, slice, 0, count));
            }
            row += count;
        }
        return text.toByteArray();
    }

    /** Where chunks end follows from their rows, whatever the encoder has seen before. */
    @Property(tries = TRIES / 4)
    void whatWasSeenBeforeMovesNoBorder(@ForAll("cases") Case c) {
        Random random = new Random(c.seed);
        RowSchema schema = c.schema();
        List<List<@Nullable Object>> values = c.values(3000, random);
        try (Encoding encoding = new Encoding();
                RecordBatch batch = batch(schema, values, 0.9, random, encoding);
                BatchEncoder used = BatchEncoders.of(schema, c.format())) {
            encoding.range(used, batch, random.nextInt(2000), 3000);
            for (int row = 0; row < 3000; ) {
                try (BatchEncoder fresh = BatchEncoders.of(schema, c.format());
                        EncodedChunk expected =
                                fresh.encode(batch, 0, row, 3000, encoding.allocator);
                        EncodedChunk chunk = used.encode(batch, 0, row, 3000, encoding.allocator)) {
                    assertThat(chunk.rows()).isEqualTo(expected.rows());
                    row += (int) chunk.rows();
                }
            }
        }
    }

    /** Errors name a column and its first row that has no text, and leave the encoder usable. */
    @Property(tries = TRIES)
    void textThatIsNoneIsNamed(@ForAll("cases") Case c) {
        Random random = new Random(c.seed);
        RowSchema schema = c.schema();
        int rows = 3000;
        int from = random.nextInt(rows);
        List<List<@Nullable Object>> values = c.values(rows, random);
        for (int i = 0; i < values.size(); i++) {
            if (c.kinds.get(i).type.equals("utf8")) {
                for (int k = random.nextInt(4); k > 0; k--) {
                    values.get(i).set(from + random.nextInt(rows - from), INVALID);
                }
            }
        }
        try (Encoding encoding = new Encoding();
                RecordBatch batch = batch(schema, values, 1, random, encoding);
                BatchEncoder encoder = BatchEncoders.of(schema, c.format())) {
            byte[] good = encoding.range(encoder, batch, 0, from);
            int firstBad = rows;
            for (List<@Nullable Object> column : values) {
                firstBad = Math.min(firstBad, first(column, from));
            }
            if (firstBad < rows) {
                SpillwayException failure =
                        catchThrowableOfType(
                                SpillwayException.class,
                                () -> encoding.range(encoder, batch, from, rows));
                Object name = failure.context().get(SpillwayException.COLUMN);
                int column = schema.indexOf(String.valueOf(name));
                assertThat(failure.context().get(SpillwayException.ROW))
                        .isEqualTo(first(values.get(column), from));
            }
            // Rows in front of the first bad one are as they were.
            try (BatchEncoder fresh = BatchEncoders.of(schema, c.format())) {
                assertThat(encoding.range(encoder, batch, from, firstBad))
                        .isEqualTo(encoding.range(fresh, batch, from, firstBad));
                assertThat(encoding.range(fresh, batch, 0, from)).isEqualTo(good);
            }
        }
    }

    private static int first(List<@Nullable Object> values, int from) {
        for (int r = from; r < values.size(); r++) {
            if (values.get(r) instanceof byte[] bytes && Arrays.equals(bytes, INVALID)) {
                return r;
            }
        }
        return values.size();
    }
}
