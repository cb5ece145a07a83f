package io.spillway.scan.parquet.footer;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.RowSchema;
import io.spillway.scan.FileMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.Encoding;
import org.jspecify.annotations.Nullable;

/**
 * What a file's footer says, checked and reduced to what reading needs. Immutable, and shared by
 * all streams over the file.
 *
 * @param columns the top-level columns, in file order; names are unique
 * @param rowGroups in file order
 * @param weight bytes of heap that this object is reckoned to take
 */
public record Footer(List<Column> columns, List<RowGroup> rowGroups, long weight) {

    public Footer {
        columns = List.copyOf(columns);
        rowGroups = List.copyOf(rowGroups);
    }

    /**
     * A top-level column.
     *
     * @param root how it is read, or null if it cannot be
     * @param unreadable why it cannot be read, or null if it can
     */
    public record Column(String name, @Nullable ColumnNode root, @Nullable String unreadable) {

        /** Its name and type, or null if it cannot be read. */
        @Nullable ColumnSchema schema() {
            return root == null ? null : root.field();
        }

        /** Its one leaf, if its values are those of a leaf, one a row; else null. */
        ColumnNode.@Nullable Leaf flat() {
            return root instanceof ColumnNode.Leaf leaf ? leaf : null;
        }
    }

    /**
     * @param chunks one for each leaf of the schema
     */
    public record RowGroup(long rows, List<Chunk> chunks) {
        public RowGroup {
            chunks = List.copyOf(chunks);
        }
    }

    /**
     * One column of one row group; lies wholly between the file's magic and its footer.
     *
     * @param offset first byte in the file, the dictionary page's if there is one
     * @param compressedBytes length in the file, page headers included
     * @param uncompressedBytes length of headers and decompressed pages, as the file claims; no
     *     page is decompressed to more
     * @param values number of values, nulls included
     * @param encodings all encodings that the chunk uses
     * @param dataPages number of data pages, or 0 if the file does not tell
     * @param indexOnly whether the file tells that all data pages are dictionary-encoded
     * @param dictionaryBytes length of what stands before the first data page, if that is the
     *     dictionary; 0 if there is none or the file does not tell
     * @param statistics what the footer says of its values
     * @param indexes where the file says more
     */
    public record Chunk(
            long offset,
            long compressedBytes,
            long uncompressedBytes,
            long values,
            CompressionCodec codec,
            Set<Encoding> encodings,
            int dataPages,
            boolean indexOnly,
            long dictionaryBytes,
            ChunkStatistics statistics,
            IndexPlaces indexes) {

        /** A chunk of a column that is reported as unreadable, and never looked at. */
        static final Chunk UNREADABLE =
                new Chunk(
                        0,
                        0,
                        0,
                        0,
                        CompressionCodec.UNCOMPRESSED,
                        Set.of(),
                        0,
                        false,
                        0,
                        ChunkStatistics.none(ValueOrder.UNDEFINED),
                        IndexPlaces.NONE);

        public Chunk {
            encodings = Set.copyOf(encodings);
        }

        /** Position in the file after the last byte. */
        public long end() {
            return offset + compressedBytes;
        }

        /** The chunk as if it ended after so many of its bytes. */
        public Chunk start(long bytes) {
            return new Chunk(
                    offset,
                    bytes,
                    uncompressedBytes,
                    values,
                    codec,
                    encodings,
                    dataPages,
                    indexOnly,
                    dictionaryBytes,
                    statistics,
                    indexes);
        }
    }

    /** The column of that name, or null. */
    public @Nullable Column column(String name) {
        for (Column c : columns) {
            if (c.name().equals(name)) {
                return c;
            }
        }
        return null;
    }

    /** The same with INT96 timestamps of another type. */
    public Footer with(Int96 int96) {
        if (int96 == Int96.MICROS) {
            return this;
        }
        List<Column> typed = new ArrayList<>();
        for (Column c : columns) {
            ColumnNode root = c.root() == null ? null : int96.in(c.root());
            typed.add(new Column(c.name(), root, c.unreadable()));
        }
        return new Footer(typed, rowGroups, weight);
    }

    /** What of it planning needs. */
    public FileMetadata metadata() {
        List<ColumnSchema> readable = new ArrayList<>();
        List<FileMetadata.UnreadableColumn> unreadable = new ArrayList<>();
        for (Column c : columns) {
            if (c.schema() != null) {
                readable.add(c.schema());
            } else if (c.unreadable() != null) {
                unreadable.add(new FileMetadata.UnreadableColumn(c.name(), c.unreadable()));
            }
        }
        List<Long> rows = new ArrayList<>(rowGroups.size());
        long bytes = 0;
        for (RowGroup g : rowGroups) {
            rows.add(g.rows());
            for (Chunk c : g.chunks()) {
                bytes += c.compressedBytes();
            }
        }
        return new FileMetadata(new RowSchema(readable), unreadable, rows, bytes);
    }
}
