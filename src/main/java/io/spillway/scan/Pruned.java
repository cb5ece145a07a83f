package io.spillway.scan;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a scan did without, since a filter above it would have dropped those rows.
 *
 * @param by what told that they cannot match
 * @param partitions whole partitions (row groups, for Parquet) that were left out
 * @param pages pages of partitions that were read in part
 * @param rows rows that were not decoded, those of the partitions included
 * @param bytes bytes of the files that would have been read otherwise, as far as that is known
 */
public record Pruned(By by, long partitions, long pages, long rows, long bytes) {

    /** What rules rows out. */
    public enum By {
        /** Values that a whole file has: in the name of its folder, or for lack of a column. */
        FILE_VALUES,
        /** Least and greatest values of a partition. */
        STATISTICS,
        /** A filter that knows which values a partition cannot have. */
        BLOOM_FILTER,
        /** The dictionary that holds all values of a partition. */
        DICTIONARY,
        /** Least and greatest values of pages. */
        PAGE_INDEX;

        /** Its name in documents and metrics, for example {@code page-index}. */
        public String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Sums by {@link #by}, in its order. */
    public static List<Pruned> sum(List<Pruned> parts) {
        Map<By, Pruned> sums = new EnumMap<>(By.class);
        parts.forEach(part -> sums.merge(part.by(), part, Pruned::plus));
        return new ArrayList<>(sums.values());
    }

    private Pruned plus(Pruned other) {
        return new Pruned(
                by,
                partitions + other.partitions,
                pages + other.pages,
                rows + other.rows,
                bytes + other.bytes);
    }
}
