package io.spillway.encode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.Dictionary;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the properties of Arrow streams do not reach. */
class ArrowEncoderTest {

    private static final ArrowFormat FORMAT = new ArrowFormat(false);
    private static final byte[] INVALID = {'a', (byte) 0xc3, 'b', (byte) 0xe2, (byte) 0x82};

    private final Encoding encoding = new Encoding();

    @AfterEach
    void everythingIsFreed() {
        encoding.close();
    }

    @Test
    void noRowsAreASchemaAndAnEnd() throws IOException {
        RowSchema schema = schema("list<struct<a utf8,b decimal(3,1)>>");
        try (RecordBatch batch = batch(schema, List.of())) {
            byte[] stream = stream(batch, FORMAT);
            assertThat(ArrowEncoderProperties.json(stream, schema, encoding)).isEmpty();
            assertThat(stream)
                    .hasSize(
                            BatchEncoders.head(schema, FORMAT).length
                                    + BatchEncoders.tail(FORMAT, 0).length);
        }
    }

    @Test
    void rowsWithoutColumnsAreCounted() throws IOException {
        RowSchema schema = new RowSchema(List.of());
        try (RecordBatch batch = new RecordBatch(schema, List.of(), 3)) {
            assertThat(ArrowEncoderProperties.json(stream(batch, FORMAT), schema, encoding))
                    .isEqualTo("{}\n{}\n{}\n");
        }
    }

    @Test
    void aBatchIsOneMessage() {
        RowSchema schema = schema("int64");
        List<Long> values = Collections.nCopies(200_000, 1L);
        try (RecordBatch batch = batch(schema, values);
                BatchEncoder encoder = BatchEncoders.of(schema, FORMAT);
                EncodedChunk chunk = encoder.encode(batch, 0, 0, 200_000, encoding.allocator)) {
            assertThat(chunk.rows()).isEqualTo(200_000);
        }
    }

    /** 2,200 rows of one text of a mebibyte, which a dictionary holds once. */
    @Test
    void messagesAreBoundedWhateverADictionaryUnfoldsTo() {
        RowSchema schema = schema("utf8");
        int rows = 2200;
        byte[] text = new byte[1 << 20];
        Arrays.fill(text, (byte) 'x');
        VarCharVector entries = new VarCharVector("entries", encoding.allocator);
        entries.setSafe(0, text);
        entries.setValueCount(1);
        IntVector indices = new IntVector("indices", encoding.allocator);
        indices.allocateNew(rows);
        for (int i = 0; i < rows; i++) {
            indices.set(i, 0);
        }
        indices.setValueCount(rows);
        try (RecordBatch batch =
                        Vectors.batch(
                                schema,
                                List.of(
                                        new ColumnVector.Encoded(
                                                indices, new Dictionary(entries))));
                BatchEncoder encoder = BatchEncoders.of(schema, FORMAT)) {
            for (int row : new int[] {0, 3, 1000, 2199}) {
                try (EncodedChunk chunk = encoder.encode(batch, 0, row, rows, encoding.allocator)) {
                    assertThat(chunk.rows()).isEqualTo(Math.min(3, rows - row));
                    assertThat(chunk.length()).isLessThan(BatchEncoders.chunkBytes(FORMAT));
                }
            }
        }
    }

    @Test
    void aRowLargerThanAMessageGoesAlone() throws IOException {
        RowSchema schema = schema("binary");
        byte[] large = new byte[5 << 20];
        new Random(1).nextBytes(large);
        try (RecordBatch batch = batch(schema, List.of(new byte[1], large, new byte[2]))) {
            byte[] stream = stream(batch, FORMAT);
            try (ArrowStreamReader reader = reader(stream)) {
                List<Object> read = new ArrayList<>();
                while (reader.loadNextBatch()) {
                    VectorSchemaRoot root = reader.getVectorSchemaRoot();
                    assertThat(root.getRowCount()).isEqualTo(1);
                    read.add(root.getVector(0).getObject(0));
                }
                assertThat(read).containsExactly(new byte[1], large, new byte[2]);
            }
        }
    }

