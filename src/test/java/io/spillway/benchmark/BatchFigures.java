package io.spillway.benchmark;

import io.spillway.benchmark.Contest.Sample;
import io.spillway.testing.ChunkedResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What exact batches cost, against the plain stream of the same rows in the same form: time, and
 * what the service's process took of the processors.
 */
final class BatchFigures {

    private static final String NDJSON = "application/x-ndjson";
    private static final String ARROW = "application/vnd.apache.arrow.stream";
    private static final int WARM_UP = 2;
    private static final int SHARDS = 4;

    /** About a batch. */
    private static final int STEP_BYTES = 400 << 10;

    private final ServiceProcess service;
    private final int rounds;
    private final long rows;
    private final String job;

    /**
     * @param job the job's path
     */
    BatchFigures(ServiceProcess service, String job, long rows, int rounds) {
        this.service = service;
        this.job = job;
        this.rows = rows;
        this.rounds = rounds;
    }

    /** Batches in order. */
    List<Line> batches() throws IOException {
        List<Line> lines = new ArrayList<>();
        for (int size : new int[] {100, 1_000, 50_000}) {
            lines.addAll(against("batches?size=" + size, NDJSON, 1.05));
        }
        lines.addAll(against("batches?size=8192", ARROW, 1.05));
        return lines;
    }

    /** Batches as they are ready. */
    List<Line> any() throws IOException {
        return against("batches?order=any&size=1000", NDJSON, 1.02);
    }

    private List<Line> against(String target, String accept, double most) throws IOException {
        Cost batches = new Cost(target, accept);
        Cost plain = new Cost("rows", accept);
        List<List<Sample>> samples = Contest.run(WARM_UP, rounds, batches, plain);
        String label = target + " as " + (accept.equals(ARROW) ? "Arrow" : "NDJSON");
        return List.of(
                Line.of(
                        label + ", processor time against that of all rows",
                        batches.processor() / plain.processor(),
                        "×",
                        Target.number(batches.processor())
                                + " and "
                                + Target.number(plain.processor())
                                + " ms",
                        Target.atMost(most)),
                Line.told(
                        "the same, time",
                        Contest.median(samples.get(0), Sample::millis)
                                / Contest.median(samples.get(1), Sample::millis),
                        "×",
                        ""));
    }

    /** Readers of all shards, which take turns. */
    List<Line> shards() throws IOException {
        double one = decoded(() -> drain("rows", NDJSON));
        double all = decoded(this::readShardsInStep);
        return List.of(
                Line.of(
                        SHARDS
                                + " readers of shards in step, bytes decoded against those of one"
                                + " scan",
                        all / one,
                        "×",
                        "",
                        Target.atMost(1.2)));
    }

    private void readShardsInStep() throws IOException {
        List<ChunkedResponse> readers = new ArrayList<>();
        try {
            for (int shard = 0; shard < SHARDS; shard++) {
                String target = "/batches?size=1000&shard=%d&of=%d".formatted(shard, SHARDS);
                readers.add(service.ok(job + target, NDJSON));
            }
            long taken = 0;
            boolean more = true;
            while (more) {
                more = false;
                taken += STEP_BYTES;
                for (ChunkedResponse reader : readers) {
                    boolean open = true;
                    while (open && reader.bytes() < taken) {
                        open = reader.read();
                    }
                    more |= open;
                }
            }
        } finally {
            for (ChunkedResponse reader : readers) {
                reader.close();
            }
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private double decoded(Work work) throws IOException {
        double before = service.metric("spillway_scan_decoded_bytes_total");
        work.run();
        return service.metric("spillway_scan_decoded_bytes_total") - before;
    }

    private void drain(String target, String accept) throws IOException {
        try (ChunkedResponse response = service.ok(job + "/" + target, accept)) {
            response.drain();
        }
    }

    /** One side of a contest, which also keeps what its turns took of the processors. */
    private final class Cost implements Contest.Side {

        private final String target;
        private final String accept;
        private final List<Duration> turns = new ArrayList<>();

        Cost(String target, String accept) {
            this.target = target;
            this.accept = accept;
        }

        @Override
        public Sample turn() throws IOException {
            Duration before = used();
            long start = System.nanoTime();
            drain(target, accept);
            long nanos = System.nanoTime() - start;
            turns.add(used().minus(before));
            return new Sample(rows, 0, nanos);
        }

        private Duration used() {
            return ProcessHandle.of(service.pid())
                    .flatMap(process -> process.info().totalCpuDuration())
                    .orElseThrow();
        }

        /** Milliseconds of the processors, without those of turns that do not count. */
        double processor() {
            double[] millis =
                    turns.stream().skip(WARM_UP).mapToDouble(Duration::toMillis).sorted().toArray();
            return Arrays.stream(millis).skip(millis.length / 2).findFirst().orElseThrow();
        }
    }
}
