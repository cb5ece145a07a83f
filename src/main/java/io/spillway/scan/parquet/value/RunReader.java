package io.spillway.scan.parquet.value;

import io.spillway.batch.OffHeap;
import io.spillway.scan.bytes.Bits;
import io.spillway.scan.bytes.Buffers;
import io.spillway.scan.parquet.bytes.Levels;
import io.spillway.scan.parquet.bytes.Place;
import io.spillway.scan.parquet.page.Page;
import org.jspecify.annotations.Nullable;

/**
 * Reads the hybrid of run-length and bit-packed runs that Parquet uses for levels, dictionary
 * indices and booleans. Bounds are checked once a run: no run reaches past the bytes it was given,
 * though up to {@link Buffers#PADDING} bytes behind them may be read and dropped.
 *
 * <pre>
 * run        := header (varint) body
 * header odd  → bit-packed: (header / 2) groups of 8 values of {@code width} bits each
 * header even → run-length: header / 2 times one value in (width + 7) / 8 bytes
 * </pre>
 *
 * A last bit-packed run may be cut after the last value that counts, as some writers do.
 *
 * @see <a href="https://github.com/apache/parquet-format/blob/master/Encodings.md">Parquet
 *     encodings</a>
 */
public final class RunReader {

    private static final long EACH_BYTE = 0x0101010101010101L;

    /** So wide that eight or four values, from any bit of a byte on, lie in one word. */
    private static final int MOST_WIDTH_OF_EIGHT = 7;

    private static final int MOST_WIDTH_OF_FOUR = 14;

    /** A length of five bytes, and a value of four. */
    private static final int LONGEST_RUN_HEADER = 9;

    private final Place place;

    /** What the runs are in, and up to where its bytes are there; null if all are. */
    private @Nullable Page page;

    private long ready;
    private long at;
    private long end;
    private int width;
    private long mask;

    /** Values left in the current run. */
    private int left;

    private boolean repeated;
    private int value;

    /** The current bit-packed run: its first byte, and the next value's bit. */
    private long packed;

    private long bit;

    /** A reader without runs yet. */
    public RunReader(Place place) {
        this.place = place;
    }

    /**
     * Starts over with the rest of a page, of which no more need be there than is read.
     *
     * @param width as for {@link #reset(long, long, int)}
     */
    void reset(Page runs, int width) {
        reset(runs.next(), runs.end(), width);
        page = runs;
        ready = runs.next();
    }

    /**
     * Starts over.
     *
     * @param width bits of a value, 0 to 32; with 0 all values are 0, and no byte is read
     */
    public void reset(long start, long end, int width) {
        if (width < 0 || width > 32) {
            throw place.corrupt("Values of " + width + " bits");
        }
        this.page = null;
        this.ready = end;
        this.at = start;
        this.end = end;
        this.width = width;
        this.mask = (1L << width) - 1;
        this.left = 0;
        if (width == 0) {
            repeated = true;
            value = 0;
            left = Integer.MAX_VALUE;
        }
    }

    /** Makes bytes of the page be there, up to an address or the end. */
    private void need(long to) {
        Page runs = page;
        if (to > ready && runs != null) {
            ready = runs.need(Math.min(to, end));
        }
    }

    private void nextRun() {
        do {
            need(at + LONGEST_RUN_HEADER);
            long header = 0;
            int shift = 0;
            int b;
            do {
                if (at >= end || shift > 28) {
                    throw place.corrupt("Runs of values end too early");
                }
                b = OffHeap.getUnsignedByte(at++);
                header |= (long) (b & 127) << shift;
                shift += 7;
            } while (b >= 128);
            long count = header >>> 1;
            if ((header & 1) == 0) {
                int bytes = (width + 7) >>> 3;
                if (bytes > end - at || count > Integer.MAX_VALUE) {
                    throw place.corrupt("A run of values is cut");
                }
                value = 0;
                for (int i = 0; i < bytes; i++) {
                    value |= OffHeap.getUnsignedByte(at + i) << (8 * i);
                }
                at += bytes;
                repeated = true;
                left = (int) count;
            } else {
                long bytes = Math.min(count * width, end - at);
                repeated = false;
                packed = at;
                bit = 0;
                at += bytes;
                left = (int) Math.min(Math.min(count << 3, (bytes << 3) / width), 1 << 30);
                if (left == 0 && count > 0) {
                    throw place.corrupt("A run of values is cut");
                }
            }
        } while (left == 0);
    }

