package io.spillway.scan.parquet.value;

import io.spillway.scan.parquet.bytes.ScratchBuffer;
import io.spillway.scan.parquet.footer.Conversion;
import io.spillway.scan.parquet.page.Page;
import java.util.EnumMap;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.jspecify.annotations.Nullable;

/**
 * Values of fixed width in the page and in the vector: PLAIN ones are converted out of the page,
 * others are turned into PLAIN ones first, a few at a time where they have to be converted too.
 */
final class ConvertedValues implements FixedValues {

    /** Bytes that are converted at once, or one value if it is longer. */
    private static final int STEP_BYTES = 8 << 10;

    private final PrimitiveTypeName physical;
    private final Conversion conversion;
    private final BufferAllocator allocator;
    private final Map<Encoding, FixedSource> sources = new EnumMap<>(Encoding.class);
    private final ScratchBuffer scratch;

    /** What the page's values come from, or null if they are PLAIN. */
    private @Nullable FixedSource source;

    ConvertedValues(PrimitiveTypeName physical, Conversion conversion, BufferAllocator allocator) {
        this.physical = physical;
        this.conversion = conversion;
        this.allocator = allocator;
        this.scratch = new ScratchBuffer(allocator);
    }

    @Override
    public int width() {
        return conversion.width();
    }

    @Override
    public void startPage(Page page, Encoding encoding, int most) {
        if (encoding == Encoding.PLAIN) {
            source = null;
            return;
        }
        FixedSource started =
                sources.computeIfAbsent(
                        encoding,
                        e ->
                                FixedSource.of(
                                        e,
                                        physical,
                                        conversion.pageWidth(),
                                        allocator,
                                        page.place()));
        started.start(page, most);
        source = started;
    }

    @Override
    public void read(Page page, long out, int values) {
        FixedSource from = source;
        if (from == null) {
            conversion.convert(page.take((long) values * conversion.pageWidth()), out, values);
        } else if (conversion instanceof Conversion.Copy) {
            from.read(page, out, values);
        } else {
            convert(from, page, out, values);
        }
    }

    private void convert(FixedSource from, Page page, long out, int values) {
        int pageWidth = conversion.pageWidth();
        int step = Math.max(1, STEP_BYTES / Math.max(1, pageWidth));
        for (int done = 0; done < values; ) {
            int n = Math.min(step, values - done);
            long plain = scratch.atLeast((long) n * pageWidth);
            from.read(page, plain, n);
            conversion.convert(plain, out + (long) conversion.width() * done, n);
            done += n;
        }
    }

    @Override
    public void skip(Page page, int values) {
        FixedSource from = source;
        if (from == null) {
            page.take((long) values * conversion.pageWidth());
        } else {
            from.skip(page, values);
        }
    }

    @Override
    public boolean mayHold(Page page, int values) {
        FixedSource from = source;
        return from == null
                ? page.remaining() >= (long) values * conversion.pageWidth()
                : from.mayHold(values);
    }

    @Override
    public void close() {
        sources.values().forEach(FixedSource::close);
        sources.clear();
        source = null;
        scratch.close();
    }
}
