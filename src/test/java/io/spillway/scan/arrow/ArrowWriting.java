package io.spillway.scan.arrow;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.WriteChannel;
import org.apache.arrow.vector.ipc.message.ArrowBlock;
import org.apache.arrow.vector.ipc.message.ArrowDictionaryBatch;
import org.apache.arrow.vector.ipc.message.ArrowFooter;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/** Writes files and streams message by message, in any order, by Arrow's own serialization. */
public final class ArrowWriting implements AutoCloseable {

    private final RootAllocator allocator = new RootAllocator();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final WriteChannel out = new WriteChannel(Channels.newChannel(bytes));
    private final Schema schema;
    private final boolean isFile;
    private final List<ArrowBlock> dictionaries = new ArrayList<>();
    private final List<ArrowBlock> batches = new ArrayList<>();

    private ArrowWriting(Schema schema, boolean isFile) {
        this.schema = schema;
        this.isFile = isFile;
        run(
                () -> {
                    if (isFile) {
                        out.write("ARROW1".getBytes(StandardCharsets.US_ASCII));
                        out.align();
                    }
                    MessageSerializer.serialize(out, schema);
                });
    }

    /** A file of a schema. */
    public static ArrowWriting file(Schema schema) {
        return new ArrowWriting(schema, true);
    }

    /** A stream of a schema. */
    public static ArrowWriting stream(Schema schema) {
        return new ArrowWriting(schema, false);
    }

    /** A column of texts that has dictionary 7. */
    public static Field encodedTexts(String name) {
        return new Field(
                name,
                new FieldType(
                        true,
                        ArrowType.Utf8.INSTANCE,
                        new DictionaryEncoding(7, false, new ArrowType.Int(32, true))),
                null);
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void run(Work work) {
        try {
            work.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    RootAllocator allocator() {
        return allocator;
    }

    /** Entries of dictionary 7, which are texts. */
    public ArrowWriting dictionary(boolean isDelta, @Nullable String... entries) {
        try (VarCharVector texts = new VarCharVector("entries", allocator)) {
            for (int i = 0; i < entries.length; i++) {
                String entry = entries[i];
                if (entry == null) {
                    texts.setNull(i);
                } else {
                    texts.setSafe(i, entry.getBytes(StandardCharsets.UTF_8));
                }
            }
            texts.setValueCount(entries.length);
            try (ArrowRecordBatch batch = unload(List.of(texts), entries.length);
                    ArrowDictionaryBatch all = new ArrowDictionaryBatch(7, batch, isDelta)) {
                run(() -> dictionaries.add(MessageSerializer.serialize(out, all)));
            }
            return this;
        }
    }

    /** A record batch of one column of indices. */
    public ArrowWriting indices(@Nullable Integer... indices) {
        try (var vector = new org.apache.arrow.vector.IntVector("indices", allocator)) {
            for (int i = 0; i < indices.length; i++) {
                Integer index = indices[i];
                if (index == null) {
                    vector.setNull(i);
                } else {
                    vector.setSafe(i, index);
                }
            }
            vector.setValueCount(indices.length);
            return batch(List.of(vector), indices.length);
        }
    }

    /** A record batch; the columns stay the caller's. */
    public ArrowWriting batch(List<FieldVector> columns, int rows) {
        try (ArrowRecordBatch batch = unload(columns, rows)) {
            run(() -> batches.add(MessageSerializer.serialize(out, batch)));
        }
        return this;
    }

    /** A record batch as it is made, whether it makes sense or not. */
    ArrowWriting batch(ArrowRecordBatch batch) {
        run(() -> batches.add(MessageSerializer.serialize(out, batch)));
        return this;
    }

    /** The footer names the last record batch twice. */
    ArrowWriting twice() {
        batches.add(batches.getLast());
        return this;
    }

    private static ArrowRecordBatch unload(List<FieldVector> columns, int rows) {
        List<Field> fields = columns.stream().map(FieldVector::getField).toList();
        return new VectorUnloader(new VectorSchemaRoot(fields, columns, rows)).getRecordBatch();
    }

    /** All bytes, with the end of a stream, and the footer of a file. */
    public byte[] end() {
        run(
                () -> {
                    out.writeIntLittleEndian(-1);
                    out.writeIntLittleEndian(0);
                    if (isFile) {
                        long from = out.getCurrentPosition();
                        out.write(new ArrowFooter(schema, dictionaries, batches), false);
                        out.writeIntLittleEndian((int) (out.getCurrentPosition() - from));
                        out.write("ARROW1".getBytes(StandardCharsets.US_ASCII));
                    }
                });
        return bytes.toByteArray();
    }

    /** The file's record batches come in the opposite order. */
    ArrowWriting reversed() {
        Collections.reverse(batches);
        return this;
    }

    @Override
    public void close() {
        allocator.close();
    }
}
