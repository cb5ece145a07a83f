package io.spillway.scan.arrow;

import io.spillway.scan.ScanTask;
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
 *   <li>two windows, of {@link #window} bytes, or twice as much where rows differ; of compressed
 *       batches all of the columns' buffers, which are reckoned to take {@link #GROWTH} times their
 *       bytes, and twice only if they are small;
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
        long all = 0;
        for (long bytes : index.columnBytes()) {
            all += bytes;
        }
        long rows = Math.min(batchRows, task.rows());
        Map<Long, ArrowField> dictionaries = new HashMap<>();
        long wanted = 0;
        long batch = 0;
        for (var column : task.columns().columns()) {
            int position = index.indexOf(column.name());
            if (position >= 0) {
                wanted += index.columnBytes()[position];
                ArrowField field = index.fields().get(position);
                Dictionaries.collect(field, dictionaries);
                batch += copied(field, rows);
            }
        }
        double part = all == 0 ? 0 : (double) wanted / all;
        return FIXED
                + windows((long) (largest(index, partition) * part), index, profile)
                + dictionaries(index.dictionaries(), dictionaries, index.isCompressed())
                + batch;
    }

    private static long largest(FileIndex index, int partition) {
        long largest = 0;
        for (int i = index.firstBatches()[partition];
                i < index.firstBatches()[partition + 1];
                i++) {
            largest = Math.max(largest, index.batches().get(i).bodyBytes());
        }
        return largest;
    }

    private static long windows(long bytes, FileIndex index, ReadProfile profile) {
        long window = window(profile);
        if (!index.isCompressed()) {
            return 2 * Buffers.rounded(Math.min(2 * window, bytes + Buffers.PADDING));
        }
        long one = (1 + GROWTH) * bytes;
        return bytes <= window / GROWTH ? 2 * one : one;
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
