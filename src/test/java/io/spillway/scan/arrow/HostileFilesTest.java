package io.spillway.scan.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.flatbuffers.FlatBufferBuilder;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.flatbuf.BodyCompressionMethod;
import org.apache.arrow.flatbuf.CompressionType;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.Null;
import org.apache.arrow.flatbuf.Type;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.message.ArrowBodyCompression;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that claim what is not so: refused by name, before any memory is taken for it. */
class HostileFilesTest {

    private static final Schema TEXT =
            new Schema(
                    List.of(
                            org.apache.arrow.vector.types.pojo.Field.nullable(
                                    "text", ArrowType.Utf8.INSTANCE)));
    private static final Schema NUMBER = schema(true, new ArrowType.Int(64, true));
    private static final Schema REQUIRED = schema(false, new ArrowType.Int(64, true));

    @TempDir Path folder;

    private static Schema schema(boolean nullable, ArrowType type) {
        return new Schema(
                List.of(
                        new org.apache.arrow.vector.types.pojo.Field(
                                "n", new FieldType(nullable, type, null), null)));
    }

    private SpillwayException refused(byte[] bytes, ErrorCode code) throws IOException {
        Path path = Files.write(Files.createTempFile(folder, "bad", ".arrow"), bytes);
        SpillwayException failure =
                catchThrowableOfType(
                        SpillwayException.class,
                        () -> {
                            try (ArrowScans scans = new ArrowScans(8 << 20)) {
                                scans.rows(path, 10);
                            }
                        });
        assertThat(failure).isNotNull();
        assertThat(failure.code()).as(failure.getMessage()).isEqualTo(code);
        assertThat(failure.context()).containsEntry("file", path.toUri().toString());
        return failure;
    }

    private void corrupt(byte[] bytes, String message) throws IOException {
        assertThat(refused(bytes, ErrorCode.FILE_CORRUPT)).hasMessageContaining(message);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] good(boolean isFile) {
        Schema schema = new Schema(List.of(ArrowWriting.encodedTexts("where")));
        try (ArrowWriting writing =
                isFile ? ArrowWriting.file(schema) : ArrowWriting.stream(schema)) {
            return writing.dictionary(false, "a", "b").indices(0, 1).indices(1).end();
        }
    }

    @Test
    void whatIsNoArrowFileIsRefused() throws IOException {
        corrupt(new byte[0], "There is nothing");
        corrupt(bytes("x"), "neither");
        corrupt(bytes("id,text\n1,a\n"), "neither");
        corrupt(bytes("PAR1 and more of it"), "neither");
        corrupt(bytes("ARROW1"), "too few bytes");
        corrupt(bytes("ARROW1\0\0ARROW1\0\0ARROW1\0\0"), "no Arrow magic at the end");
        corrupt(new byte[1000], "neither");
    }

