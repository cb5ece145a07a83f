package io.spillway.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.batch.BatchStream;
import io.spillway.batch.RecordBatch;
import io.spillway.encode.ArrowFormat;
import io.spillway.encode.EncodedChunk;
import io.spillway.encode.RowFormat;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.rows.PlanModel.Layer;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What finding rows costs: how much of the input is read for it, and how often. */
class SourceCostTest {

    private final SourceReading reading = new SourceReading(3);

    @AfterEach
    void close() {
        reading.nothingIsLeft();
        reading.close();
    }

    private static List<List<Integer>> files(int files, int rows) {
        return Collections.nCopies(files, List.of(rows));
    }

    private static RowSource source(List<List<Integer>> sizes, Layer... layers) {
        return RowSources.of(PlanModel.plan(sizes, List.of(layers)));
    }

    private List<Object> ids(RowSource source, long from, long to) {
        return reading.rows(source, from, to).stream().<Object>map(PlanModel.Row::id).toList();
    }

    @Test
    void aDeepPageBehindACountedFilterReadsAFewRowsAroundIt() {
        RowSource source = source(files(5, 60_000), new Layer.Keep(3, 1));
        reading.count(source, Long.MAX_VALUE);
        assertThat(source.rowCount()).hasValue(100_000);

        reading.format.rowsRead.set(0);
        assertThat(ids(source, 99_990, 100_010))
                .isEqualTo(
                        IntStream.range(99_990, 100_000)
                                .<Object>mapToObj(i -> 3L * i + 1)
                                .toList());
        assertThat(ids(source, 50_000, 50_002)).containsExactly(150_001L, 150_004L);
        assertThat(reading.format.rowsRead.get()).isLessThan(6 * Checkpoints.STRIDE);
    }

    @Test
    void aDeepPageOfAFilterThatNobodyCountedIsTheSame() {
        RowSource source = source(List.of(List.of(20_000, 20_000)), new Layer.Keep(2, 1));
        assertThat(ids(source, 19_995, 20_005))
                .containsExactly(39_991L, 39_993L, 39_995L, 39_997L, 39_999L);
        assertThat(source.rowCount()).hasValue(20_000);
    }

    @Test
    void walkingOverPagesReadsEmptyPartsOnce() {
        RowSource source = source(files(20, 10_000), new Layer.Keep(9_999, 5));
        List<Object> walked = new ArrayList<>();
        for (long row = 0; row < 21; row++) {
            walked.addAll(ids(source, row, row + 1));
        }
        assertThat(walked).hasSize(21).startsWith(5L, 10_004L);
        // Each file once, and from each page on what is read ahead.
        assertThat(reading.format.rowsRead.get()).isLessThan(200_000 + 21 * 4 * 10_000);
        long before = reading.format.rowsRead.get();
        assertThat(ids(source, 20, 21)).containsExactly(199_985L);
        assertThat(reading.format.rowsRead.get() - before).isLessThanOrEqualTo(10_000);
    }

    @Test
    void aPartThatWasReadNeedsNoCounting() {
        RowSource source = source(files(6, 5_000), new Layer.Keep(7, 0));
        assertThat(reading.rows(source, 0, Long.MAX_VALUE)).hasSize(4_286);
        reading.format.rowsRead.set(0);
        reading.count(source, Long.MAX_VALUE);
        assertThat(reading.format.rowsRead.get()).isZero();
        assertThat(source.rowCount()).hasValue(4_286);
    }

    @Test
    void countingAgainGoesOnWhereItStopped() {
        RowSource source = source(files(10, 20_000), new Layer.Keep(2, 0));
        reading.count(source, 10_000);
        assertThat(source.reaches(10_000)).isTrue();
        assertThat(source.reaches(100_000)).isFalse();
        long first = reading.format.rowsRead.get();
        assertThat(first).isLessThan(120_000);
        reading.count(source, Long.MAX_VALUE);
        assertThat(source.rowCount()).hasValue(100_000);
        assertThat(reading.format.rowsRead.get()).isLessThan(200_000 + 3 * 20_000);
    }

    /** A limit opens no more files than there are threads, and one. */
    @Test
    void limitsStopReading() {
        List<List<Integer>> folder = files(1_000, 1_000);
        int most = reading.scheduler.parallelism() + 1;
        assertThat(ids(source(folder, new Layer.Cut(0, 5)), 0, Long.MAX_VALUE)).hasSize(5);
        assertThat(reading.format.opened.getAndSet(0)).isEqualTo(1);

        RowSource filtered = source(folder, new Layer.Keep(1, 0), new Layer.Cut(0, 5));
        assertThat(ids(filtered, 0, Long.MAX_VALUE)).hasSize(5);
        assertThat(filtered.rowCount()).hasValue(5);
        assertThat(reading.format.opened.getAndSet(0)).isLessThanOrEqualTo(most);

        assertThat(ids(source(folder, new Layer.Keep(1, 0)), 0, 5)).hasSize(5);
        assertThat(reading.format.opened.getAndSet(0)).isLessThanOrEqualTo(most);

        assertThat(ids(source(folder, new Layer.Cut(0, 1_000), new Layer.Cut(0, 1)), 0, 9))
                .containsExactly(0L);
        assertThat(reading.format.opened.getAndSet(0)).isEqualTo(1);

        RowSource exploded = source(folder, new Layer.Explode(true), new Layer.Cut(0, 5));
        assertThat(ids(exploded, 0, Long.MAX_VALUE)).hasSize(5);
        assertThat(reading.format.opened.getAndSet(0)).isLessThanOrEqualTo(most);
    }

