package io.spillway.scan.arrow;

import io.spillway.scan.ScanTask;
import io.spillway.scan.arrow.FileIndex.BatchPlace;
import io.spillway.scan.arrow.FileIndex.DictionaryPlace;
import io.spillway.scan.bytes.Buffers;
import io.spillway.storage.ReadProfile;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a stream over a partition holds at most, judged from the index:
 *
 * <ul>
 *   <li>two windows, of {@link #window} bytes, or twice as much where rows differ, with what lies
 *       between buffers that are read by one request; of compressed batches all of the columns'
 *       buffers, which are reckoned to take {@link #GROWTH} times their bytes, or more where the
 *       number of values tells, and twice only if they are small;
 *   <li>the dictionaries, twice while one is added to;
 *   <li>the batch under way, as far as it does not share the window: validity, offsets and indices,
 *       and values of views.
 * </ul>
 *
 * What is larger all the same, such as a single row larger than a window or buffers that were
 * compressed better, meets the pool's own limit instead.
 */
final class MemoryEstimate {

    /** How many times its compressed bytes a buffer is reckoned to take. */
    private static final int GROWTH = 4;

    private static final int LEAST_WINDOW = 2 << 20;
    private static final int MOST_WINDOW = 8 << 20;

    /** The stream, its readers, the file and metadata. */
    private static final long FIXED = 128 << 10;

    private MemoryEstimate() {}

    /** Bytes of a window of a batch that is not compressed. */
    static int window(ReadProfile profile) {
        return Math.clamp(profile.aheadBytes(), LEAST_WINDOW, MOST_WINDOW);
    }

    static long bytes(ScanTask task, FileIndex index, int batchRows, ReadProfile profile) {
        int partition = task.partition();
        if (partition < 0 || partition >= index.partitions()) {
            return FIXED;
        }
        BatchPlace largest = largest(index, partition);
        long all = 0;
        for (long bytes : index.columnBytes()) {
            all += bytes;
        }
        long rows = Math.min(batchRows, task.rows());
        Map<Long, ArrowField> dictionaries = new HashMap<>();
        long read = 0;
        long raw = 0;
        long batch = 0;
        for (var column : task.columns().columns()) {
            int position = index.indexOf(column.name());
            if (position >= 0) {
                double part = all == 0 ? 0 : (double) index.columnBytes()[position] / all;
                long bytes = (long) (part * largest.bodyBytes());
                ArrowField field = index.fields().get(position);
                read += bytes + (long) profile.gapBytes() * buffers(field);
                raw += Math.max(GROWTH * bytes, least(field, largest.rows()));
                Dictionaries.collect(field, dictionaries);
                batch += copied(field, rows);
            }
        }
        read = Math.min(read, largest.bodyBytes()) + Buffers.PADDING;
        return FIXED
                + (index.isCompressed() ? compressed(read, raw, profile) : plain(read, profile))
                + dictionaries(index.dictionaries(), dictionaries, index.isCompressed())
                + batch;
    }

    private static BatchPlace largest(FileIndex index, int partition) {
        int first = index.firstBatches()[partition];
        BatchPlace largest = index.batches().get(first);
        for (int i = first; i < index.firstBatches()[partition + 1]; i++) {
            BatchPlace batch = index.batches().get(i);
            largest = batch.bodyBytes() > largest.bodyBytes() ? batch : largest;
        }
        return largest;
    }

    private static long plain(long read, ReadProfile profile) {
        return 2 * Buffers.rounded(Math.min(2L * window(profile), read));
    }

    private static long compressed(long read, long raw, ReadProfile profile) {
        long one = read + 2 * raw;
        return raw <= 2L * window(profile) ? 2 * one : one;
    }

    private static int buffers(ArrowField field) {
        int sum = field.layout().buffers(false);
        for (ArrowField child : field.children()) {
            sum += buffers(child);
        }
        return sum;
    }

    /** Bytes of so many values' buffers, as far as their number tells. */
    private static long least(ArrowField field, long rows) {
        long own =
                switch (field.layout()) {
                    case Layout.Nulls _, Layout.Unread _ -> 0;
                    case Layout.Bits _ -> rows >>> 3;
                    case Layout.Fixed(int width, var _) -> rows * width;
                    case Layout.Bytes(int width) -> rows * width;
                    case Layout.Elements(int width) -> rows * width;
                    case Layout.Views _ -> rows * Views.BYTES;
                    case Layout.FixedElements(int size) ->
                            least(field.children().getFirst(), rows * size);
                    case Layout.Fields _ -> {
                        long sum = 0;
                        for (ArrowField child : field.children()) {
                            sum += least(child, rows);
                        }
                        yield sum;
                    }
                };
        return own + (rows >>> 3);
    }

    private static long dictionaries(
            List<DictionaryPlace> places, Map<Long, ArrowField> wanted, boolean compressed) {
        long sum = 0;
        for (DictionaryPlace dictionary : places) {
            if (wanted.containsKey(dictionary.id())) {
                sum += (compressed ? 1 + GROWTH : 1) * dictionary.bodyBytes();
            }
        }
        return 2 * sum;
    }

    /** What a batch takes besides what it shares with the window. */
    private static long copied(ArrowField field, long rows) {
        long sum = Buffers.rounded(rows / 8 + 8) + Buffers.rounded(4 * (rows + 1));
        if (field.layout() instanceof Layout.Views) {
            sum += RowsOfBatch.FULL;
        } else if (field.layout() instanceof Layout.Fixed(int _, Layout.Conversion conversion)
                && conversion != Layout.Conversion.NONE) {
            sum += Buffers.rounded(16 * rows);
        }
        for (ArrowField child : field.children()) {
            sum += copied(child, rows);
        }
        return sum;
    }
}
