package io.spillway.scan.parquet.footer;

import io.spillway.scan.parquet.bytes.Place;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.ColumnOrder;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.PageEncodingStats;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.jspecify.annotations.Nullable;

/**
 * The row groups of a footer, and what it says of their column chunks. Believes nothing before it
 * is checked against the file: a chunk must lie in it, an index that does not is left aside.
 */
final class RowGroupParser {

    /** The first column chunk can start behind the file's magic. */
    private static final int DATA_START = 4;

    /** Rows of a row group; the sum over as many as a footer can hold fits 63 bits. */
    private static final long MAX_ROWS = 1L << 39;

    /** A chunk's own heap, without its statistics and the places of its indexes. */
    private static final int CHUNK_WEIGHT = 80;

    private final Place place;
    private final long dataEnd;
    private final List<SchemaElement> leaves;
    private final List<ColumnOrder> orders;
    private final @Nullable String createdBy;

    /** Sets of encodings, of which a file has few: chunks share them. */
    private final Map<Set<Encoding>, Set<Encoding>> encodings = new HashMap<>();

    private long weight;

    /**
     * @param dataEnd where in the file the footer starts
     * @param elements the schema
     */
    RowGroupParser(Place place, long dataEnd, FileMetaData meta, List<SchemaElement> elements) {
        this.place = place;
        this.dataEnd = dataEnd;
        this.leaves = elements.stream().filter(SchemaElement::isSetType).toList();
        List<ColumnOrder> told = meta.getColumn_orders();
        this.orders = told == null ? List.of() : told;
        this.createdBy = meta.getCreated_by();
    }

    /** Bytes of heap that the row groups read so far are reckoned to take. */
    long weight() {
        return weight;
    }

    /**
     * Takes over row groups.
     *
     * @throws io.spillway.error.SpillwayException {@code FILE_CORRUPT}, {@code FILE_NOT_SUPPORTED}
     */
    List<Footer.RowGroup> read(List<RowGroup> read) {
        List<Footer.RowGroup> groups = new ArrayList<>();
        for (RowGroup group : read) {
            Place at = new Place(place.file(), groups.size(), null);
            boolean possible = group.getNum_rows() >= 0 && group.getNum_rows() <= MAX_ROWS;
            List<ColumnChunk> columns = group.getColumns();
            if (columns == null || columns.size() != leaves.size() || !possible) {
                throw at.corrupt("The footer is damaged: the row group does not fit the schema");
            }
            List<Footer.Chunk> chunks = new ArrayList<>(leaves.size());
            for (int leaf = 0; leaf < leaves.size(); leaf++) {
                chunks.add(chunk(columns.get(leaf), leaf, at));
            }
            groups.add(new Footer.RowGroup(group.getNum_rows(), chunks));
        }
        return groups;
    }

    private Footer.Chunk chunk(ColumnChunk column, int leaf, Place at) {
        weight += CHUNK_WEIGHT;
        ColumnMetaData m = column.getMeta_data();
        if (column.isSetCrypto_metadata() || column.isSetFile_path()) {
            return Footer.Chunk.UNREADABLE;
        }
        if (m == null) {
            throw at.corrupt("The footer is damaged: a column has no metadata");
        }
        long offset = m.getData_page_offset();
        if (m.isSetDictionary_page_offset()
                && m.getDictionary_page_offset() > 0
                && (m.getDictionary_page_offset() < offset || offset <= 0)) {
            offset = m.getDictionary_page_offset();
        }
        boolean inside =
                m.getTotal_compressed_size() >= 0
                        && m.getTotal_uncompressed_size() >= 0
                        && m.getNum_values() >= 0
                        && (m.getNum_values() == 0
                                || (offset >= DATA_START
                                        && offset <= dataEnd - m.getTotal_compressed_size()));
        if (!inside) {
            throw at.corrupt("The footer is damaged: a column lies outside the file");
        }
        int missing = OldSizes.missing(createdBy);
        // Where there are no values nothing is read, wherever that should be.
        long length =
                m.getNum_values() == 0
                        ? 0
                        : Math.min(m.getTotal_compressed_size() + missing, dataEnd - offset);
        CompressionCodec codec = m.getCodec();
        if (codec == null) {
            throw at.notSupported("An unknown compression");
        }
        ColumnOrder order = leaf < orders.size() ? orders.get(leaf) : null;
        ChunkStatistics statistics =
                ChunkStatistics.of(
                        m.getStatistics(), leaves.get(leaf), order, createdBy, m.getNum_values());
        IndexPlaces indexes = IndexPlaces.of(column, m, ChunkStatistics.isKnown(order), dataEnd);
        weight += statistics.weight() + indexes.weight();
        return new Footer.Chunk(
                offset,
                length,
                m.getTotal_uncompressed_size() + missing,
                m.getNum_values(),
                codec,
                encodings(m, at),
                dataPages(m.getEncoding_stats()),
                indexOnly(m.getEncoding_stats()),
                Math.clamp(m.getData_page_offset() - offset, 0, m.getTotal_compressed_size()),
                statistics,
                indexes);
    }

    private Set<Encoding> encodings(ColumnMetaData m, Place at) {
        if (m.getEncodings() == null) {
            throw at.corrupt("The footer is damaged: a list is missing");
        }
        Set<Encoding> all = EnumSet.noneOf(Encoding.class);
        for (Encoding encoding : m.getEncodings()) {
            if (encoding != null) {
                all.add(encoding);
            }
        }
        return encodings.computeIfAbsent(Set.copyOf(all), set -> set);
    }

    private static int dataPages(@Nullable List<PageEncodingStats> stats) {
        long pages = 0;
        if (stats != null) {
            for (PageEncodingStats s : stats) {
                if (isData(s)) {
                    pages += Math.max(0, s.getCount());
                }
            }
        }
        return (int) Math.min(pages, Integer.MAX_VALUE);
    }

    private static boolean indexOnly(@Nullable List<PageEncodingStats> stats) {
        if (stats == null || dataPages(stats) == 0) {
            return false;
        }
        for (PageEncodingStats s : stats) {
            Encoding encoding = s.getEncoding();
            boolean indexed = encoding != null && Encodings.isDictionary(encoding);
            if (isData(s) && s.getCount() > 0 && !indexed) {
                return false;
            }
        }
        return true;
    }

    private static boolean isData(PageEncodingStats s) {
        return s.getPage_type() == PageType.DATA_PAGE || s.getPage_type() == PageType.DATA_PAGE_V2;
    }
}
