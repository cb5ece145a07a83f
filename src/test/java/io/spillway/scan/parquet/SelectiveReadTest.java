package io.spillway.scan.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.BatchStream;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.expression.Expression;
import io.spillway.expression.Function;
import io.spillway.scan.Pruned;
import io.spillway.scan.ScanMetrics;
import io.spillway.scan.ScanTask;
import io.spillway.scan.parquet.bytes.Place;
import io.spillway.scan.parquet.footer.ColumnNode;
import io.spillway.scan.parquet.footer.Footer;
import io.spillway.scan.parquet.footer.FooterParser;
import io.spillway.scan.parquet.footer.IndexPlaces;
import io.spillway.storage.LocalFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.apache.parquet.format.PageLocation;
import org.apache.parquet.format.Util;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where indexes tell the places of pages, nothing else of the data is read. */
class SelectiveReadTest {

    private static final int ROWS = 200_000;

    @TempDir static Path folder;
    private static Path file = Path.of("");
    private static byte[] bytes = new byte[0];
    private static @Nullable Footer footer;

    /** Sorted by its key, with a column of few values and two of many. */
    @BeforeAll
    static void write() throws IOException {
        file = folder.resolve("sorted.parquet");
        Random random = new Random(7);
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            rows.add(
                    List.of(
                            (long) i,
                            "few-" + random.nextInt(50),
                            random.nextDouble(),
                            Long.toHexString(random.nextLong())));
        }
        IndexedFile.write(
                file,
                """
                message m {
                  required int64 k;
                  required binary few (STRING);
                  required double d;
                  required binary many (STRING);
                }
                """,
                rows,
                b -> b.withPageSize(16 << 10).withDictionaryPageSize(64 << 10));
        bytes = Files.readAllBytes(file);
        int footerEnd = bytes.length - 8;
        int length = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(footerEnd);
        footer =
                new FooterParser(Place.of(file.toString()), footerEnd - length)
                        .parse(ByteBuffer.wrap(bytes, footerEnd - length, length));
    }

    @AfterAll
    static void forget() {
        bytes = new byte[0];
    }

    private static List<PageLocation> pages(String name) throws IOException {
        IndexPlaces indexes = chunk(name).indexes();
        return Objects.requireNonNull(
                Util.readOffsetIndex(
                                new ByteArrayInputStream(
                                        bytes,
                                        (int) indexes.offsetIndex(),
                                        indexes.offsetIndexBytes()))
                        .getPage_locations());
    }

    private static long endRow(List<PageLocation> pages, int page) {
        return page + 1 < pages.size() ? pages.get(page + 1).getFirst_row_index() : ROWS;
    }

    /** The rows of the key's pages that hold some rows. */
    private static long[] keyPages(long from, long to) throws IOException {
        List<PageLocation> pages = pages("k");
        long first = ROWS;
        long last = 0;
        for (int i = 0; i < pages.size(); i++) {
            long start = pages.get(i).getFirst_row_index();
            if (start < to && endRow(pages, i) > from) {
                first = Math.min(first, start);
                last = endRow(pages, i);
            }
        }
        return new long[] {first, last};
    }

    /** Bytes of dictionaries and of the pages that hold some of the rows. */
    private static long matchingBytes(RowSchema columns, long from, long to) throws IOException {
        long sum = 0;
        for (String name : columns.names()) {
            List<PageLocation> pages = pages(name);
            sum += pages.getFirst().getOffset() - chunk(name).offset();
            for (int i = 0; i < pages.size(); i++) {
                if (pages.get(i).getFirst_row_index() < to && endRow(pages, i) > from) {
                    sum += pages.get(i).getCompressed_page_size();
                }
            }
        }
        return sum;
    }

    private static Footer.Chunk chunk(String name) {
        Footer read = Objects.requireNonNull(footer);
        ColumnNode root = Objects.requireNonNull(Objects.requireNonNull(read.column(name)).root());
        return read.rowGroups().getFirst().chunks().get(root.leaves().getFirst().chunk());
    }

    private static long indexBytes(RowSchema columns) {
        long sum = 0;
        for (String name : columns.names()) {
            IndexPlaces indexes = chunk(name).indexes();
            sum += indexes.columnIndexBytes() + indexes.offsetIndexBytes();
        }
        return sum;
    }

    @ParameterizedTest
    @CsvSource({
        "100000,100001",
        "0,10",
        "199990,200000",
        "50000,52000",
        "1000,120000",
        "77777,77778"
    })
    void aFilterOnASortedColumnReadsItsPages(long from, long to) throws IOException {
        try (Scans scans = new Scans(new LocalFiles(), ScanMetrics.NONE)) {
            Filtered filtered = new Filtered(scans);
            Expression filter =
                    Filtered.call(
                            Function.AND,
                            filtered.compare(
                                    file, "k", Function.GREATER_OR_EQUAL, Long.toString(from)),
                            filtered.compare(file, "k", Function.LESS, Long.toString(to)));
            ScanTask task = scans.task(file, 0);

            assertThat(filtered.matching(task.where(filter), filter, 4_096))
                    .hasSize((int) (to - from));
            long[] rows = keyPages(from, to);
            long matching = matchingBytes(task.columns(), rows[0], rows[1]);
            long data = filtered.told().bytes.sum() - indexBytes(task.columns());
            assertThat(data).isLessThanOrEqualTo(matching * 11 / 10);
            Pruned pruned = filtered.told().pruned.element();
            assertThat(pruned.by()).isEqualTo(Pruned.By.PAGE_INDEX);
            assertThat(pruned.bytes()).isEqualTo(matchingBytes(task.columns(), 0, ROWS) - matching);
        }
    }

    @Test
    void rowsDeepInARowGroupAreJumpedTo() throws IOException {
        try (Scans scans = new Scans(new LocalFiles(), ScanMetrics.NONE)) {
            Filtered.Told told = new Filtered(scans).told();
            ScanTask task = scans.task(file, 0).between(150_000, 150_010);
            try (BatchStream stream = scans.format.open(task, 100, scans.pool, told);
                    RecordBatch batch = Scans.next(stream)) {
                assertThat(batch).isNotNull();
            }
            assertThat(told.bytes.sum() - indexBytes(task.columns()))
                    .isLessThanOrEqualTo(matchingBytes(task.columns(), 150_000, 150_010) * 11 / 10);
            assertThat(told.pruned).isEmpty();
        }
    }

    @Test
    void aReleasedStreamGoesOnAtItsRow() {
        try (Scans scans = new Scans(new LocalFiles(), ScanMetrics.NONE)) {
            Filtered filtered = new Filtered(scans);
            Expression filter =
                    Filtered.call(
                            Function.OR,
                            filtered.compare(file, "k", Function.LESS, "10"),
                            filtered.compare(file, "k", Function.GREATER_OR_EQUAL, "199900"));
            ScanTask task = scans.task(file, 0).where(filter);
            List<List<@Nullable String>> expected = new ArrayList<>();
            List<List<@Nullable String>> rows = new ArrayList<>();
            try (BatchStream stream = scans.format.open(task, 777, scans.pool, filtered.told())) {
                for (RecordBatch b = Scans.next(stream); b != null; b = Scans.next(stream)) {
                    Values.append(b, expected);
                    b.close();
                }
            }
            int pruned = filtered.told().pruned.size();
            try (BatchStream stream = scans.format.open(task, 777, scans.pool, filtered.told())) {
                for (RecordBatch b = Scans.next(stream); b != null; b = Scans.next(stream)) {
                    Values.append(b, rows);
                    b.close();
                    stream.release();
                }
            }
            assertThat(rows).isEqualTo(expected).hasSizeLessThan(ROWS / 10);
            assertThat(rows.getLast().getFirst()).isEqualTo("199999");
            assertThat(filtered.told().pruned).hasSize(pruned + 1);
        }
    }
}
