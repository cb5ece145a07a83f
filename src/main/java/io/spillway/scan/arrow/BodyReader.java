package io.spillway.scan.arrow;

import io.spillway.batch.OffHeap;
import io.spillway.batch.codec.BufferCodec;
import io.spillway.batch.codec.Compression;
import io.spillway.scan.ScanMetrics;
import io.spillway.scan.arrow.BatchShape.Span;
import io.spillway.scan.bytes.Buffers;
import io.spillway.scan.bytes.OpenFile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Reads buffers of a body into memory: neighbours by one request, of which they become parts.
 * Compressed ones are decompressed, each to memory of its own.
 */
final class BodyReader {

    /** Bytes of one request that has more than one part. */
    private static final long MOST = 8 << 20;

    /** In front of a compressed buffer: its length without compression. */
    private static final int RAW_LENGTH = Long.BYTES;

    /** In place of that length: the buffer is not compressed. */
    private static final long STORED = -1;

    /** No byte of LZ4 stands for more. */
    private static final long LZ4_MOST = 255;

    /**
     * A part of a buffer.
     *
     * @param start its first byte
     * @param length its bytes, or -1 for all of the buffer
     */
    record Part(int buffer, long start, long length) {}

    /** Bytes of the body. */
    private record Range(Part part, long from, long to) {}

    private final OpenFile file;
    private final BufferAllocator allocator;
    private final ScanMetrics metrics;

    BodyReader(OpenFile file, BufferAllocator allocator, ScanMetrics metrics) {
        this.file = file;
        this.allocator = allocator;
        this.metrics = metrics;
    }

    /**
     * Reads parts into a window; waits.
     *
     * @param body where the body begins in the file
     */
    void read(Window window, List<Part> parts, long body) {
        List<Range> ranges = new ArrayList<>(parts.size());
        for (Part part : parts) {
            Range range = range(window, part);
            if (range.to() > range.from()) {
                ranges.add(range);
            }
        }
        ranges.sort(Comparator.comparingLong(Range::from));
        int gap = file.profile().gapBytes();
        int first = 0;
        while (first < ranges.size()) {
            long from = ranges.get(first).from();
            long to = ranges.get(first).to();
            int next = first + 1;
            while (next < ranges.size()
                    && ranges.get(next).from() - to <= gap
                    && Math.max(to, ranges.get(next).to()) - from <= MOST) {
                to = Math.max(to, ranges.get(next).to());
                next++;
            }
            read(window, ranges.subList(first, next), body, from, to);
            first = next;
        }
    }

    private static Range range(Window window, Part part) {
        Span span = window.shape().buffers().get(part.buffer());
        if (part.length() < 0) {
            return new Range(part, span.offset(), span.offset() + span.length());
        }
        if (part.start() < 0 || part.length() > span.length() - part.start()) {
            throw window.place()
                    .corrupt(
                            "A buffer of %,d bytes has none at %,d"
                                    .formatted(span.length(), part.start() + part.length()));
        }
        long from = span.offset() + part.start();
        return new Range(part, from, from + part.length());
    }

    private void read(Window window, List<Range> ranges, long body, long from, long to) {
        long bytes = to - from;
        try (ArrowBuf all = Buffers.allocate(allocator, bytes + Buffers.PADDING)) {
            for (long done = 0; done < bytes; done += MOST) {
                int length = (int) Math.min(MOST, bytes - done);
                file.readFully(
                        body + from + done, OffHeap.view(all.memoryAddress() + done, length));
            }
            Compression compression = window.shape().compression();
            if (compression == null) {
                for (Range range : ranges) {
                    share(window, range, all, range.from() - from, range.to() - range.from());
                }
            } else {
                BufferCodec codec = BufferCodec.borrow(compression);
                try {
                    for (Range range : ranges) {
                        decompress(window, range, all, from, codec);
                    }
                } finally {
                    codec.giveBack();
                }
            }
        }
    }

    private static void share(Window window, Range range, ArrowBuf all, long at, long bytes) {
        ArrowBuf part = all.slice(at, bytes);
        part.getReferenceManager().retain();
        window.put(range.part().buffer(), range.part().start(), part);
    }

    private void decompress(
            Window window, Range range, ArrowBuf all, long from, BufferCodec codec) {
        long at = range.from() - from;
        long bytes = range.to() - range.from() - RAW_LENGTH;
        if (bytes < 0) {
            throw window.place().corrupt("A compressed buffer has no length");
        }
        long raw = OffHeap.getLong(all.memoryAddress() + at);
        if (raw == STORED) {
            share(window, range, all, at + RAW_LENGTH, bytes);
            return;
        }
        if (raw < 0
                || raw > Integer.MAX_VALUE
                || bytes > Integer.MAX_VALUE
                || (codec.compression() == Compression.LZ4 && raw > LZ4_MOST * bytes)) {
            throw window.place().corrupt("%,d bytes cannot become %,d".formatted(bytes, raw));
        }
        ArrowBuf part = Buffers.allocate(allocator, raw + Buffers.PADDING);
        try {
            if (!codec.decompress(
                    all.memoryAddress() + at + RAW_LENGTH, bytes, part.memoryAddress(), raw)) {
                throw window.place().corrupt("A compressed buffer is damaged");
            }
            ArrowBuf exact = part.slice(0, raw);
            exact.getReferenceManager().retain();
            window.put(range.part().buffer(), 0, exact);
            metrics.pageDecoded(raw);
        } finally {
            part.close();
        }
    }
}
