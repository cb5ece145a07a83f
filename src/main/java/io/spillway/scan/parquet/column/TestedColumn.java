package io.spillway.scan.parquet.column;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.Dictionary;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.expression.VectorPredicate;
import io.spillway.scan.ScanFormat;
import io.spillway.scan.bytes.Bits;
import io.spillway.scan.bytes.Buffers;
import io.spillway.scan.parquet.bytes.Place;
import io.spillway.scan.parquet.bytes.ScratchBuffer;
import io.spillway.scan.parquet.page.PageSource;
import io.spillway.scan.parquet.value.ChunkValues;
import io.spillway.scan.parquet.value.PackedLookUp;
import io.spillway.scan.parquet.value.ValueDecoder;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;

/**
 * What a condition says of a column whose values are those of one leaf, one a row: true, or else
 * false, be it unknown. The condition is tested once for each entry of a dictionary, and indices
 * are looked up as they are unpacked: of a row there is never more than a bit. Pages of values as
 * such are decoded and tested.
 */
public final class TestedColumn implements ColumnSource {

    private static final Field TRUTH = ScanFormat.TRUTH.column(0).toArrow();

    private final ChunkValues chunk;
    private final FlatPages pages;
    private final ValueDecoder decoder;
    private final VectorPredicate condition;
    private final RowSchema schema;
    private final BufferAllocator allocator;
    private final ScratchBuffer validity;
    private final ScratchBuffer found;

    /** What it says of each entry, and of null; null until the dictionary has been met. */
    private byte @Nullable [] entries;

    private boolean ofNull;

    private int done;
    private @Nullable ArrowBuf verdicts;

    /**
     * Takes over the pages and the decoder.
     *
     * @param condition over the schema; raises no error, whatever the values; stays the caller's
     * @param schema of the one column
     * @param optional whether the chunk has definition levels
     * @param rowsWanted the rows to test; as many are asked for in all
     */
    public TestedColumn(
            PageSource source,
            ValueDecoder decoder,
            VectorPredicate condition,
            RowSchema schema,
            BufferAllocator allocator,
            boolean optional,
            WantedRows rowsWanted,
            Place place) {
        this.chunk = new ChunkValues(source, decoder, allocator, place);
        this.pages = new FlatPages(chunk, decoder, optional, rowsWanted, place);
        this.decoder = decoder;
        this.condition = condition;
        this.schema = schema;
        this.allocator = allocator;
        this.validity = new ScratchBuffer(allocator);
        this.found = new ScratchBuffer(allocator);
    }

    @Override
    public boolean read(int count) {
        while (done < count) {
            if (!pages.reach()) {
                return false;
            }
            ArrowBuf out = verdicts;
            if (out == null) {
                out = Buffers.bitmap(allocator, count);
                verdicts = out;
            }
            int n = (int) Math.min(count - done, pages.together());
            done += chunk.indexed() ? lookUp(out, n) : test(out, n);
        }
        return true;
    }

    @Override
    public CompletableFuture<?> waiting() {
        return pages.waiting();
    }

    @Override
    public ColumnVector take() {
        ArrowBuf bits = verdicts;
        if (bits == null) {
            throw new IllegalStateException("no batch");
        }
        ArrowBuf all = Buffers.bitmap(allocator, done);
        Bits.set(all.memoryAddress(), 0, done, true);
        FieldVector vector = Buffers.vector(TRUTH, allocator, done, 0, List.of(all, bits));
        verdicts = null;
        done = 0;
        return new ColumnVector.Plain(vector);
    }

    private int lookUp(ArrowBuf out, int rows) {
        byte[] table = entries();
        long bitmap = validity.atLeast(Bits.bytes(done + rows));
        int valid = pages.validity(bitmap, done, rows);
        if (valid == rows) {
            chunk.lookUpIndices(table, rows, out.memoryAddress(), done);
            return rows;
        }
        long bits = found.atLeast(Bits.bytes(valid));
        chunk.lookUpIndices(table, valid, bits, 0);
        Bits.spreadBits(bits, 0, bitmap, out.memoryAddress(), done, rows, ofNull);
        return rows;
    }

    private int test(ArrowBuf out, int most) {
        decoder.begin(most);
        int rows = decoder.fits(chunk.page(), most);
        ArrowBuf bitmap = Buffers.bitmap(allocator, rows);
        FieldVector vector;
        try {
            int valid = pages.validity(bitmap.memoryAddress(), 0, rows);
            decoder.read(chunk.page(), bitmap.memoryAddress(), 0, rows, valid);
            vector = decoder.finish(bitmap, rows, rows - valid);
        } catch (RuntimeException e) {
            bitmap.close();
            throw e;
        }
        long[] yes = test(new ColumnVector.Plain(vector));
        for (int i = 0; i < rows; i += Long.SIZE) {
            int n = Math.min(Long.SIZE, rows - i);
            Bits.append(out.memoryAddress(), done + i, yes[i / Long.SIZE], n);
        }
        return rows;
    }

    /** What the condition says of values, which are closed. */
    private long[] test(ColumnVector values) {
        try (RecordBatch batch = new RecordBatch(schema, List.of(values), values.size())) {
            return condition.bits(batch, allocator);
        }
    }

    private byte[] entries() {
        byte[] known = entries;
        if (known == null) {
            Dictionary dictionary = chunk.dictionary();
            int size = dictionary.size();
            long[] yes =
                    size == 0
                            ? new long[0]
                            : test(new ColumnVector.Plain(dictionary.values()).slice(0, size));
            known = PackedLookUp.table(yes, size);
            ofNull = (test(oneNull())[0] & 1) != 0;
            entries = known;
        }
        return known;
    }

    private ColumnVector oneNull() {
        FieldVector vector = schema.column(0).toArrow().createVector(allocator);
        try {
            vector.setInitialCapacity(1);
            vector.allocateNew();
            vector.setValueCount(1);
            return new ColumnVector.Plain(vector);
        } catch (Throwable t) {
            vector.close();
            throw t;
        }
    }

    @Override
    public void close() {
        pages.close();
        decoder.abort();
        validity.close();
        found.close();
        if (verdicts != null) {
            verdicts.close();
            verdicts = null;
        }
    }
}