    private int take(int wanted) {
        if (left == 0) {
            nextRun();
        }
        int count = Math.min(wanted, left);
        if (!repeated) {
            need(packed + ((bit + (long) count * width + 7) >>> 3));
        }
        return count;
    }

    private void taken(int count) {
        if (width > 0) {
            left -= count;
            bit += (long) count * width;
        }
    }

    /**
     * The next values, of width 1, into a bitmap.
     *
     * @return how many of them are ones
     */
    public int bits(long bitmap, long toBit, int count) {
        int ones = 0;
        for (int done = 0; done < count; ) {
            int n = take(count - done);
            if (repeated) {
                Bits.set(bitmap, toBit + done, n, (value & 1) != 0);
                ones += (value & 1) != 0 ? n : 0;
            } else {
                ones += Bits.copy(packed, bit, bitmap, toBit + done, n);
            }
            taken(n);
            done += n;
        }
        return ones;
    }

    /** Passes over values of width 1 and tells how many of them are ones. */
    public int skipBits(int count) {
        int ones = 0;
        for (int done = 0; done < count; ) {
            int n = take(count - done);
            if (repeated) {
                ones += (value & 1) != 0 ? n : 0;
            } else {
                for (int i = 0; i < n; i += 64) {
                    ones += Long.bitCount(Bits.read(packed, bit + i, Math.min(64, n - i)));
                }
            }
            taken(n);
            done += n;
        }
        return ones;
    }

    void skip(int count) {
        for (int done = 0; done < count; ) {
            int n = take(count - done);
            taken(n);
            done += n;
        }
    }

    /**
     * The next values as 4-byte integers, each checked to be below a limit.
     *
     * @throws io.spillway.error.SpillwayException {@code FILE_CORRUPT}
     */
    void integers(long out, int count, int limit) {
        boolean allFit = width < 32 && limit > mask;
        for (int done = 0; done < count; ) {
            int n = take(count - done);
            long to = out + 4L * done;
            if (repeated) {
                if (value < 0 || value >= limit) {
                    throw outside(limit);
                }
                repeat(to, n, value);
            } else {
                int bad = unpack(packed, bit, width, mask, to, n, limit);
                if (!allFit && bad < 0) {
                    throw outside(limit);
                }
            }
            taken(n);
            done += n;
        }
    }

    /**
     * Looks the next values up, as they are unpacked, and puts what it finds into a bitmap.
     *
     * @param table as {@link PackedLookUp} says
     * @throws io.spillway.error.SpillwayException {@code FILE_CORRUPT} for a value that is not in
     *     the table
     */
    void lookUp(byte[] table, int count, long bitmap, long toBit) {
        for (int done = 0; done < count; ) {
            int n = take(count - done);
            int found;
            if (repeated) {
                found = PackedLookUp.one(table, value);
                Bits.set(bitmap, toBit + done, n, found > 0);
            } else {
                found = PackedLookUp.all(table, packed, bit, width, n, bitmap, toBit + done);
            }
            if (found < 0) {
                throw place.corrupt("An index lies outside the dictionary");
            }
            taken(n);
            done += n;
        }
    }

