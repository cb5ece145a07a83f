package io.spillway.scan.parquet.page;

import io.spillway.scan.bytes.Buffers;
import io.spillway.scan.bytes.OpenFile;
import io.spillway.scan.parquet.bytes.Fetch;
import io.spillway.scan.parquet.bytes.ReadSizes;
import io.spillway.scan.parquet.footer.Footer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The reads that a row group begins with: the first windows of its chunks, all side by side. Chunks
 * that are read whole and lie close together are read by one request into one buffer, of which each
 * has a reference; so a row group that is small in all is one request.
 *
 * <pre>
 * file      | a | b | c |       d (large)        | e | f |     | g |
 * requests  [-----------]                        [-------]     [---]
 *                       [----]
 * </pre>
 */
public final class FirstReads {

    /**
     * What a chunk is read from.
     *
     * @param whole whether that is all that will be read of the chunk
     */
    record Range(long from, int length, boolean whole) {

        long end() {
            return from + length;
        }
    }

    /** Ranges that are read as one. */
    private record Request<T>(long from, long end, List<T> parts) {

        int length() {
            return (int) (end - from);
        }
    }

    /** Somebody's range. */
    private record Part<T>(Range range, T owner) {}

    private FirstReads() {}

    /**
     * Starts to read.
     *
     * @param chunks all chunks of the row group that will be read
     * @throws io.spillway.error.SpillwayException {@code MEMORY_LIMIT}; what was begun by then is
     *     the chunks'
     */
    public static void start(
            OpenFile file,
            BufferAllocator allocator,
            ReadSizes sizes,
            List<ChunkPageSource> chunks) {
        List<Part<ChunkPageSource>> parts = new ArrayList<>();
        for (ChunkPageSource chunk : chunks) {
            Range first = chunk.first();
            if (first != null) {
                parts.add(new Part<>(first, chunk));
            }
        }
        for (Request<ChunkPageSource> request : requests(parts, sizes)) {
            int length = request.length();
            ArrowBuf buffer = Buffers.allocate(allocator, (long) length + Buffers.PADDING);
            Fetch fetch = Fetch.start(file, buffer, request.from(), 0, length);
            request.parts().forEach(chunk -> chunk.begin(fetch.share()));
            fetch.abandon();
        }
    }

    /** What the buffers of these chunks take at most, each read whole, alone or with neighbours. */
    public static long bytes(List<Footer.Chunk> whole, ReadSizes sizes) {
        List<Part<Footer.Chunk>> parts = new ArrayList<>();
        for (Footer.Chunk chunk : whole) {
            Range range = new Range(chunk.offset(), (int) chunk.compressedBytes(), true);
            parts.add(new Part<>(range, chunk));
        }
        long sum = 0;
        for (Request<Footer.Chunk> request : requests(parts, sizes)) {
            long together = buffer(request.length());
            long alone = 0;
            for (Footer.Chunk chunk : request.parts()) {
                alone += buffer(chunk.compressedBytes());
            }
            sum += Math.max(together, alone);
        }
        return sum;
    }

    private static long buffer(long length) {
        return Buffers.rounded(length + Buffers.PADDING);
    }

    private static <T> List<Request<T>> requests(List<Part<T>> parts, ReadSizes sizes) {
        List<Part<T>> ascending = new ArrayList<>(parts);
        ascending.sort(Comparator.comparingLong(p -> p.range().from()));
        List<Request<T>> requests = new ArrayList<>();
        int from = 0;
        while (from < ascending.size()) {
            Range first = ascending.get(from).range();
            long end = first.end();
            int to = from + 1;
            while (first.whole() && to < ascending.size()) {
                Range next = ascending.get(to).range();
                long together = Math.max(end, next.end());
                if (!next.whole()
                        || next.from() - end > sizes.gap()
                        || together - first.from() > sizes.window()) {
                    break;
                }
                end = together;
                to++;
            }
            List<T> owners = new ArrayList<>();
            ascending.subList(from, to).forEach(part -> owners.add(part.owner()));
            requests.add(new Request<>(first.from(), end, owners));
            from = to;
        }
        return requests;
    }
}
