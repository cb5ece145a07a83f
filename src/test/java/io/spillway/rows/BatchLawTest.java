package io.spillway.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.batch.BatchStream;
import io.spillway.encode.BatchEncoders;
import io.spillway.encode.BatchLines;
import io.spillway.encode.BatchNames;
import io.spillway.encode.EncodedChunk;
import io.spillway.encode.GroupFormat;
import io.spillway.encode.JsonFormat;
import io.spillway.rows.PlanModel.Layer;
import io.spillway.rows.PlanModel.Row;
import io.spillway.rows.SharedRows.Company;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.AfterTry;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The law of batches over every plan: whatever the size of batches, the number of shards and the
 * place at which readers begin again, together they have all rows, each once, in batches of exactly
 * as many rows.
 */
class BatchLawTest {

    private static final JsonFormat ARRAYS =
            new JsonFormat(JsonFormat.Layout.ARRAY_ELEMENTS, true, false, false);

    private final SourceReading reading = new SourceReading(3);
    private final JsonMapper mapper = new JsonMapper();

    @AfterProperty
    void close() {
        reading.close();
    }

    @AfterTry
    void nothingIsLeft() {
        reading.nothingIsLeft();
    }

    @Provide
    Arbitrary<List<List<Integer>>> sizes() {
        return RandomPlans.sizes();
    }

    @Provide
    Arbitrary<List<Layer>> layers() {
        return RandomPlans.layers(2);
    }

    /** One reader of a shard, which begins anew now and then. */
    private static final class Reader {

        private final SharedRows shared;
        private final Shard shard;
        private final SourceReading reading;
        private final List<Row> seen = new ArrayList<>();
        private @Nullable BatchStream stream;
        private boolean ended;

        Reader(SharedRows shared, Shard shard, SourceReading reading) {
            this.shared = shared;
            this.shard = shard;
            this.reading = reading;
        }

        void take() {
            if (ended) {
                return;
            }
            if (stream == null) {
                stream =
                        shared.open(
                                shard, seen.size(), Long.MAX_VALUE, reading.context(Ending.STOP));
            }
            ended = !SourceReading.take(stream, seen);
        }

        void leave() {
            if (stream != null) {
                stream.close();
                stream = null;
            }
        }
    }

    @Property(tries = 150)
    void shardsHaveAllRowsOnce(
            @ForAll("sizes") List<List<Integer>> sizes,
            @ForAll("layers") List<Layer> layers,
            @ForAll @IntRange(min = 1, max = 70) int size,
            @ForAll @IntRange(min = 1, max = 6) int of,
            @ForAll Shard.Rest rest,
            @ForAll @IntRange(min = 1, max = 8) int parallelism,
            @ForAll Random random) {
        reading.parallelism(parallelism);
        PlanModel model = PlanModel.of(sizes, layers);
        List<Row> all = model.rows();
        RowSource source = RowSources.of(model.plan());
        if (rest != Shard.Rest.KEPT || random.nextBoolean()) {
            reading.count(source, Long.MAX_VALUE);
        }
        SharedRows shared = new SharedRows(source, reading.memory);
        List<Reader> readers = new ArrayList<>();
        for (int i = 0; i < of; i++) {
            readers.add(new Reader(shared, new Shard(size, i, of, rest), reading));
            shared.joined(Company.STAYS);
        }
        while (readers.stream().anyMatch(reader -> !reader.ended)) {
            Reader reader = readers.get(random.nextInt(of));
            reader.take();
            if (random.nextInt(6) == 0) {
                reader.leave();
            }
        }
        readers.forEach(Reader::leave);
        readers.forEach(reader -> shared.left(Company.STAYS));

        for (Reader reader : readers) {
            assertThat(reader.seen).isEqualTo(expected(reader.shard, all));
        }
        long had = readers.stream().mapToLong(reader -> reader.seen.size()).sum();
        long dropped = readers.getFirst().shard.dropped(all.size());
        switch (rest) {
            case KEPT, FULL, DROPPED -> assertThat(had + dropped).isEqualTo(all.size());
            case REPEATED -> assertThat(had).isGreaterThanOrEqualTo(all.size());
        }
    }

