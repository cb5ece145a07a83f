package io.spillway.scan.parquet;

import io.spillway.batch.ColumnSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.PageEncodingStats;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Util;
import org.apache.parquet.format.converter.ParquetMetadataConverter;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link Footer} of a footer's bytes, and believes none of it before it is checked: its
 * lengths against its bytes, and its chunks against the file. The Thrift structs and the schema are
 * read by parquet-java.
 */
final class FooterParser {

    /** The first column chunk can start behind the file's magic. */
    private static final int DATA_START = 4;

    /** Rows of a row group; the sum over as many as a footer can hold fits 63 bits. */
    private static final long MAX_ROWS = 1L << 39;

    private static final int COLUMN_WEIGHT = 400;
    private static final int CHUNK_WEIGHT = 120;

    private final Place place;
    private final long dataEnd;

    /**
     * @param dataEnd where in the file the footer starts
     */
    FooterParser(Place place, long dataEnd) {
        this.place = place;
        this.dataEnd = dataEnd;
    }

    /**
     * Reads the struct that the buffer holds.
     *
     * @throws SpillwayException as {@link FooterReader#read}
     */
    Footer parse(ByteBuffer bytes) {
        if (ThriftBounds.structLength(bytes) < 0) {
            throw place.corrupt("The footer is damaged");
        }
        try {
            FileMetaData meta =
                    Util.readFileMetaData(
                            new ByteArrayInputStream(
                                    bytes.array(),
                                    bytes.arrayOffset() + bytes.position(),
                                    bytes.remaining()));
            List<RowGroup> groups = present(meta.getRow_groups());
            List<Footer.Column> columns = columns(schema(meta), groups);
            int leaves = leaves(present(meta.getSchema()));
            return new Footer(
                    columns,
                    rowGroups(groups, leaves),
                    COLUMN_WEIGHT * (columns.size() + 1L)
                            + CHUNK_WEIGHT * (long) leaves * groups.size());
        } catch (SpillwayException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            throw place.corrupt("The footer is damaged", e);
        }
    }

    /** The schema as parquet-java understands it, for which it needs no row groups. */
    private static MessageType schema(FileMetaData meta) throws IOException {
        FileMetaData withoutData = new FileMetaData(meta);
        withoutData.setRow_groups(List.of());
        return new ParquetMetadataConverter()
                .fromParquetMetadata(withoutData)
                .getFileMetaData()
                .getSchema();
    }

    private <T> List<T> present(@Nullable List<T> list) {
        if (list == null) {
            throw place.corrupt("The footer is damaged: a list is missing");
        }
        return list;
    }

    private static int leaves(List<SchemaElement> schema) {
        int leaves = 0;
        for (SchemaElement e : schema) {
            leaves += e.isSetType() ? 1 : 0;
        }
        return leaves;
    }

    private List<Footer.Column> columns(MessageType schema, List<RowGroup> groups) {
        List<Footer.Column> columns = new ArrayList<>();
        Set<String> names = new HashSet<>();
        int leaf = 0;
        for (Type type : schema.getFields()) {
            if (!names.add(type.getName())) {
                throw new SpillwayException(
                                ErrorCode.SCHEMA_MISMATCH,
                                "Two columns of '"
                                        + place.file()
                                        + "' have the name '"
                                        + type.getName()
                                        + "'")
                        .with(SpillwayException.FILE, place.file())
                        .with(SpillwayException.COLUMN, type.getName());
            }
            columns.add(column(type, leaf, groups));
            leaf += leaves(type);
        }
        return columns;
    }

    private static int leaves(Type type) {
        if (type.isPrimitive()) {
            return 1;
        }
        int leaves = 0;
        for (Type child : type.asGroupType().getFields()) {
            leaves += leaves(child);
        }
        return leaves;
    }

    private Footer.Column column(Type type, int leaf, List<RowGroup> groups) {
        String why = ParquetTypes.unreadable(type);
        if (why == null) {
            why = unreadableChunk(groups, leaf);
        }
        if (why != null) {
            return new Footer.Column(type.getName(), null, why, null, 0, -1);
        }
        PrimitiveType primitive = type.asPrimitiveType();
        return new Footer.Column(
                type.getName(),
                new ColumnSchema(
                        type.getName(),
                        ParquetTypes.columnType(primitive),
                        type.isRepetition(Type.Repetition.OPTIONAL)),
                null,
                primitive.getPrimitiveTypeName(),
                primitive.getTypeLength(),
                leaf);
    }

    /** What hinders reading a leaf in some row group, or null. */
    private @Nullable String unreadableChunk(List<RowGroup> groups, int leaf) {
        for (RowGroup group : groups) {
            List<ColumnChunk> chunks = present(group.getColumns());
            if (leaf < chunks.size()) {
                ColumnChunk chunk = chunks.get(leaf);
                if (chunk.isSetCrypto_metadata()) {
                    return "it is encrypted, and there is no key for it";
                }
                if (chunk.isSetFile_path()) {
                    return "its data is in another file";
                }
            }
        }
        return null;
    }

    private List<Footer.RowGroup> rowGroups(List<RowGroup> read, int leaves) {
        List<Footer.RowGroup> groups = new ArrayList<>();
        for (RowGroup group : read) {
            Place at = new Place(place.file(), groups.size(), null);
            boolean possible = group.getNum_rows() >= 0 && group.getNum_rows() <= MAX_ROWS;
            if (group.getColumnsSize() != leaves || !possible) {
                throw at.corrupt("The footer is damaged: the row group does not fit the schema");
            }
            List<Footer.Chunk> chunks = new ArrayList<>(leaves);
            for (ColumnChunk column : present(group.getColumns())) {
                chunks.add(chunk(column, at));
            }
            groups.add(new Footer.RowGroup(group.getNum_rows(), chunks));
        }
        return groups;
    }

    private Footer.Chunk chunk(ColumnChunk column, Place at) {
        ColumnMetaData m = column.getMeta_data();
        if (column.isSetCrypto_metadata() || column.isSetFile_path()) {
            // The column is reported as unreadable, and never looked at.
            return new Footer.Chunk(0, 0, 0, 0, CompressionCodec.UNCOMPRESSED, Set.of(), 0, false);
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
        CompressionCodec codec = m.getCodec();
        if (codec == null) {
            throw at.notSupported("An unknown compression");
        }
        return new Footer.Chunk(
                offset,
                m.getTotal_compressed_size(),
                m.getTotal_uncompressed_size(),
                m.getNum_values(),
                codec,
                encodings(m),
                dataPages(m.getEncoding_stats()),
                indexOnly(m.getEncoding_stats()));
    }

    private Set<Encoding> encodings(ColumnMetaData m) {
        Set<Encoding> encodings = EnumSet.noneOf(Encoding.class);
        for (Encoding encoding : present(m.getEncodings())) {
            if (encoding != null) {
                encodings.add(encoding);
            }
        }
        return encodings;
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