    @Test
    void numbersKeepTheirBits() throws IOException {
        RowSchema schema = schema("float64");
        double payload = Double.longBitsToDouble(0x7ff8_0000_0000_0abcL);
        List<Double> values = Arrays.asList(1.5, payload, Double.NEGATIVE_INFINITY, -0.0, null);
        try (RecordBatch batch = batch(schema, values);
                ArrowStreamReader reader = reader(stream(batch, FORMAT))) {
            reader.loadNextBatch();
            Float8Vector read = (Float8Vector) reader.getVectorSchemaRoot().getVector(0);
            for (int i = 0; i < values.size(); i++) {
                Double value = values.get(i);
                assertThat(read.isNull(i)).isEqualTo(value == null);
                assertThat(read.getDataBuffer().getLong(8L * i))
                        .isEqualTo(value == null ? 0 : Double.doubleToRawLongBits(value));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void invalidTextIsAnErrorThatNamesColumnAndRow(boolean encoded) {
        RowSchema schema = schema("utf8");
        List<byte @Nullable []> values =
                Arrays.asList(Encoding.utf8("é"), null, Encoding.utf8("x"), INVALID);
        try (RecordBatch batch = batch(schema, values, encoded)) {
            assertInvalid(batch, 3);
        }
    }

    /** Together they are well-formed: each of them is not. */
    @Test
    void aCharacterThatIsCutByABorderIsInvalid() {
        RowSchema schema = schema("utf8");
        List<byte[]> values =
                List.of(Encoding.utf8("a"), new byte[] {(byte) 0xc3}, new byte[] {(byte) 0xa9});
        try (RecordBatch batch = batch(schema, values)) {
            assertInvalid(batch, 1);
        }
    }

    @Test
    void invalidTextIsFoundInNestedValues() {
        RowSchema schema = schema("list<struct<m map<int32,utf8>>>");
        Object valid = List.of(List.of(List.of(List.of(1L, Encoding.utf8("v")))));
        Object invalid = List.of(List.of(List.of(List.of(1L, INVALID))));
        List<@Nullable Object> values = Arrays.asList(valid, null, List.of(), valid, invalid);
        try (RecordBatch batch = batch(schema, values)) {
            assertInvalid(batch, 4);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void invalidTextIsReplacedIfThatIsAsked(boolean encoded) throws IOException {
        RowSchema schema = schema("utf8");
        byte[] long1 = new byte[20_000];
        Arrays.fill(long1, (byte) 'x');
        long1[19_999] = (byte) 0xff;
        List<byte @Nullable []> values =
                Arrays.asList(Encoding.utf8("é"), null, INVALID, long1, new byte[0]);
        ArrowFormat replaced = new ArrowFormat(true);
        try (RecordBatch batch = batch(schema, values, encoded)) {
            assertThat(ArrowEncoderProperties.json(stream(batch, replaced), schema, encoding))
                    .isEqualTo(
                            Encoding.text(
                                    encoding.all(
                                            schema,
                                            new JsonFormat(
                                                    JsonFormat.Layout.LINES, false, false, true),
                                            batch)));
        }
    }

    @Test
    void keysOfMapsAreNotRepaired() {
        RowSchema schema = schema("map<utf8,int32>");
        try (RecordBatch batch = batch(schema, List.of(List.of(List.of(INVALID, 1L))))) {
            assertThatThrownBy(() -> stream(batch, new ArrowFormat(true)))
                    .isInstanceOf(SpillwayException.class);
        }
    }

    @Test
    void aMessageThatDoesNotFitIsATypedError() {
        RowSchema schema = schema("int64");
        try (RecordBatch batch = batch(schema, Collections.nCopies(10_000, 1L));
                BufferAllocator small =
                        encoding.allocator.newChildAllocator("a small reader", 0, 1024);
                BatchEncoder encoder = BatchEncoders.of(schema, FORMAT)) {
            assertThatThrownBy(() -> encoder.encode(batch, 0, 0, 10_000, small))
                    .isInstanceOfSatisfying(
                            SpillwayException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.MEMORY_LIMIT));
        }
    }

    @Test
    void theSchemaHasNoMetadataAndNoDictionaries() throws IOException {
        RowSchema schema =
                new RowSchema(
                        List.of(
                                new ColumnSchema("k", ColumnType.parse("utf8"), false),
                                Encoding.column("t", "timestamp(ns,UTC)")));
        try (RecordBatch batch = batch(schema, List.of(Encoding.utf8("a")), List.of(1L));
                ArrowStreamReader reader = reader(stream(batch, FORMAT))) {
            assertThat(reader.getVectorSchemaRoot().getSchema()).isEqualTo(schema.toArrow());
            assertThat(reader.getVectorSchemaRoot().getSchema().getCustomMetadata()).isEmpty();
            assertThat(reader.getDictionaryVectors()).isEmpty();
            for (FieldVector vector : reader.getVectorSchemaRoot().getFieldVectors()) {
                assertThat(vector.getField().getMetadata()).isEmpty();
            }
        }
    }

    private void assertInvalid(RecordBatch batch, int row) {
        assertThatThrownBy(() -> stream(batch, FORMAT))
                .isInstanceOfSatisfying(
                        SpillwayException.class,
                        e -> {
                            assertThat(e.code()).isEqualTo(ErrorCode.INVALID_TEXT);
                            assertThat(e.context())
                                    .containsEntry(SpillwayException.COLUMN, "v0")
                                    .containsEntry(SpillwayException.ROW, row);
                        });
    }

    private byte[] stream(RecordBatch batch, ArrowFormat format) {
        return ArrowEncoderProperties.stream(batch, format, encoding, new Random(), false);
    }

    private ArrowStreamReader reader(byte[] stream) {
        return new ArrowStreamReader(new ByteArrayInputStream(stream), encoding.allocator);
    }

    private static RowSchema schema(String... types) {
        List<ColumnSchema> columns = new ArrayList<>();
        for (int i = 0; i < types.length; i++) {
            columns.add(Encoding.column("v" + i, types[i]));
        }
        return new RowSchema(columns);
    }

    private RecordBatch batch(RowSchema schema, List<?>... columns) {
        List<ColumnVector> vectors = new ArrayList<>();
        for (int i = 0; i < columns.length; i++) {
            vectors.add(Vectors.plain(schema.column(i), columns[i], encoding.allocator));
        }
        return Vectors.batch(schema, vectors);
    }

    private RecordBatch batch(RowSchema schema, List<?> values, boolean encoded) {
        ColumnSchema column = schema.column(0);
        return Vectors.batch(
                schema,
                List.of(
                        encoded
                                ? Vectors.encoded(column, values, encoding.allocator)
                                : Vectors.plain(column, values, encoding.allocator)));
    }
}