    @Test
    void aReaderThatLeavesAfterFiveRowsEndsTheReading() {
        RowSource source = source(files(1_000, 1_000), new Layer.Keep(1, 0));
        try (BatchStream stream = source.open(0, Long.MAX_VALUE, reading.context(Ending.STOP))) {
            try (RecordBatch batch = Objects.requireNonNull(SourceReading.next(stream))) {
                assertThat(batch.rowCount()).isGreaterThanOrEqualTo(5);
            }
        }
        reading.nothingIsLeft();
        assertThat(reading.format.opened.get())
                .isLessThanOrEqualTo(reading.scheduler.parallelism() + 1);
    }

    /** What stands above a limit works on what the limit lets through. */
    @Test
    void filtersStayAboveLimits() {
        List<List<Integer>> twenty = List.of(List.of(7, 13));
        assertThat(ids(source(twenty, new Layer.Cut(0, 6), new Layer.Keep(5, 4)), 0, 9))
                .containsExactly(4L);
        assertThat(ids(source(twenty, new Layer.Cut(0, 6), new Layer.Keep(20, 6)), 0, 9)).isEmpty();
        assertThat(
                        ids(
                                source(
                                        twenty,
                                        new Layer.Cut(2, 5),
                                        new Layer.Keep(2, 0),
                                        new Layer.Cut(0, 1)),
                                0,
                                9))
                .containsExactly(2L);
    }

    @Test
    void aSampleReadsWhatItChose() {
        RowSource source = source(files(50, 200_000), new Layer.Choose(10, 3));
        assertThat(reading.rows(source, 0, Long.MAX_VALUE)).hasSize(10);
        assertThat(reading.format.rowsRead.get()).isLessThan(200_000);
    }

    @Test
    void aSampleThatDoesNotFitIsAnError() {
        RowSource source = source(files(50, 1_000_000), new Layer.Choose(20_000_000, 3));
        try (BatchStream stream = source.open(0, 1, reading.context(Ending.STOP))) {
            assertThatThrownBy(() -> SourceReading.next(stream))
                    .isInstanceOfSatisfying(
                            SpillwayException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.MEMORY_LIMIT));
        }
    }

    @Test
    void partitionsCanBeCutInPieces() {
        RowSource source = source(List.of(List.of(100_001)), new Layer.Repartition(3, 0));
        assertThat(source.partitions()).isEqualTo(3);
        List<Object> all = ids(source, 0, Long.MAX_VALUE);
        assertThat(all).hasSize(100_001).doesNotHaveDuplicates();
        assertThat(reading.format.opened.getAndSet(0)).isEqualTo(3);
        assertThat(ids(source, 33_330, 33_340)).isEqualTo(all.subList(33_330, 33_340));
        assertThat(source(List.of(List.of(100_001)), new Layer.Repartition(0, 1)).partitions())
                .isEqualTo(100_001);
        assertThat(source(List.of(List.of(3)), new Layer.Repartition(5, 0)).partitions())
                .isEqualTo(5);
    }

    @Test
    void whatIsLearntIsShort() {
        RowSource source = source(files(1_000, 100), new Layer.Keep(3, 1));
        reading.count(source, Long.MAX_VALUE);
        assertThat(source.counts()).hasSizeLessThan(8 * 1_000);
    }

    @Test
    void arrowIsTheSameBytesWhateverIsKnown() {
        RowFormat arrow = new ArrowFormat(false);
        List<List<Integer>> sizes = List.of(List.of(1_000, 333), List.of(5_000), List.of(77, 1));
        RowSource source = source(sizes, new Layer.Keep(3, 1));
        List<Long> offsets = List.of(0L, 1L, 99L, 100L, 101L, 1_234L, 2_000L);
        List<byte[]> before = new ArrayList<>();
        for (long offset : offsets) {
            before.add(bytes(source(sizes, new Layer.Keep(3, 1)), offset, arrow));
        }
        reading.count(source, Long.MAX_VALUE);
        for (int i = 0; i < offsets.size(); i++) {
            reading.parallelism(1 + i % 3);
            assertThat(bytes(source, offsets.get(i), arrow)).isEqualTo(before.get(i));
        }
    }

    private byte[] bytes(RowSource source, long from, RowFormat format) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (var stream =
                EncodedRows.open(
                        source, from, Long.MAX_VALUE, format, reading.context(Ending.STOP))) {
            @Nullable EncodedChunk next;
            while ((next = SourceReading.next(stream)) != null) {
                try (EncodedChunk chunk = next) {
                    byte[] part = new byte[chunk.length()];
                    chunk.bytes().getBytes(0, part);
                    bytes.writeBytes(part);
                }
            }
        }
        return bytes.toByteArray();
    }
}
