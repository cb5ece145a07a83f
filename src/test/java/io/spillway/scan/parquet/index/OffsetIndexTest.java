package io.spillway.scan.parquet.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.expression.Expression;
import io.spillway.expression.Function;
import io.spillway.scan.ScanTask;
import io.spillway.scan.parquet.Filtered;
import io.spillway.scan.parquet.IndexedFile;
import io.spillway.scan.parquet.Scans;
import io.spillway.scan.parquet.bytes.Place;
import io.spillway.scan.parquet.footer.ChunkStatistics;
import io.spillway.scan.parquet.footer.Footer;
import io.spillway.scan.parquet.footer.FooterParser;
import io.spillway.scan.parquet.footer.IndexPlaces;
import io.spillway.scan.parquet.footer.ValueOrder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.OffsetIndex;
import org.apache.parquet.format.PageLocation;
import org.apache.parquet.format.Util;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Places of pages are believed only if they can be those of the chunk. */
class OffsetIndexTest {

    private static final Footer.Chunk CHUNK =
            new Footer.Chunk(
                    100,
                    300,
                    300,
                    30,
                    CompressionCodec.UNCOMPRESSED,
                    Set.of(),
                    3,
                    false,
                    0,
                    ChunkStatistics.none(ValueOrder.SIGNED),
                    IndexPlaces.NONE);

    @TempDir Path folder;
    private final Scans scans = new Scans();
    private final Filtered filtered = new Filtered(scans);

    @AfterEach
    void close() {
        scans.close();
    }

    private static byte[] bytes(PageLocation... pages) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Util.writeOffsetIndex(new OffsetIndex(List.of(pages)), out);
        return out.toByteArray();
    }

    private static @Nullable Object read(PageLocation... pages) throws IOException {
        return io.spillway.scan.parquet.index.OffsetIndex.read(bytes(pages), CHUNK, 30);
    }

    private static PageLocation page(long offset, int size, long firstRow) {
        return new PageLocation(offset, size, firstRow);
    }

    @Test
    void contradictionsMakeItUnusable() throws IOException {
        assertThat(read(page(100, 100, 0), page(200, 100, 10), page(300, 100, 20))).isNotNull();
        assertThat(read()).isNull();
        assertThat(read(page(99, 100, 0))).as("before the chunk").isNull();
        assertThat(read(page(100, 301, 0))).as("behind the chunk").isNull();
        assertThat(read(page(Long.MAX_VALUE, 100, 0))).as("far away").isNull();
        assertThat(read(page(100, 0, 0))).as("no bytes").isNull();
        assertThat(read(page(100, -1, 0))).as("less than no bytes").isNull();
        assertThat(read(page(100, 100, 1))).as("first row").isNull();
        assertThat(read(page(100, 100, 0), page(150, 100, 10))).as("overlap").isNull();
        assertThat(read(page(200, 100, 0), page(100, 100, 10))).as("descends").isNull();
        assertThat(read(page(100, 100, 0), page(200, 100, 20), page(300, 50, 10)))
                .as("rows descend")
                .isNull();
        assertThat(read(page(100, 100, 0), page(200, 100, 31))).as("too many rows").isNull();
        byte[] cut = bytes(page(100, 100, 0), page(200, 100, 10));
        assertThat(
                        io.spillway.scan.parquet.index.OffsetIndex.read(
                                Arrays.copyOf(cut, cut.length - 2), CHUNK, 30))
                .isNull();
        assertThat(io.spillway.scan.parquet.index.OffsetIndex.read(new byte[0], CHUNK, 30))
                .isNull();
    }

    private Path write() throws IOException {
        Path file = folder.resolve("pages.parquet");
        IndexedFile.write(
                file,
                "message m { required int64 k; required int64 v; }",
                IntStream.range(0, 60)
                        .<List<@Nullable Object>>mapToObj(i -> List.of((long) i, i * 10L))
                        .toList(),
                b -> b.withDictionaryEncoding(false).withPageRowCountLimit(10));
        return file;
    }

    /** Changes the index of a column where it stands; it must not become longer. */
    private void change(Path file, int column, Consumer<List<PageLocation>> change)
            throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        int footerEnd = bytes.length - 8;
        int footerBytes = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(footerEnd);
        int dataEnd = footerEnd - footerBytes;
        Footer footer =
                new FooterParser(Place.of(file.toString()), dataEnd)
                        .parse(ByteBuffer.wrap(bytes, dataEnd, footerBytes));
        IndexPlaces places = footer.rowGroups().getFirst().chunks().get(column).indexes();
        int at = (int) places.offsetIndex();
        OffsetIndex index =
                Util.readOffsetIndex(
                        new ByteArrayInputStream(bytes, at, places.offsetIndexBytes()));
        change.accept(index.getPage_locations());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Util.writeOffsetIndex(index, out);
        assertThat(out.size()).isLessThanOrEqualTo(places.offsetIndexBytes());
        System.arraycopy(out.toByteArray(), 0, bytes, at, out.size());
        FileTime before = Files.getLastModifiedTime(file);
        Files.write(file, bytes);
        // A clock's tick may be longer than all this takes.
        Files.setLastModifiedTime(file, FileTime.fromMillis(before.toMillis() + 1_000));
    }

    private List<List<@Nullable String>> someRows(Path file) {
        Expression filter = filtered.compare(file, "k", Function.EQUAL, "35");
        ScanTask task = scans.task(file, 0);
        return filtered.matching(task.where(filter), filter, 100);
    }

    @Test
    void rowsThatPagesDoNotHaveAreAnError() throws IOException {
        Path file = write();
        assertThat(someRows(file)).containsExactly(List.of("35", "350"));
        change(file, 1, pages -> pages.get(3).setFirst_row_index(31));

        assertThatExceptionOfType(SpillwayException.class)
                .isThrownBy(() -> someRows(file))
                .satisfies(
                        e -> {
                            assertThat(e.code()).isEqualTo(ErrorCode.FILE_CORRUPT);
                            assertThat(e.context())
                                    .containsEntry(SpillwayException.COLUMN, "v")
                                    .containsEntry(SpillwayException.ROW_GROUP, 0);
                        });
    }

    @Test
    void aPageThatIsLeftOutIsNoticed() throws IOException {
        Path file = write();
        change(file, 1, pages -> pages.remove(1));
        assertThatExceptionOfType(SpillwayException.class)
                .isThrownBy(() -> filtered.rows(file, lessThan(file, "5")))
                .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_CORRUPT));
    }

    private Expression lessThan(Path file, String value) {
        return filtered.compare(file, "k", Function.LESS, value);
    }

    @Test
    void aPlaceThatIsNotAPageIsAnError() throws IOException {
        Path file = write();
        change(
                file,
                1,
                pages -> {
                    PageLocation page = pages.get(3);
                    page.setOffset(page.getOffset() + 1);
                    page.setCompressed_page_size(page.getCompressed_page_size() - 1);
                });
        assertThatExceptionOfType(SpillwayException.class)
                .isThrownBy(() -> someRows(file))
                .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_CORRUPT));
    }

    @Test
    void anIndexOfImpossiblePlacesIsLeftAside() throws IOException {
        Path file = write();
        change(file, 1, pages -> pages.get(3).setFirst_row_index(1));
        assertThat(someRows(file)).containsExactly(List.of("35", "350"));
        change(file, 0, pages -> pages.get(2).setOffset(4));
        assertThat(someRows(file)).containsExactly(List.of("35", "350"));
    }
}
