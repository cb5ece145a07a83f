package io.spillway.scan.parquet.page;

import io.spillway.batch.OffHeap;
import io.spillway.error.SpillwayException;
import io.spillway.scan.parquet.bytes.Place;
import io.spillway.scan.parquet.codec.Decompressor;
import java.io.IOException;
import org.apache.arrow.memory.ArrowBuf;
import org.jspecify.annotations.Nullable;

/**
 * What a page holds in the file, checked as far as can be without decompressing it: levels that are
 * not compressed, those of version 2, and behind them the rest, which is.
 *
 * <p>A page whose first values are wanted before the others, or alone, is decompressed in two steps
 * at most: what those are likely to need, and, once more is asked for, the whole. Codecs keep
 * nothing between the two, so what was there is decompressed again, which is less than the whole
 * for far less before the first value. Until then the compressed bytes are kept.
 *
 * <pre>
 * page   | levels | values that are wanted |                                    |
 * step 1 [---------------------------------]
 * step 2 [----------------------------------------------------------------------]
 * </pre>
 *
 * <p>Damage that no checksum tells of is found where it is decompressed: a reader that never asks
 * for the values behind it gets those before it.
 */
final class CompressedBody implements Page.Body {

    /** Smaller pages are decompressed at once. */
    private static final int WORTH = 64 << 10;

    /** What a guess adds to a page's share, beside its eighth, for what is not spread evenly. */
    private static final int SLACK = 4 << 10;

    /** Values for which it adds a byte: all levels, of some bits each, may stand before them. */
    private static final int VALUES_A_BYTE = 2;

    private final Decompressor decompressor;
    private final Place place;
    private final ArrowBuf buffer;
    private final long address;
    private final int levels;
    private final int compressed;
    private final int size;

    /** Bytes of the first step, the levels not among them; 0 once there can be no such step. */
    private int beginning;

    /**
     * @param buffer holds the bytes; stays the caller's, unless this is handed to a page
     * @param address of the page's first byte in it
     * @throws SpillwayException {@code FILE_CORRUPT} if the sizes cannot be right
     */
    CompressedBody(
            Decompressor decompressor, PageInfo info, ArrowBuf buffer, long address, Place place) {
        this.decompressor = decompressor;
        this.place = place;
        this.buffer = buffer;
        this.address = address;
        this.levels = info.levelBytes();
        this.compressed = info.compressedBytes() - levels;
        this.size = info.uncompressedBytes() - levels;
        if (size > 0
                && (compressed == 0
                        || !decompressor.isPlausible(address + levels, compressed, size))) {
            throw damaged(null);
        }
    }

    /**
     * Decompresses to a page, at once or as it is read.
     *
     * @param part how many of the page's values are wanted for now
     * @param values how many it has
     */
    void into(Page page, int part, int values) {
        long likely = (long) size * part / Math.max(1, values);
        likely += likely / 8 + SLACK + values / VALUES_A_BYTE;
        if (size < WORTH || likely * 4 > size * 3L) {
            long to = page.allocate(levels + size);
            OffHeap.copy(address, to, levels);
            whole(to);
            return;
        }
        beginning = (int) likely;
        buffer.getReferenceManager().retain();
        page.allocate(levels + size, this);
    }

    @Override
    public int fill(long to, int least) {
        OffHeap.copy(address, to, levels);
        if (least <= levels) {
            return levels;
        }
        int wanted = Math.max(beginning, least - levels);
        boolean first = beginning > 0;
        beginning = 0;
        if (first && wanted < size) {
            int there =
                    decompressor.decompressBeginning(
                            address + levels, compressed, to + levels, size, wanted);
            if (there >= least - levels) {
                return levels + there;
            }
        }
        whole(to);
        return levels + size;
    }

    private void whole(long to) {
        if (size == 0) {
            return;
        }
        long written;
        try {
            written = decompressor.decompress(address + levels, compressed, to + levels, size);
        } catch (IOException | RuntimeException e) {
            throw damaged(e);
        }
        if (written != size) {
            throw damaged(null);
        }
    }

    private SpillwayException damaged(@Nullable Exception cause) {
        String what = "A page does not decompress to its %,d bytes".formatted(size);
        return cause == null ? place.corrupt(what) : place.corrupt(what, cause);
    }

    @Override
    public void close() {
        buffer.getReferenceManager().release();
    }
}
