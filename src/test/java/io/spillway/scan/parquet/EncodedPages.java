package io.spillway.scan.parquet;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.OffHeap;
import io.spillway.memory.MemoryPool;
import io.spillway.scan.bytes.Bits;
import io.spillway.scan.bytes.Buffers;
import io.spillway.scan.parquet.bytes.Place;
import io.spillway.scan.parquet.page.Page;
import io.spillway.scan.parquet.value.ValueDecoder;
import io.spillway.scan.parquet.value.ValueDecoders;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.FieldVector;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.values.ValuesWriter;
import org.apache.parquet.column.values.bytestreamsplit.ByteStreamSplitValuesWriter;
import org.apache.parquet.column.values.delta.DeltaBinaryPackingValuesWriterForInteger;
import org.apache.parquet.column.values.delta.DeltaBinaryPackingValuesWriterForLong;
import org.apache.parquet.column.values.deltalengthbytearray.DeltaLengthByteArrayValuesWriter;
import org.apache.parquet.column.values.deltastrings.DeltaByteArrayWriter;
import org.apache.parquet.column.values.plain.FixedLenByteArrayPlainValuesWriter;
import org.apache.parquet.column.values.plain.PlainValuesWriter;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.jspecify.annotations.Nullable;

/** Values of single pages, written by parquet-java's encoders and read by the decoders alone. */
public final class EncodedPages implements AutoCloseable {

    private static final int SLAB = 64;
    private static final int MAX_BYTES = 1 << 24;
    private static final HeapByteBufferAllocator HEAP = new HeapByteBufferAllocator();

    /**
     * What a column is.
     *
     * @param length bytes of a value, for {@code FIXED_LEN_BYTE_ARRAY}
     */
    public record Column(PrimitiveTypeName physical, int length, ColumnType type) {

        ColumnSchema schema() {
            return new ColumnSchema("c", type, true);
        }
    }

    final MemoryPool pool = MemoryPool.root(1L << 28);

    /** The page's bytes: Integer, Long, Float, Double or byte[] values, without nulls. */
    public static byte[] write(
            Column column, Encoding encoding, List<? extends @Nullable Object> values)
            throws IOException {
        try (ValuesWriter writer = writer(column, encoding)) {
            for (Object value : values) {
                switch (value) {
                    case null -> {}
                    case Integer v -> writer.writeInteger(v);
                    case Long v -> writer.writeLong(v);
                    case Float v -> writer.writeFloat(v);
                    case Double v -> writer.writeDouble(v);
                    case byte[] v -> writer.writeBytes(Binary.fromConstantByteArray(v));
                    default -> throw new IllegalArgumentException(value.getClass().getName());
                }
            }
            return writer.getBytes().toInputStream().readAllBytes();
        }
    }

    private static ValuesWriter writer(Column column, Encoding encoding) {
        int length = column.length();
        return switch (encoding) {
            case PLAIN ->
                    length > 0
                            ? new FixedLenByteArrayPlainValuesWriter(length, SLAB, MAX_BYTES, HEAP)
                            : new PlainValuesWriter(SLAB, MAX_BYTES, HEAP);
            case DELTA_BINARY_PACKED ->
                    column.physical() == PrimitiveTypeName.INT32
                            ? new DeltaBinaryPackingValuesWriterForInteger(SLAB, MAX_BYTES, HEAP)
                            : new DeltaBinaryPackingValuesWriterForLong(SLAB, MAX_BYTES, HEAP);
            case DELTA_LENGTH_BYTE_ARRAY ->
                    new DeltaLengthByteArrayValuesWriter(SLAB, MAX_BYTES, HEAP);
            case DELTA_BYTE_ARRAY -> new DeltaByteArrayWriter(SLAB, MAX_BYTES, HEAP);
            case BYTE_STREAM_SPLIT -> split(column);
            case PLAIN_DICTIONARY, RLE_DICTIONARY, RLE, BIT_PACKED ->
                    throw new IllegalArgumentException(encoding.name());
        };
    }

    private static ValuesWriter split(Column column) {
        return switch (column.physical()) {
            case INT32 ->
                    new ByteStreamSplitValuesWriter.IntegerByteStreamSplitValuesWriter(
                            SLAB, MAX_BYTES, HEAP);
            case INT64 ->
                    new ByteStreamSplitValuesWriter.LongByteStreamSplitValuesWriter(
                            SLAB, MAX_BYTES, HEAP);
            case FLOAT ->
                    new ByteStreamSplitValuesWriter.FloatByteStreamSplitValuesWriter(
                            SLAB, MAX_BYTES, HEAP);
            case DOUBLE ->
                    new ByteStreamSplitValuesWriter.DoubleByteStreamSplitValuesWriter(
                            SLAB, MAX_BYTES, HEAP);
            case FIXED_LEN_BYTE_ARRAY ->
                    new ByteStreamSplitValuesWriter.FixedLenByteArrayByteStreamSplitValuesWriter(
                            column.length(), SLAB, MAX_BYTES, HEAP);
            case BOOLEAN, BINARY, INT96 -> throw new IllegalArgumentException();
        };
    }