    /**
     * The next values, of up to 8 bits, as one byte each, checked to be no more than a limit; up to
     * 7 bytes behind the last are written, too.
     *
     * @param most the limit, below 255
     * @throws io.spillway.error.SpillwayException {@code FILE_CORRUPT}
     */
    public void levels(long out, int count, int most) {
        for (int done = 0; done < count; ) {
            int n = take(count - done);
            boolean fit;
            if (repeated) {
                fit = Integer.compareUnsigned(value, most) <= 0;
                long eight = (value & 0xFF) * EACH_BYTE;
                for (int i = 0; i < n; i += Long.BYTES) {
                    OffHeap.putLong(out + done + i, eight);
                }
            } else {
                fit = unpackBytes(packed, bit, width, out + done, n, most);
            }
            if (!fit) {
                throw place.corrupt("A level is above the highest, which is " + most);
            }
            taken(n);
            done += n;
        }
    }

    /** Unpacks values into bytes, eight at a time. */
    private static boolean unpackBytes(
            long base, long fromBit, int width, long out, int count, int most) {
        long places = ((1L << width) - 1) * EACH_BYTE;
        boolean above = false;
        for (int i = 0; i < count; i += Byte.SIZE) {
            int n = Math.min(Byte.SIZE, count - i);
            long packed = Bits.read(base, fromBit + (long) i * width, n * width);
            long eight = Long.expand(packed, places);
            OffHeap.putLong(out + i, eight);
            above |= Levels.anyAtLeast(eight, most + 1);
        }
        return !above;
    }

    private RuntimeException outside(int limit) {
        return place.corrupt("An index lies outside the dictionary of " + limit + " entries");
    }

    private static void repeat(long out, int count, int value) {
        long two = (value & 0xFFFFFFFFL) << 32 | (value & 0xFFFFFFFFL);
        int i = 0;
        for (; i + 2 <= count; i += 2) {
            OffHeap.putLong(out + 4L * i, two);
        }
        if (i < count) {
            OffHeap.putInt(out + 4L * i, value);
        }
    }

    /**
     * Unpacks values, as many at a time as one word holds: two by one instruction, side by side as
     * they stand in memory, and checked together.
     *
     * @return negative if one of them is negative or not below the limit
     */
    private static int unpack(
            long base, long fromBit, int width, long mask, long out, int count, int limit) {
        int top = limit - 1;
        long places = mask | mask << Integer.SIZE;
        long tops = (top & 0xFFFFFFFFL) | (long) top << Integer.SIZE;
        // Lanes whose highest bit shows that one of their values was above the top; what such a
        // lane borrows from the other can only tell of a bad value once more.
        long lanes = 0;
        long bit = fromBit;
        int i = 0;
        if (width <= MOST_WIDTH_OF_EIGHT) {
            for (; i + 8 <= count; i += 8, bit += 8L * width) {
                long word = OffHeap.getLong(base + (bit >>> 3)) >>> (bit & 7);
                long a = Long.expand(word, places);
                long b = Long.expand(word >>> (2 * width), places);
                long c = Long.expand(word >>> (4 * width), places);
                long d = Long.expand(word >>> (6 * width), places);
                long to = out + 4L * i;
                OffHeap.putLong(to, a);
                OffHeap.putLong(to + 8, b);
                OffHeap.putLong(to + 16, c);
                OffHeap.putLong(to + 24, d);
                lanes |= (tops - a) | (tops - b) | (tops - c) | (tops - d);
            }
        }
        if (width <= MOST_WIDTH_OF_FOUR) {
            for (; i + 4 <= count; i += 4, bit += 4L * width) {
                long word = OffHeap.getLong(base + (bit >>> 3)) >>> (bit & 7);
                long a = Long.expand(word, places);
                long b = Long.expand(word >>> (2 * width), places);
                long to = out + 4L * i;
                OffHeap.putLong(to, a);
                OffHeap.putLong(to + 8, b);
                lanes |= (tops - a) | (tops - b);
            }
        }
        int bad = (int) (lanes >>> Integer.SIZE) | (int) lanes;
        for (; i < count; i++, bit += width) {
            int a = (int) (OffHeap.getLong(base + (bit >>> 3)) >>> (bit & 7) & mask);
            OffHeap.putInt(out + 4L * i, a);
            bad |= (top - a) | a;
        }
        return bad;
    }
}
