package io.spillway.scan.parquet.value;

import io.spillway.batch.OffHeap;
import io.spillway.scan.bytes.Buffers;
import io.spillway.scan.parquet.bytes.Place;

/**
 * Reads integers of the encoding DELTA_BINARY_PACKED, as values of a page or as lengths within
 * another encoding. Bounds are checked once a miniblock; up to {@link Buffers#PADDING} bytes behind
 * the end may be read and dropped.
 *
 * <pre>
 * header    := block size, miniblocks a block, number of values (varints), first value (zigzag)
 * block     := least delta (zigzag), a byte for the width of each miniblock, miniblocks
 * miniblock := (block size / miniblocks) deltas, each less the least one, in {@code width} bits
 * </pre>
 *
 * Sums wrap, as the format asks for; since they do so in 64 bits, their low 32 bits are what 32-bit
 * sums would be. The last miniblock is whole, however few of its values count, and those behind it
 * have a width but no bytes.
 *
 * @see <a href="https://github.com/apache/parquet-format/blob/master/Encodings.md">Parquet
 *     encodings</a>
 */
final class DeltaReader {

    private static final int BLOCK_MULTIPLE = 128;
    private static final int MINIBLOCK_MULTIPLE = 32;

    private final Place place;

    private long at;
    private long end;
    private int miniblocks;
    private int miniblockValues;

    /** Values that are left, and whether the first is among them: it stands in the header. */
    private int left;

    private boolean atFirst;

    /** The value before the next, or the first. */
    private long last;

    /** The block: its least delta, where its widths stand, and how many have been used. */
    private long least;

    private long widths;
    private int used;

    /** The miniblock: its first byte, the next value's bit, bits of a value, values left. */
    private long packed;

    private long bit;
    private int width;
    private int packedLeft;

    DeltaReader(Place place) {
        this.place = place;
    }

    /**
     * Starts over, with the header.
     *
     * @param most how many values there may be
     * @throws io.spillway.error.SpillwayException {@code FILE_CORRUPT}
     */
    void start(long from, long to, int most) {
        at = from;
        end = to;
        long blockValues = size();
        long blockParts = size();
        long total = size();
        last = zigzag();
        if (blockValues == 0
                || blockValues % BLOCK_MULTIPLE != 0
                || blockParts == 0
                || blockValues % blockParts != 0
                || blockValues / blockParts % MINIBLOCK_MULTIPLE != 0) {
            throw place.corrupt(
                    "Blocks of %,d deltas are in %,d parts".formatted(blockValues, blockParts));
        }
        if (total > most) {
            throw place.corrupt(
                    "There are %,d deltas in a page of %,d values".formatted(total, most));
        }
        miniblocks = (int) blockParts;
        miniblockValues = (int) (blockValues / blockParts);
        left = (int) total;
        atFirst = total > 0;
        used = miniblocks;
        packedLeft = 0;
    }

    /** Values that are left. */
    int left() {
        return left;
    }

    /**
     * Passes over all values, without looking at them, and tells where the bytes behind them are.
     */
    long finish() {
        int ahead = left - (atFirst ? 1 : 0) - packedLeft;
        for (; ahead > 0; ahead -= miniblockValues) {
            nextMiniblock();
        }
        left = 0;
        atFirst = false;
        packedLeft = 0;
        return at;
    }

    /** The next values as 8 bytes each. */
    void longs(long out, int count) {
        int done = begin(count);
        if (done > 0) {
            OffHeap.putLong(out, last);
        }
        while (done < count) {
            int n = take(count - done);
            last = DeltaUnpack.longs(packed, bit, width, least, last, out + 8L * done, n);
            bit += (long) n * width;
            done += n;
        }
    }

    /** The low 4 bytes of the next values. */
    void ints(long out, int count) {
        int done = begin(count);
        if (done > 0) {
            OffHeap.putInt(out, (int) last);
        }
        while (done < count) {
            int n = take(count - done);
            last = DeltaUnpack.ints(packed, bit, width, least, last, out + 4L * done, n);
            bit += (long) n * width;
            done += n;
        }
    }

    void skip(int count) {
        int done = begin(count);
        while (done < count) {
            int n = take(count - done);
            last += least * n + DeltaUnpack.sum(packed, bit, width, n);
            bit += (long) n * width;
            done += n;
        }
    }

    /** Begins to read values; tells whether the first is the one in the header, 1 or 0. */
    private int begin(int count) {
        if (count > left) {
            throw place.corrupt("A page ends before its values");
        }
        left -= count;
        if (count > 0 && atFirst) {
            atFirst = false;
            return 1;
        }
        return 0;
    }

    private int take(int wanted) {
        if (packedLeft == 0) {
            nextMiniblock();
            packedLeft = miniblockValues;
        }
        int n = Math.min(wanted, packedLeft);
        packedLeft -= n;
        return n;
    }

    private void nextMiniblock() {
        if (used == miniblocks) {
            least = zigzag();
            if (miniblocks > end - at) {
                throw place.corrupt("A block of deltas is cut");
            }
            widths = at;
            at += miniblocks;
            used = 0;
        }
        width = OffHeap.getUnsignedByte(widths + used);
        used++;
        if (width > Long.SIZE) {
            throw place.corrupt("Deltas of " + width + " bits");
        }
        long bytes = (long) miniblockValues * width / Byte.SIZE;
        if (bytes > end - at) {
            throw place.corrupt("A block of deltas is cut");
        }
        packed = at;
        bit = 0;
        at += bytes;
    }

    private long size() {
        long size = varint();
        if (size < 0 || size > Integer.MAX_VALUE) {
            throw place.corrupt("A header of deltas is damaged");
        }
        return size;
    }

    private long zigzag() {
        long value = varint();
        return value >>> 1 ^ -(value & 1);
    }

    private long varint() {
        long value = 0;
        for (int shift = 0; shift < 70; shift += 7) {
            if (at >= end) {
                break;
            }
            int b = OffHeap.getUnsignedByte(at++);
            value |= (long) (b & 127) << shift;
            if (b < 128) {
                return value;
            }
        }
        throw place.corrupt("A header of deltas is damaged");
    }
}