    /** All values of a page, at once. */
    public List<@Nullable String> all(Column column, Encoding encoding, byte[] page, int values) {
        List<Integer> rows = new ArrayList<>();
        for (int i = 0; i < values; i++) {
            rows.add(i);
        }
        return decode(column, encoding, page, rows, new Walk(values, 0, new Random(1)));
    }

    /**
     * How a page is read.
     *
     * @param batchRows rows of a vector at most
     * @param skipPercent how often rows are passed over instead of read
     */
    record Walk(int batchRows, int skipPercent, Random random) {}

    /**
     * Rows of a page in batches made of several parts, some passed over; those come out as {@code
     * "skipped"}.
     *
     * @param rows of each row the number of its value, or null
     */
    List<@Nullable String> decode(
            Column column,
            Encoding encoding,
            byte[] bytes,
            List<? extends @Nullable Object> rows,
            Walk walk) {
        List<@Nullable String> texts = new ArrayList<>();
        decode(
                column,
                encoding,
                bytes,
                rows,
                walk,
                (vector, skipped) -> {
                    if (vector == null) {
                        texts.addAll(Collections.nCopies(skipped, "skipped"));
                    } else {
                        for (int i = 0; i < vector.getValueCount(); i++) {
                            texts.add(
                                    vector.isNull(i)
                                            ? null
                                            : Values.text(vector, column.type(), i));
                        }
                    }
                });
        return texts;
    }

    /** All values of a page, in batches that end where the decoder is full. */
    void eachBatch(
            Column column,
            Encoding encoding,
            byte[] page,
            int values,
            Consumer<FieldVector> batches) {
        decode(
                column,
                encoding,
                page,
                Collections.nCopies(values, 0),
                new Walk(values, 0, new Random(1)),
                (vector, _) -> {
                    if (vector != null) {
                        batches.accept(vector);
                    }
                });
    }

    /** Takes a batch, which stays the caller's, or the number of rows that were passed over. */
    private interface Sink {
        void take(@Nullable FieldVector vector, int skipped);
    }

    private void decode(
            Column column,
            Encoding encoding,
            byte[] bytes,
            List<? extends @Nullable Object> rows,
            Walk walk,
            Sink sink) {
        Place place = new Place("file:///f", 0, "c");
        ValueDecoder decoder =
                ValueDecoders.of(
                        column.schema(),
                        column.physical(),
                        column.length(),
                        pool.allocator(),
                        place);
        try (Page page = new Page(pool.allocator(), place)) {
            OffHeap.write(bytes, 0, page.allocate(bytes.length), bytes.length);
            decoder.startPage(page, encoding, rows.size());
            for (int at = 0; at < rows.size(); ) {
                int n = Math.min(walk.batchRows(), rows.size() - at);
                if (walk.random().nextInt(100) < walk.skipPercent()) {
                    int skipped = 1 + walk.random().nextInt(n);
                    decoder.skip(page, valid(rows, at, skipped));
                    sink.take(null, skipped);
                    at += skipped;
                } else {
                    try (FieldVector vector = batch(decoder, page, rows, at, n, walk.random())) {
                        sink.take(vector, 0);
                        at += vector.getValueCount();
                    }
                }
            }
        } finally {
            decoder.abort();
        }
    }

    private FieldVector batch(
            ValueDecoder decoder,
            Page page,
            List<? extends @Nullable Object> rows,
            int from,
            int count,
            Random random) {
        ArrowBuf validity = Buffers.bitmap(pool.allocator(), count);
        int done = 0;
        int nulls = 0;
        try {
            decoder.begin(1 + random.nextInt(count));
            decoder.reserve(count);
            while (done < count) {
                int n = 1 + random.nextInt(count - done);
                n = decoder.fits(page, n);
                if (n == 0) {
                    break;
                }
                for (int i = 0; i < n; i++) {
                    Bits.set(
                            validity.memoryAddress(),
                            done + i,
                            1,
                            rows.get(from + done + i) != null);
                }
                int valid = valid(rows, from + done, n);
                decoder.read(page, validity.memoryAddress(), done, n, valid);
                done += n;
                nulls += n - valid;
            }
            return decoder.finish(validity, done, nulls);
        } catch (RuntimeException e) {
            validity.close();
            throw e;
        }
    }

    private static int valid(List<? extends @Nullable Object> rows, int from, int count) {
        int valid = 0;
        for (int i = 0; i < count; i++) {
            valid += rows.get(from + i) == null ? 0 : 1;
        }
        return valid;
    }

    @Override
    public void close() {
        pool.close();
    }
}