    @Test
    void filesThatAreCutAreRefusedWhereverTheyAre() throws IOException {
        byte[] file = good(true);
        byte[] stream = good(false);
        for (int length = 0; length < file.length; length += 13) {
            refused(Arrays.copyOf(file, length), ErrorCode.FILE_CORRUPT);
        }
        int end = 0;
        for (int length = 0; length < stream.length - 8; length++) {
            Path path = Files.write(folder.resolve("cut.arrow"), Arrays.copyOf(stream, length));
            try (ArrowScans scans = new ArrowScans()) {
                // Between messages a stream may end.
                scans.rows(path, 10);
                end++;
            } catch (SpillwayException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.FILE_CORRUPT);
            }
        }
        assertThat(end).isEqualTo(3);
    }

    @Test
    void lengthsThatDoNotFitAreNotBelieved() throws IOException {
        for (int length : new int[] {Integer.MAX_VALUE, -1, Integer.MIN_VALUE, 0, 1 << 20}) {
            byte[] file = good(true);
            number(file).putInt(file.length - 10, length);
            refused(file, ErrorCode.FILE_CORRUPT);
            byte[] stream = good(false);
            int second = 8 + number(stream).getInt(4);
            number(stream).putInt(second + 4, length == 0 ? 7 : length);
            refused(stream, ErrorCode.FILE_CORRUPT);
        }
    }

    private static ByteBuffer number(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Test
    void nothingMayStandBehindAStream() throws IOException {
        ByteArrayOutputStream two = new ByteArrayOutputStream();
        two.write(good(false));
        two.write(good(false));
        corrupt(two.toByteArray(), "behind the end of the stream");
    }

    @Test
    void batchesThatOverlapAreRefused() throws IOException {
        Schema schema = new Schema(List.of(ArrowWriting.encodedTexts("where")));
        try (ArrowWriting file = ArrowWriting.file(schema)) {
            corrupt(file.dictionary(false, "a").indices(0).twice().end(), "overlap");
        }
    }

    /** A stream of one batch, made by hand. */
    private static byte[] batch(
            Schema schema, int rows, List<ArrowFieldNode> nodes, long[]... buffers) {
        return batch(schema, rows, nodes, null, buffers);
    }

    private static byte[] batch(
            Schema schema,
            int rows,
            List<ArrowFieldNode> nodes,
            @Nullable ArrowBodyCompression compression,
            long[]... buffers) {
        List<ArrowBuf> memory = new ArrayList<>();
        try (RootAllocator allocator = new RootAllocator();
                ArrowWriting stream = ArrowWriting.stream(schema)) {
            for (long[] words : buffers) {
                ArrowBuf buffer = allocator.buffer(8L * words.length);
                for (long word : words) {
                    buffer.writeLong(word);
                }
                memory.add(buffer);
            }
            try (ArrowRecordBatch batch =
                    compression == null
                            ? new ArrowRecordBatch(rows, nodes, memory)
                            : new ArrowRecordBatch(rows, nodes, memory, compression, true)) {
                stream.batch(batch);
            }
            memory.forEach(ArrowBuf::close);
            return stream.end();
        }
    }

    private static List<ArrowFieldNode> node(int length, int nulls) {
        return List.of(new ArrowFieldNode(length, nulls));
    }

    private static final long[] NONE = {};

    @Test
    void countsThatContradictEachOtherAreRefused() throws IOException {
        corrupt(batch(NUMBER, 2, node(3, 0), NONE, new long[3]), "3 values for 2 rows");
        corrupt(batch(NUMBER, 2, node(2, 3), NONE, new long[2]), "2 values, 3 of them null");
        corrupt(batch(NUMBER, 2, node(2, -1), NONE, new long[2]), "2 values, -1 of them null");
        corrupt(batch(NUMBER, 3, node(3, 0), NONE, new long[2]), "16 bytes for 3 values");
        corrupt(batch(NUMBER, 2, node(2, 1), NONE, new long[2]), "no bitmap");
        corrupt(batch(NUMBER, 65, node(65, 1), new long[1], new long[65]), "no bytes");
        corrupt(batch(NUMBER, 2, node(2, 0), NONE), "fewer buffers");
        corrupt(batch(NUMBER, 2, node(2, 0), NONE, new long[2], NONE), "more nodes or buffers");
        corrupt(batch(NUMBER, 2, List.of(), NONE, new long[2]), "fewer nodes");
        corrupt(
                batch(NUMBER, Integer.MAX_VALUE, node(Integer.MAX_VALUE, 0), NONE, new long[2]),
                "16 bytes for 2,147,483,647 values");
    }

    @Test
    void aNullInAColumnWithoutNullsIsRefused() throws IOException {
        SpillwayException failure =
                refused(
                        batch(REQUIRED, 2, node(2, 1), new long[] {1}, new long[2]),
                        ErrorCode.FILE_CORRUPT);
        assertThat(failure).hasMessageContaining("declared to have none");
        assertThat(failure.context()).containsEntry("column", "n").containsEntry("recordBatch", 0);
    }

    @Test
    void offsetsThatGoBackOrBeyondAreRefused() throws IOException {
        long[] data = {0x6161616161616161L};
        // Two values: offsets 0, 5, 3; 0, 3, 9; -1, 3, 5; and too few of them.
        corrupt(batch(TEXT, 2, node(2, 0), NONE, new long[] {5L << 32, 3}, data), "go back");
        corrupt(batch(TEXT, 2, node(2, 0), NONE, new long[] {3L << 32, 9}, data), "no bytes");
        corrupt(
                batch(TEXT, 2, node(2, 0), NONE, new long[] {3L << 32 | 0xFFFFFFFFL, 5}, data),
                "go back");
        corrupt(batch(TEXT, 2, node(2, 0), NONE, new long[] {3L << 32}, data), "no bytes");
    }

    @Test
    void compressedBuffersThatClaimTooMuchAreRefused() throws IOException {
        for (byte codec : new byte[] {CompressionType.LZ4_FRAME, CompressionType.ZSTD}) {
            ArrowBodyCompression how =
                    new ArrowBodyCompression(codec, BodyCompressionMethod.BUFFER);
            for (long raw : new long[] {1L << 40, Long.MIN_VALUE, -2}) {
                corrupt(
                        batch(NUMBER, 2, node(2, 0), how, NONE, new long[] {raw, 1, 2}),
                        "cannot become");
            }
            corrupt(batch(NUMBER, 2, node(2, 0), how, NONE, new long[] {16, 1, 2}), "damaged");
            corrupt(batch(NUMBER, 2, node(2, 0), how, NONE, new long[] {-1, 1}), "no bytes");
        }
    }

    /** A stream of nothing but a schema. */
    private static byte[] schema(short version, short endianness, int depth, String... names) {
        FlatBufferBuilder b = new FlatBufferBuilder();
        int[] fields = new int[names.length];
        for (int i = 0; i < names.length; i++) {
            int name = b.createString(names[i]);
            Null.startNull(b);
            int type = Null.endNull(b);
            int child = Field.createChildrenVector(b, new int[0]);
            fields[i] = field(b, name, Type.Null, type, child);
            for (int d = 0; d < depth; d++) {
                org.apache.arrow.flatbuf.List.startList(b);
                int list = org.apache.arrow.flatbuf.List.endList(b);
                child = Field.createChildrenVector(b, new int[] {fields[i]});
                fields[i] = field(b, name, Type.List, list, child);
            }
        }
        int vector = org.apache.arrow.flatbuf.Schema.createFieldsVector(b, fields);
        org.apache.arrow.flatbuf.Schema.startSchema(b);
        org.apache.arrow.flatbuf.Schema.addEndianness(b, endianness);
        org.apache.arrow.flatbuf.Schema.addFields(b, vector);
        int schema = org.apache.arrow.flatbuf.Schema.endSchema(b);
        Message.startMessage(b);
        Message.addHeaderType(b, MessageHeader.Schema);
        Message.addHeader(b, schema);
        Message.addVersion(b, version);
        Message.finishMessageBuffer(b, Message.endMessage(b));
        byte[] metadata = b.sizedByteArray();
        int padded = (metadata.length + 7) & -8;
        ByteBuffer out = ByteBuffer.allocate(8 + padded).order(ByteOrder.LITTLE_ENDIAN);
        out.putInt(-1).putInt(padded).put(metadata);
        return out.array();
    }

    private static int field(FlatBufferBuilder b, int name, byte kind, int type, int children) {
        Field.startField(b);
        Field.addName(b, name);
        Field.addNullable(b, true);
        Field.addTypeType(b, kind);
        Field.addType(b, type);
        Field.addChildren(b, children);
        return Field.endField(b);
    }

    @Test
    void schemasThatAreNotReadSayWhy() throws IOException {
        Path path =
                Files.write(
                        folder.resolve("fine.arrow"),
                        schema(MetadataVersion.V5, Endianness.Little, 3, "a", "b"));
        try (ArrowScans scans = new ArrowScans()) {
            assertThat(scans.schema(scans.status(path)).names()).containsExactly("a", "b");
        }
        assertThat(
                        refused(
                                schema(MetadataVersion.V5, Endianness.Big, 0, "a"),
                                ErrorCode.FILE_NOT_SUPPORTED))
                .hasMessageContaining("Big-endian");
        assertThat(
                        refused(
                                schema(MetadataVersion.V3, Endianness.Little, 0, "a"),
                                ErrorCode.FILE_NOT_SUPPORTED))
                .hasMessageContaining("version 3");
        assertThat(
                        refused(
                                schema(MetadataVersion.V5, Endianness.Little, 0, "a", "b", "a"),
                                ErrorCode.SCHEMA_MISMATCH))
                .hasMessageContaining("'a'");
        refused(
                schema(MetadataVersion.V5, Endianness.Little, 20_000, "a"),
                ErrorCode.FILE_NOT_SUPPORTED);
    }
}