    /** What a shard has, told batch by batch. */
    private static List<Row> expected(Shard shard, List<Row> all) {
        int size = shard.size();
        int total = all.size();
        int full = total / size;
        long batches =
                switch (shard.rest()) {
                    case KEPT -> Math.ceilDiv(total, size);
                    case FULL -> full;
                    case DROPPED -> (long) full / shard.of() * shard.of();
                    case REPEATED ->
                            (long) Math.ceilDiv(Math.ceilDiv(total, size), shard.of()) * shard.of();
                };
        List<Row> expected = new ArrayList<>();
        for (long batch = shard.shard(); batch < batches; batch += shard.of()) {
            for (long row = batch * size; row < (batch + 1) * size; row++) {
                if (row < total || shard.rest() == Shard.Rest.REPEATED) {
                    expected.add(all.get((int) (row % total)));
                }
            }
        }
        return expected;
    }

    @Property(tries = 150)
    void batchesInAnyOrderHaveAllRowsOnce(
            @ForAll("sizes") List<List<Integer>> sizes,
            @ForAll("layers") List<Layer> layers,
            @ForAll @IntRange(min = 1, max = 400) int size,
            @ForAll boolean dropLast,
            @ForAll @IntRange(min = 1, max = 8) int parallelism) {
        reading.parallelism(parallelism);
        PlanModel model = PlanModel.of(sizes, layers);
        List<Row> all = model.rows();
        RowSource source = RowSources.of(model.plan());
        AnyOrder order = new AnyOrder(size, dropLast);
        List<Row> seen = new ArrayList<>();
        try (BatchStream stream = order.rows(source, reading.context(Ending.STOP))) {
            while (SourceReading.take(stream, seen)) {
                // All is in the condition.
            }
        }
        assertThat(seen).hasSize((int) order.end(all.size()));
        if (dropLast) {
            assertThat(all).containsAll(seen);
        } else {
            assertThat(seen).containsExactlyInAnyOrderElementsOf(all);
        }
    }

    @Property(tries = 100)
    void allBatchesButTheLastHaveTheirSize(
            @ForAll("sizes") List<List<Integer>> sizes,
            @ForAll("layers") List<Layer> layers,
            @ForAll @IntRange(min = 1, max = 400) int size,
            @ForAll @IntRange(min = 0, max = 3) int from,
            @ForAll @IntRange(min = 1, max = 8) int parallelism)
            throws Exception {
        reading.parallelism(parallelism);
        PlanModel model = PlanModel.of(sizes, layers);
        List<Row> all = model.rows();
        RowSource source = RowSources.of(model.plan());
        long first = (long) from * size;
        GroupFormat format =
                new GroupFormat(
                        ARRAYS, first, size, new BatchLines(BatchNames.ordered(size, row -> row)));
        List<JsonNode> batches = batches(source, first, format);
        List<Integer> expected = new ArrayList<>();
        for (long row = first; row < all.size(); row += size) {
            expected.add((int) Math.min(size, all.size() - row));
        }
        assertThat(batches)
                .extracting(batch -> batch.get("rows").size())
                .containsExactlyElementsOf(expected);
        assertThat(batches)
                .extracting(batch -> batch.get("batch").longValue())
                .containsExactlyElementsOf(
                        LongStream.range(from, from + expected.size()).boxed().toList());
        List<Long> ids = new ArrayList<>();
        batches.forEach(batch -> batch.get("rows").forEach(row -> ids.add(row.get(0).longValue())));
        assertThat(ids).containsExactlyElementsOf(all.stream().skip(first).map(Row::id).toList());
    }

    private List<JsonNode> batches(RowSource source, long from, GroupFormat format) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        long rows = 0;
        try (var stream =
                EncodedRows.open(
                        source, from, Long.MAX_VALUE, format, reading.context(Ending.STOP))) {
            EncodedChunk next;
            while ((next = SourceReading.next(stream)) != null) {
                try (EncodedChunk chunk = next) {
                    byte[] bytes = new byte[chunk.length()];
                    chunk.bytes().getBytes(0, bytes);
                    out.writeBytes(bytes);
                    rows += chunk.rows();
                }
            }
        }
        out.writeBytes(BatchEncoders.tail(format, from + rows));
        return out.toString(StandardCharsets.UTF_8).lines().map(mapper::readTree).toList();
    }
}
