package io.spillway.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.jspecify.annotations.Nullable;

/** Any schema, any rows, any form of the columns, cut anywhere, read by Arrow's own reader. */
class ArrowEncoderProperties {

    private static final int TRIES = 150;

    private static final ArrowFormat FORMAT = new ArrowFormat(false);

    @Provide
    Arbitrary<RandomRows> cases() {
        return RandomRows.any();
    }

    @Property(tries = TRIES)
    void whatIsReadIsWhatWasEncoded(@ForAll("cases") RandomRows c) throws IOException {
        List<List<@Nullable Object>> values = c.values();
        try (Encoding encoding = new Encoding();
                RecordBatch batch = c.batch(values, 0.5, encoding)) {
            byte[] stream = stream(batch, FORMAT, encoding, new Random(c.seed()), false);
            assertThat(json(stream, c.schema(), encoding))
                    .isEqualTo(Encoding.text(encoding.all(c.schema(), Encoding.LINES, batch)));
        }
    }

    /** Slices, and encoders that see several of them; what a form hides never shows. */
    @Property(tries = TRIES)
    void cutsAndFormsNeverShowInValues(@ForAll("cases") RandomRows c) throws IOException {
        List<List<@Nullable Object>> values = c.values();
        try (Encoding encoding = new Encoding();
                RecordBatch batch = c.batch(values, 0.5, encoding)) {
            byte[] stream = stream(batch, FORMAT, encoding, new Random(c.seed()), true);
            assertThat(json(stream, c.schema(), encoding))
                    .isEqualTo(Encoding.text(encoding.all(c.schema(), Encoding.LINES, batch)));
        }
    }

    @Property(tries = TRIES)
    void bytesAreThoseOfTheValuesAlone(@ForAll("cases") RandomRows c) {
        List<List<@Nullable Object>> values = c.values();
        try (Encoding encoding = new Encoding();
                RecordBatch plain = c.batch(values, 0, encoding);
                RecordBatch encoded = c.batch(values, 1, encoding)) {
            assertThat(stream(encoded, FORMAT, encoding, new Random(), false))
                    .isEqualTo(stream(plain, FORMAT, encoding, new Random(), false));
        }
    }

    /** Byte for byte, where Arrow's writer is given values that hide nothing. */
    @Property(tries = TRIES)
    void bytesAreThoseOfArrowsOwnWriter(@ForAll("cases") RandomRows c) throws IOException {
        List<List<@Nullable Object>> values = c.values();
        RowSchema schema = c.schema();
        try (Encoding encoding = new Encoding()) {
            List<FieldVector> vectors = new ArrayList<>();
            List<ColumnVector> columns = new ArrayList<>();
            for (int i = 0; i < schema.size(); i++) {
                ColumnSchema column = schema.column(i);
                FieldVector vector =
                        Vectors.nested(column, values.get(i), null, encoding.allocator);
                vectors.add(vector);
                columns.add(new ColumnVector.Plain(vector));
            }
            ByteArrayOutputStream theirs = new ByteArrayOutputStream();
            try (RecordBatch batch = Vectors.batch(schema, columns)) {
                VectorSchemaRoot root =
                        new VectorSchemaRoot(schema.toArrow(), vectors, batch.rowCount());
                try (ArrowStreamWriter writer = new ArrowStreamWriter(root, null, theirs)) {
                    writer.writeBatch();
                }
                // Larger batches are cut, which Arrow's writer leaves to its caller.
                Assume.that(theirs.size() < ArrowEncoder.BODY_BYTES);
                assertThat(stream(batch, FORMAT, encoding, new Random(), false))
                        .isEqualTo(theirs.toByteArray());
            }
        }
    }

    /** A whole stream, of slices if it is to be cut. */
    static byte[] stream(
            RecordBatch batch, ArrowFormat format, Encoding encoding, Random random, boolean cut) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(BatchEncoders.head(batch.schema(), format));
        try (BatchEncoder encoder = BatchEncoders.of(batch.schema(), format)) {
            int rows = batch.rowCount();
            for (int row = 0; row < rows; ) {
                int to = cut ? row + 1 + random.nextInt(Math.min(rows - row, 300)) : rows;
                if (cut && random.nextBoolean()) {
                    try (RecordBatch slice = batch.slice(row, to - row)) {
                        out.writeBytes(encoding.range(encoder, slice, 0, to - row));
                    }
                } else {
                    out.writeBytes(encoding.range(encoder, batch, row, to));
                }
                row = to;
            }
        }
        out.writeBytes(BatchEncoders.tail(format, batch.rowCount()));
        return out.toByteArray();
    }

    /** The rows of a stream as NDJSON. */
    static String json(byte[] stream, RowSchema schema, Encoding encoding) throws IOException {
        StringBuilder text = new StringBuilder();
        try (ArrowStreamReader reader =
                new ArrowStreamReader(new ByteArrayInputStream(stream), encoding.allocator)) {
            VectorSchemaRoot root = reader.getVectorSchemaRoot();
            assertThat(root.getSchema()).isEqualTo(schema.toArrow());
            while (reader.loadNextBatch()) {
                List<ColumnVector> columns = new ArrayList<>();
                for (FieldVector vector : root.getFieldVectors()) {
                    columns.add(new ColumnVector.Plain(vector));
                }
                // The vectors stay the reader's.
                RecordBatch batch = new RecordBatch(schema, columns, root.getRowCount());
                text.append(Encoding.text(encoding.all(schema, Encoding.LINES, batch)));
            }
            assertThat(reader.bytesRead()).isEqualTo(stream.length);
        }
        return text.toString();
    }
}
