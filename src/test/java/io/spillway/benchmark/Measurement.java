package io.spillway.benchmark;

import io.spillway.benchmark.Contender.Streamed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * The medians of one contender over one set of files.
 *
 * @param rowsPerSecond of the whole stream
 * @param megabytesPerSecond of the whole stream, by 1,000,000 bytes
 * @param firstRowMillis until the first row
 * @param pageMillis 100 rows at 0, 50 % and 99.9 % of the rows
 * @param peakMebibytes the most memory of the process
 */
record Measurement(
        double rowsPerSecond,
        double megabytesPerSecond,
        double firstRowMillis,
        List<Double> pageMillis,
        double peakMebibytes) {

    /** Short calls that do not count, until both sides are warm. */
    private static final int SHORT_WARM_UP = 100;

    private static final int SHORT_ROUNDS = 51;

    /**
     * Rounds in which the contenders take turns: streams after one that does not count, short calls
     * after {@value #SHORT_WARM_UP}.
     */
    static List<Measurement> of(List<? extends Contender> contenders, long rows, int rounds)
            throws IOException {
        List<Samples> samples = new ArrayList<>();
        for (Contender contender : contenders) {
            samples.add(new Samples(contender, rows));
        }
        for (int round = -1; round < rounds; round++) {
            for (Samples s : samples) {
                s.stream(round >= 0);
            }
        }
        for (int round = -SHORT_WARM_UP; round < SHORT_ROUNDS; round++) {
            for (Samples s : samples) {
                s.shortCalls(round >= 0);
            }
        }
        List<Measurement> measurements = new ArrayList<>();
        for (Samples s : samples) {
            measurements.add(s.medians());
        }
        return measurements;
    }

    /** What one contender gave so far. */
    private static final class Samples {

        private final Contender contender;
        private final long rows;
        private final List<Long> offsets;
        private final List<Streamed> streams = new ArrayList<>();
        private final List<Long> firstRows = new ArrayList<>();
        private final List<List<Long>> pages =
                List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());

        Samples(Contender contender, long rows) {
            this.contender = contender;
            this.rows = rows;
            offsets = List.of(0L, rows / 2, rows / 1000 * 999);
        }

        void stream(boolean counts) throws IOException {
            Streamed stream = contender.stream();
            if (stream.rows() != rows) {
                throw new IOException(
                        contender.name() + " gave " + stream.rows() + " rows, not " + rows);
            }
            if (counts) {
                streams.add(stream);
            }
        }

        void shortCalls(boolean counts) throws IOException {
            long first = contender.firstRow();
            if (counts) {
                firstRows.add(first);
            }
            for (int i = 0; i < offsets.size(); i++) {
                long page = contender.page(offsets.get(i));
                if (counts) {
                    pages.get(i).add(page);
                }
            }
        }

        Measurement medians() throws IOException {
            return new Measurement(
                    median(streams, s -> s.rows() * 1e9 / s.nanos()),
                    median(streams, s -> s.bytes() * 1e3 / s.nanos()),
                    median(firstRows, n -> n / 1e6),
                    pages.stream().map(p -> median(p, n -> n / 1e6)).toList(),
                    contender.peakBytes() / 1048576.0);
        }
    }

    /** The middle value, or the mean of the two in the middle. */
    static <T> double median(List<T> samples, ToDoubleFunction<T> value) {
        double[] sorted = samples.stream().mapToDouble(value).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** The cells of its column in the table, from top to bottom. */
    List<String> cells() {
        List<String> cells = new ArrayList<>();
        cells.add(number("%,.0f", rowsPerSecond));
        cells.add(number("%,.0f", megabytesPerSecond));
        cells.add(number("%.1f", firstRowMillis));
        pageMillis.forEach(p -> cells.add(number("%.1f", p)));
        cells.add(number("%,.0f", peakMebibytes));
        return cells;
    }

    /** The names of the rows of {@link #cells()}. */
    static List<String> labels() {
        return List.of(
                "NDJSON, all rows: rows/s",
                "NDJSON, all rows: MB/s",
                "first row: ms",
                "100 rows at 0: ms",
                "100 rows at 50 %: ms",
                "100 rows at 99.9 %: ms",
                "peak memory of the process: MiB");
    }

    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
