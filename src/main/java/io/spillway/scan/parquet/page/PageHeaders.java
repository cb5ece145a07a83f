package io.spillway.scan.parquet.page;

import io.spillway.scan.parquet.bytes.Place;
import io.spillway.scan.parquet.bytes.ThriftBounds;
import io.spillway.scan.parquet.footer.Footer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Util;
import org.jspecify.annotations.Nullable;

/** Reads page headers through parquet-format's Thrift classes and checks what they say. */
public final class PageHeaders {

    /** The largest page that is read; larger ones are not made by known writers. */
    public static final int MAX_PAGE = 1 << 30;

    private PageHeaders() {}

    /**
     * Checks and takes over a header.
     *
     * @param bytes the header and nothing else, found whole by {@link ThriftBounds}
     * @param bodyLimit bytes of the chunk that are left for the page
     * @param valueLimit values of the chunk that are left
     * @throws io.spillway.error.SpillwayException {@code FILE_CORRUPT}, {@code FILE_NOT_SUPPORTED}
     */
    static PageInfo read(
            ByteBuffer bytes, Footer.Chunk chunk, long bodyLimit, long valueLimit, Place place) {
        PageHeader h;
        try {
            h = Util.readPageHeader(new BufferStream(bytes));
        } catch (IOException | RuntimeException e) {
            throw place.corrupt("A page header is damaged", e);
        }
        int compressed = h.getCompressed_page_size();
        int uncompressed = h.getUncompressed_page_size();
        if (compressed < 0 || compressed > bodyLimit) {
            throw place.corrupt(
                    "A page claims %,d bytes where its chunk has %,d"
                            .formatted(compressed, bodyLimit));
        }
        if (uncompressed < 0 || uncompressed > chunk.uncompressedBytes()) {
            throw place.corrupt(
                    "A page claims %,d decompressed bytes where its chunk has %,d"
                            .formatted(uncompressed, chunk.uncompressedBytes()));
        }
        if (Math.max(compressed, uncompressed) > MAX_PAGE) {
            throw place.notSupported(
                    "A page of %,d bytes, more than %,d,"
                            .formatted(Math.max(compressed, uncompressed), MAX_PAGE));
        }
        Integer checksum = h.isSetCrc() ? h.getCrc() : null;
        PageType type = h.getType();
        if (type == null) {
            throw incomplete(place);
        }
        PageInfo info =
                switch (type) {
                    case DICTIONARY_PAGE ->
                            dictionary(h.getDictionary_page_header(), h, checksum, place);
                    case DATA_PAGE -> data(h.getData_page_header(), h, checksum, place);
                    case DATA_PAGE_V2 -> dataV2(h.getData_page_header_v2(), h, checksum, place);
                    case INDEX_PAGE -> other(h, checksum);
                };
        boolean data = info.kind() == PageInfo.Kind.DATA || info.kind() == PageInfo.Kind.DATA_V2;
        if (info.values() < 0 || (data && info.values() > valueLimit)) {
            throw place.corrupt(
                    "A page claims %,d values where its chunk has %,d"
                            .formatted(info.values(), valueLimit));
        }
        return info;
    }

    private static PageInfo dictionary(
            @Nullable DictionaryPageHeader d,
            PageHeader h,
            @Nullable Integer checksum,
            Place place) {
        if (d == null) {
            throw incomplete(place);
        }
        if (d.getEncoding() != Encoding.PLAIN && d.getEncoding() != Encoding.PLAIN_DICTIONARY) {
            throw place.notSupported("A dictionary in encoding " + d.getEncoding());
        }
        return info(
                PageInfo.Kind.DICTIONARY,
                d.getNum_values(),
                Encoding.PLAIN,
                Encoding.RLE,
                Encoding.RLE,
                h,
                checksum);
    }

    private static PageInfo other(PageHeader h, @Nullable Integer checksum) {
        return info(
                PageInfo.Kind.OTHER, 0, Encoding.PLAIN, Encoding.RLE, Encoding.RLE, h, checksum);
    }

    private static PageInfo data(
            @Nullable DataPageHeader d, PageHeader h, @Nullable Integer checksum, Place place) {
        if (d == null
                || d.getEncoding() == null
                || d.getDefinition_level_encoding() == null
                || d.getRepetition_level_encoding() == null) {
            throw incomplete(place);
        }
        return info(
                PageInfo.Kind.DATA,
                d.getNum_values(),
                d.getEncoding(),
                d.getDefinition_level_encoding(),
                d.getRepetition_level_encoding(),
                h,
                checksum);
    }

    private static PageInfo info(
            PageInfo.Kind kind,
            int values,
            Encoding encoding,
            Encoding levelEncoding,
            Encoding repetitionEncoding,
            PageHeader h,
            @Nullable Integer checksum) {
        return new PageInfo(
                kind,
                values,
                encoding,
                levelEncoding,
                repetitionEncoding,
                h.getCompressed_page_size(),
                h.getUncompressed_page_size(),
                true,
                0,
                0,
                checksum,
                PageInfo.UNKNOWN,
                PageInfo.UNKNOWN);
    }

    private static PageInfo dataV2(
            @Nullable DataPageHeaderV2 d, PageHeader h, @Nullable Integer checksum, Place place) {
        if (d == null || d.getEncoding() == null) {
            throw incomplete(place);
        }
        int repetition = d.getRepetition_levels_byte_length();
        int definition = d.getDefinition_levels_byte_length();
        int smaller = Math.min(h.getCompressed_page_size(), h.getUncompressed_page_size());
        if (repetition < 0 || definition < 0 || definition > smaller - repetition) {
            throw place.corrupt("A page claims more bytes of levels than it has");
        }
        if (d.getNum_rows() < 0 || d.getNum_rows() > d.getNum_values()) {
            throw place.corrupt(
                    "A page claims %,d rows with %,d values"
                            .formatted(d.getNum_rows(), d.getNum_values()));
        }
        return new PageInfo(
                PageInfo.Kind.DATA_V2,
                d.getNum_values(),
                d.getEncoding(),
                Encoding.RLE,
                Encoding.RLE,
                h.getCompressed_page_size(),
                h.getUncompressed_page_size(),
                !d.isSetIs_compressed() || d.isIs_compressed(),
                repetition + definition,
                repetition,
                checksum,
                PageInfo.UNKNOWN,
                d.getNum_rows());
    }

    private static RuntimeException incomplete(Place place) {
        return place.corrupt("A page header is damaged: a part of it is missing");
    }

    /** What parquet-format reads from. */
    private static final class BufferStream extends InputStream {

        private final ByteBuffer bytes;

        BufferStream(ByteBuffer bytes) {
            this.bytes = bytes;
        }

        @Override
        public int read() {
            return bytes.hasRemaining() ? bytes.get() & 0xFF : -1;
        }

        @Override
        public int read(byte[] into, int offset, int length) {
            if (!bytes.hasRemaining()) {
                return length == 0 ? 0 : -1;
            }
            int n = Math.min(length, bytes.remaining());
            bytes.get(into, offset, n);
            return n;
        }
    }
}
