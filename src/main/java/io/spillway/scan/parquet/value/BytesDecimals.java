package io.spillway.scan.parquet.value;

import io.spillway.batch.OffHeap;
import io.spillway.scan.parquet.bytes.BigEndian;
import io.spillway.scan.parquet.bytes.Place;
import io.spillway.scan.parquet.bytes.ScratchBuffer;
import io.spillway.scan.parquet.page.Page;
import java.util.EnumMap;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.parquet.format.Encoding;
import org.jspecify.annotations.Nullable;

/** Decimals in byte arrays of any length, each a big-endian number; no bytes are 0. */
final class BytesDecimals implements FixedValues {

    /** Values and bytes that are taken at once, or one value if it is longer. */
    private static final int STEP = 512;

    private static final int STEP_BYTES = 16 << 10;

    private final BufferAllocator allocator;
    private final Place place;
    private final Map<Encoding, ByteArrays> encodings = new EnumMap<>(Encoding.class);
    private final ScratchBuffer ends;
    private final ScratchBuffer bytes;
    private @Nullable ByteArrays values;

    BytesDecimals(BufferAllocator allocator, Place place) {
        this.allocator = allocator;
        this.place = place;
        this.ends = new ScratchBuffer(allocator);
        this.bytes = new ScratchBuffer(allocator);
    }

    @Override
    public int width() {
        return BigEndian.BYTES;
    }

    @Override
    public void startPage(Page page, Encoding encoding, int most) {
        ByteArrays started =
                encodings.computeIfAbsent(encoding, e -> ByteArrays.of(e, allocator, place));
        started.start(page, most);
        values = started;
    }

    private ByteArrays values() {
        ByteArrays started = values;
        if (started == null) {
            throw new IllegalStateException("no page");
        }
        return started;
    }

    @Override
    public void read(Page page, long out, int count) {
        ByteArrays source = values();
        long end = ends.atLeast((long) STEP * Integer.BYTES);
        for (int done = 0; done < count; ) {
            int n = source.fits(page, Math.min(STEP, count - done), STEP_BYTES);
            long in = bytes.atLeast(source.ends(page, n, 0, end));
            source.copy(n, 0, end, in);
            int from = 0;
            for (int i = 0; i < n; i++) {
                int to = OffHeap.getInt(end + 4L * i);
                BigEndian.decimal(in + from, to - from, out + 16L * (done + i), place);
                from = to;
            }
            done += n;
        }
    }

    @Override
    public void skip(Page page, int count) {
        values().skip(page, count);
    }

    @Override
    public boolean mayHold(Page page, int count) {
        return values().mayHold(page, count);
    }

    @Override
    public void close() {
        encodings.values().forEach(ByteArrays::close);
        encodings.clear();
        ends.close();
        bytes.close();
    }
}
