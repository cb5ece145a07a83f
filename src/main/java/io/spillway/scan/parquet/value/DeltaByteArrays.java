package io.spillway.scan.parquet.value;

import io.spillway.batch.OffHeap;
import io.spillway.scan.bytes.Buffers;
import io.spillway.scan.parquet.bytes.Place;
import io.spillway.scan.parquet.bytes.ScratchBuffer;
import io.spillway.scan.parquet.page.Page;
import org.apache.arrow.memory.BufferAllocator;

/**
 * DELTA_BYTE_ARRAY: of each value only what it does not share with the beginning of the one before
 * it.
 *
 * <pre>
 * page := prefix lengths (deltas), suffix lengths (deltas), the bytes of the suffixes
 * </pre>
 *
 * The last value that was read or passed over is kept, since batches and skips may part it from the
 * next. No value is longer than its page, but a page's values together may be far longer.
 */
final class DeltaByteArrays implements ByteArrays {

    /** Values that are passed over at once. */
    private static final int STEP = 1024;

    private final IntegersAhead prefixes;
    private final IntegersAhead suffixes;

    /** The value before the next. */
    private final ScratchBuffer last;

    private int lastLength;

    /** The suffixes of the values whose ends have been told; their lengths, and their bytes. */
    private long prefixLengths;

    private long suffixLengths;
    private long measured;

    DeltaByteArrays(BufferAllocator allocator, Place place) {
        this.prefixes = new IntegersAhead(allocator, place);
        this.suffixes = new IntegersAhead(allocator, place);
        this.last = new ScratchBuffer(allocator);
    }

    @Override
    public void start(Page page, int most) {
        long second = prefixes.start(page.at(), page.end(), most);
        long data = suffixes.start(second, page.end(), most);
        page.take(data - page.at());
        lastLength = 0;
        if (prefixes.left() != suffixes.left()) {
            throw page.place().corrupt("A page has more prefixes than suffixes, or fewer");
        }
    }

    @Override
    public boolean mayHold(Page page, int values) {
        return has(values);
    }

    /** Whether there are prefixes and suffixes of so many values. */
    boolean has(int values) {
        return values <= prefixes.left();
    }

    @Override
    public int fits(Page page, int values, long bytes) {
        if (values > prefixes.left()) {
            return values;
        }
        long left = bytes;
        long prefix = prefixes.look(values);
        long suffix = suffixes.look(values);
        for (int i = 0; i < values; i++) {
            if (left <= 0) {
                return i;
            }
            left -= (long) OffHeap.getInt(prefix + 4L * i) + OffHeap.getInt(suffix + 4L * i);
        }
        return values;
    }

    @Override
    public long ends(Page page, int values, int from, long out) {
        look(values);
        long end = from;
        long length = lastLength;
        long bytes = 0;
        for (int i = 0; i < values; i++) {
            int prefix = OffHeap.getInt(prefixLengths + 4L * i);
            int suffix = OffHeap.getInt(suffixLengths + 4L * i);
            if ((prefix | suffix) < 0 || prefix > length || suffix > page.remaining() - bytes) {
                throw page.place()
                        .corrupt(
                                "A value claims %,d bytes and %,d of the one before it"
                                        .formatted(suffix, prefix));
            }
            bytes += suffix;
            length = (long) prefix + suffix;
            end += length;
            OffHeap.putInt(out + 4L * i, (int) end);
        }
        measured = page.take(bytes);
        use(values);
        return end - from;
    }

    @Override
    public void copy(int values, int from, long ends, long out) {
        if (values == 0) {
            return;
        }
        long before = last.atLeast(0);
        long in = measured;
        long to = out;
        for (int i = 0; i < values; i++) {
            int prefix = OffHeap.getInt(prefixLengths + 4L * i);
            int suffix = OffHeap.getInt(suffixLengths + 4L * i);
            Buffers.copyPadded(before, to, prefix);
            Buffers.copyPadded(in, to + prefix, suffix);
            in += suffix;
            before = to;
            to += (long) prefix + suffix;
        }
        lastLength = (int) (to - before);
        OffHeap.copy(before, last.atLeast(lastLength), lastLength);
    }

    @Override
    public void skip(Page page, int values) {
        for (int done = 0; done < values; ) {
            int n = Math.min(STEP, values - done);
            look(n);
            for (int i = 0; i < n; i++) {
                int prefix = OffHeap.getInt(prefixLengths + 4L * i);
                int suffix = OffHeap.getInt(suffixLengths + 4L * i);
                if (prefix < 0 || prefix > lastLength) {
                    throw page.place()
                            .corrupt("A value claims %,d bytes of another".formatted(prefix));
                }
                long from = page.take(suffix);
                lastLength = prefix + suffix;
                OffHeap.copy(from, last.grown(lastLength) + prefix, suffix);
            }
            use(n);
            done += n;
        }
    }

    private void look(int values) {
        prefixLengths = prefixes.look(values);
        suffixLengths = suffixes.look(values);
    }

    private void use(int values) {
        prefixes.use(values);
        suffixes.use(values);
    }

    @Override
    public void close() {
        prefixes.close();
        suffixes.close();
        last.close();
    }
}
