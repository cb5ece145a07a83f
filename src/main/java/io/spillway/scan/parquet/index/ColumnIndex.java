package io.spillway.scan.parquet.index;

import io.spillway.scan.parquet.bytes.ThriftBounds;
import io.spillway.scan.parquet.footer.LeafValues;
import io.spillway.scan.pruning.ValueSet;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.format.Util;
import org.jspecify.annotations.Nullable;

/**
 * What the pages of a chunk hold, one {@link ValueSet} each. That bounds ascend or descend from
 * page to page, as an index may claim, is never relied on.
 *
 * @see <a href="https://github.com/apache/parquet-format/blob/master/PageIndex.md">Parquet page
 *     index</a>
 */
public record ColumnIndex(List<ValueSet> pages) {

    public ColumnIndex {
        pages = List.copyOf(pages);
    }

    /**
     * Reads an index.
     *
     * @param bytes the Thrift struct, and perhaps more
     * @return null if it is damaged, or does not have the pages of the offset index
     */
    public static @Nullable ColumnIndex read(byte[] bytes, LeafValues values, OffsetIndex places) {
        if (ThriftBounds.structLength(ByteBuffer.wrap(bytes)) < 0) {
            return null;
        }
        try {
            return of(
                    Util.readColumnIndex(new ByteArrayInputStream(bytes)), values, places.pages());
        } catch (IOException | RuntimeException e) {
            return null;
        }
    }

    private static @Nullable ColumnIndex of(
            org.apache.parquet.format.ColumnIndex index, LeafValues values, int count) {
        List<Boolean> nullPages = index.getNull_pages();
        List<ByteBuffer> mins = index.getMin_values();
        List<ByteBuffer> maxes = index.getMax_values();
        if (nullPages == null
                || mins == null
                || maxes == null
                || nullPages.size() != count
                || mins.size() != count
                || maxes.size() != count) {
            return null;
        }
        List<Long> nulls = hasSize(index.getNull_counts(), count) ? index.getNull_counts() : null;
        List<Long> nans = hasSize(index.getNan_counts(), count) ? index.getNan_counts() : null;
        boolean nullable = values.leaf().field().nullable();
        List<ValueSet> pages = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            if (nullPages.get(i)) {
                pages.add(nullable ? ValueSet.nulls() : ValueSet.anything());
            } else {
                pages.add(
                        values.between(
                                bytes(mins.get(i)),
                                bytes(maxes.get(i)),
                                nulls == null ? -1 : nulls.get(i),
                                nans == null ? -1 : nans.get(i)));
            }
        }
        return new ColumnIndex(pages);
    }

    private static boolean hasSize(@Nullable List<?> list, int size) {
        return list != null && list.size() == size;
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }
}
