package io.spillway.scan.parquet;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Util;

/** A good file taken apart, so that parts of it can be exchanged. */
final class MutableFile {

    private static final int TAIL = 8;
    private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);

    /** A page: its header at {@code [header, body)}, its bytes at {@code [body, end)}. */
    record Span(int header, int body, int end) {}

    private final String name;
    private final byte[] bytes;
    private final int footerStart;
    private final List<Span> pages = new ArrayList<>();

    private MutableFile(String name, byte[] bytes) {
        this.name = name;
        this.bytes = bytes;
        int length =
                ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(bytes.length - TAIL);
        this.footerStart = bytes.length - TAIL - length;
    }

    /** Takes a file apart. */
    static MutableFile of(String name, byte[] bytes) throws IOException {
        MutableFile file = new MutableFile(name, bytes);
        for (RowGroup group : groups(file.footer())) {
            for (ColumnChunk chunk : chunks(group)) {
                ColumnMetaData column = chunk.getMeta_data();
                if (column != null) {
                    file.findPages(column);
                }
            }
        }
        return file;
    }

    /** Pages of the chunk as far as its bytes make sense. */
    private void findPages(ColumnMetaData column) {
        long start = column.getData_page_offset();
        if (column.getDictionary_page_offset() > 0) {
            start = Math.min(start, column.getDictionary_page_offset());
        }
        long end = Math.min(start + column.getTotal_compressed_size(), footerStart);
        try {
            while (start < end) {
                ByteArrayInputStream in =
                        new ByteArrayInputStream(bytes, (int) start, (int) (end - start));
                PageHeader header = Util.readPageHeader(in);
                int body = (int) end - in.available();
                int next = body + header.getCompressed_page_size();
                if (next > end) {
                    return;
                }
                pages.add(new Span((int) start, body, next));
                start = next;
            }
        } catch (IOException _) {
            // What follows is no page: the suite has such files.
        }
    }

    String name() {
        return name;
    }

    byte[] bytes() {
        return bytes;
    }

    int footerStart() {
        return footerStart;
    }

    List<Span> pages() {
        return pages;
    }

    /** Whether every page has a checksum, so that no change of its bytes goes unseen. */
    boolean isChecksummed() throws IOException {
        for (Span page : pages) {
            if (!pageHeader(page).isSetCrc()) {
                return false;
            }
        }
        return !pages.isEmpty();
    }

    /** A fresh copy of the footer. */
    FileMetaData footer() throws IOException {
        return Util.readFileMetaData(
                new ByteArrayInputStream(bytes, footerStart, bytes.length - footerStart));
    }

    PageHeader pageHeader(Span page) throws IOException {
        return Util.readPageHeader(
                new ByteArrayInputStream(bytes, page.header(), page.body() - page.header()));
    }

    /** The file with another footer. */
    byte[] withFooter(FileMetaData footer) throws IOException {
        ByteArrayOutputStream serialised = new ByteArrayOutputStream();
        Util.writeFileMetaData(footer, serialised);
        return withFooter(serialised.toByteArray());
    }

    /** The file with the bytes of another footer. */
    byte[] withFooter(byte[] footer) {
        return concat(
                Arrays.copyOf(bytes, footerStart),
                footer,
                ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(footer.length).array(),
                MAGIC);
    }

    /** The file as if its writer had written no page index. */
    byte[] withoutPageIndex() throws IOException {
        FileMetaData footer = footer();
        for (RowGroup group : groups(footer)) {
            for (ColumnChunk chunk : chunks(group)) {
                chunk.unsetColumn_index_offset();
                chunk.unsetColumn_index_length();
                chunk.unsetOffset_index_offset();
                chunk.unsetOffset_index_length();
            }
        }
        return withFooter(footer);
    }

    /** The bytes of the footer. */
    byte[] footerBytes() {
        return Arrays.copyOfRange(bytes, footerStart, bytes.length - TAIL);
    }

    /** The file with another header of a page; what the footer says is moved along. */
    byte[] withPageHeader(Span page, PageHeader header) throws IOException {
        ByteArrayOutputStream serialised = new ByteArrayOutputStream();
        Util.writePageHeader(header, serialised);
        int more = serialised.size() - (page.body() - page.header());
        FileMetaData footer = footer();
        for (RowGroup group : groups(footer)) {
            for (ColumnChunk chunk : chunks(group)) {
                move(chunk, page.header(), more);
            }
        }
        ByteArrayOutputStream moved = new ByteArrayOutputStream();
        Util.writeFileMetaData(footer, moved);
        byte[] file =
                concat(
                        Arrays.copyOf(bytes, page.header()),
                        serialised.toByteArray(),
                        Arrays.copyOfRange(bytes, page.body(), footerStart));
        return concat(
                file,
                moved.toByteArray(),
                ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(moved.size()).array(),
                MAGIC);
    }

    private static void move(ColumnChunk chunk, int from, int more) {
        ColumnMetaData column = chunk.getMeta_data();
        if (column == null) {
            return;
        }
        boolean dictionary = column.getDictionary_page_offset() > 0;
        long start =
                dictionary
                        ? Math.min(column.getDictionary_page_offset(), column.getData_page_offset())
                        : column.getData_page_offset();
        if (start <= from && from < start + column.getTotal_compressed_size()) {
            column.setTotal_compressed_size(column.getTotal_compressed_size() + more);
        }
        if (column.getData_page_offset() > from) {
            column.setData_page_offset(column.getData_page_offset() + more);
        }
        if (dictionary && column.getDictionary_page_offset() > from) {
            column.setDictionary_page_offset(column.getDictionary_page_offset() + more);
        }
        if (column.getBloom_filter_offset() > from) {
            column.setBloom_filter_offset(column.getBloom_filter_offset() + more);
        }
        if (chunk.getOffset_index_offset() > from) {
            chunk.setOffset_index_offset(chunk.getOffset_index_offset() + more);
        }
        if (chunk.getColumn_index_offset() > from) {
            chunk.setColumn_index_offset(chunk.getColumn_index_offset() + more);
        }
    }

    static List<RowGroup> groups(FileMetaData footer) {
        return Objects.requireNonNull(footer.getRow_groups());
    }

    static List<ColumnChunk> chunks(RowGroup group) {
        return Objects.requireNonNull(group.getColumns());
    }

    private static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
