package io.spillway.encode;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What exact batches say of themselves: a batch of {@code size} rows begins at each multiple of
 * that position. As JSON:
 *
 * <pre>
 *   {"batch":3,"firstRow":300,"rows":[ROW,ROW,…],"rowCount":100}
 * </pre>
 *
 * One that is shorter than others has {@code "shortReason"}; one that has rows which another one
 * had already has {@code "repeats"}, the number of these, its last ones.
 *
 * @param size rows of every batch but the last; 0 if there is no such number, and so batches have
 *     none either
 * @param rows number of the row at a position, at least at the start of a batch; null if batches
 *     come in no order, and so have no numbers
 * @param repeatedFrom rows from this number on repeat earlier ones; asked when there are such
 *     positions; null if no row is repeated
 */
public record BatchNames(
        int size, @Nullable LongUnaryOperator rows, @Nullable LongSupplier repeatedFrom) {

    /** Batches that are parts of the job's rows, in their order. */
    public static BatchNames ordered(int size, LongUnaryOperator rows) {
        return new BatchNames(size, rows, null);
    }

    /** Batches whose borders depend on their rows: they are known by their first rows alone. */
    public static BatchNames ofAnySize(LongUnaryOperator rows) {
        return new BatchNames(0, rows, null);
    }

    /** Batches in the order in which they are ready. */
    public static BatchNames unordered(int size) {
        return new BatchNames(size, null, null);
    }

    /** How many of so many rows from a position on are in the batch that has the first of them. */
    int inBatch(long position, int rows) {
        return (int) Math.min(rows, size - position % size);
    }

    /** The object up to its first row. */
    String before(long first) {
        if (rows == null) {
            return "{\"rows\":[";
        }
        long row = rows.applyAsLong(first);
        String number = size > 0 ? "\"batch\":" + row / size + "," : "";
        return "{" + number + "\"firstRow\":" + row + ",\"rows\":[";
    }

    /** The object behind its last row. */
    String behind(long first, long end, @Nullable ShortReason shortReason) {
        long count = end - first;
        long repeats = repeats(first, end);
        return "],\"rowCount\":"
                + count
                + (shortReason == null ? "" : ",\"shortReason\":\"" + shortReason.word() + "\"")
                + (repeats > 0 ? ",\"repeats\":" + repeats : "")
                + "}";
    }

    /** The same as the custom metadata of a message. */
    Map<String, String> metadata(long first, long end, @Nullable ShortReason shortReason) {
        Map<String, String> metadata = new LinkedHashMap<>();
        if (rows != null) {
            long row = rows.applyAsLong(first);
            if (size > 0) {
                metadata.put("spillway.batch", Long.toString(row / size));
            }
            metadata.put("spillway.first-row", Long.toString(row));
        }
        if (shortReason != null) {
            metadata.put("spillway.short-reason", shortReason.word());
        }
        long repeats = repeats(first, end);
        if (repeats > 0) {
            metadata.put("spillway.repeats", Long.toString(repeats));
        }
        return metadata;
    }

    /** How many rows of a batch are there for another time. */
    long repeats(long first, long end) {
        if (rows == null || repeatedFrom == null) {
            return 0;
        }
        long beyond = rows.applyAsLong(first) + (end - first) - repeatedFrom.getAsLong();
        return Math.clamp(beyond, 0, end - first);
    }
}
