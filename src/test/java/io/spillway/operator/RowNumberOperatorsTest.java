package io.spillway.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.expression.TestValues;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;

/** What depends on the numbers of rows: the numbers themselves, and samples by fraction. */
class RowNumberOperatorsTest {

    private static final ColumnType LONG = new ColumnType.Int(64, true);
    private static final RowSchema INPUT =
            new RowSchema(List.of(new ColumnSchema("id", LONG, false)));
    private static final RowSchema NUMBERED =
            new RowSchema(
                    List.of(
                            new ColumnSchema("id", LONG, false),
                            new ColumnSchema("n", LONG, false)));

    /** Rows {@code [from, to)} of a table whose rows hold their numbers, in batches of any size. */
    private static List<RecordBatch> table(
            long from, long to, Random random, BufferAllocator allocator) {
        List<RecordBatch> batches = new ArrayList<>();
        long next = from;
        while (next < to) {
            int count = (int) Math.min(to - next, random.nextInt(200));
            List<BigInteger> values = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                values.add(BigInteger.valueOf(next + i));
            }
            batches.add(
                    new RecordBatch(
                            INPUT, List.of(TestValues.plain(LONG, values, allocator)), count));
            next += count;
        }
        return batches;
    }

    private static List<List<Object>> run(Operator operator, long from, long to, long seed) {
        List<List<Object>> rows = new ArrayList<>();
        try (BufferAllocator allocator = new RootAllocator()) {
            List<RecordBatch> input = table(from, to, new Random(seed), allocator);
            for (RecordBatch out :
                    Streams.drain(operator.over(Streams.of(INPUT, input), from, allocator))) {
                try (out) {
                    Streams.rows(out).forEach(row -> rows.add(new ArrayList<>(row)));
                }
            }
        }
        return rows;
    }

    private static Set<Long> sample(double fraction, long seed, long from, long to) {
        Set<Long> kept = new HashSet<>();
        Operator operator = new SampleFractionOperator(fraction, seed, INPUT);
        run(operator, from, to, seed + from)
                .forEach(row -> kept.add(((BigInteger) row.getFirst()).longValue()));
        return kept;
    }

    @Property(tries = 50)
    void aRowsNumberDoesNotDependOnWhoReadsIt(@ForAll long seed) {
        Random random = new Random(seed);
        long start = random.nextLong() >> random.nextInt(1, 64);
        long from = random.nextInt(1000);
        long to = from + random.nextInt(1000);
        List<List<Object>> rows = run(new RowNumbersOperator(start, NUMBERED), from, to, seed);
        assertThat(rows).hasSize((int) (to - from));
        for (List<Object> row : rows) {
            assertThat(row.get(1))
                    .isEqualTo(((BigInteger) row.get(0)).add(BigInteger.valueOf(start)));
        }
    }

    @Test
    void aNumberBeyond64BitsIsAnError() {
        RowNumbersOperator operator = new RowNumbersOperator(Long.MAX_VALUE - 500, NUMBERED);
        assertThat(run(operator, 0, 501, 1).getLast().get(1))
                .isEqualTo(BigInteger.valueOf(Long.MAX_VALUE));
        assertThat(run(new RowNumbersOperator(Long.MIN_VALUE, NUMBERED), 3, 4, 1).getLast().get(1))
                .isEqualTo(BigInteger.valueOf(Long.MIN_VALUE + 3));
        assertThatThrownBy(() -> run(operator, 0, 502, 1))
                .isInstanceOfSatisfying(
                        SpillwayException.class,
                        e -> {
                            assertThat(e.code()).isEqualTo(ErrorCode.ARITHMETIC_OVERFLOW);
                            assertThat(e.context())
                                    .containsEntry("column", "n")
                                    .containsEntry("row", 501L);
                        });
    }

    @Property(tries = 30)
    void aSampleDependsOnSeedAndRowNumberAlone(
            @ForAll long seed, @ForAll @DoubleRange(max = 1) double fraction) {
        Set<Long> whole = sample(fraction, seed, 0, 3_000);
        Set<Long> pieces = new HashSet<>(sample(fraction, seed, 0, 1_234));
        pieces.addAll(sample(fraction, seed, 1_234, 1_235));
        pieces.addAll(sample(fraction, seed, 1_235, 3_000));
        assertThat(pieces).isEqualTo(whole);
        assertThat(whole).containsAll(sample(fraction / 2, seed, 0, 3_000));
        // Five standard deviations of the binomial distribution.
        double deviation = Math.sqrt(3_000 * fraction * (1 - fraction));
        assertThat((double) whole.size()).isCloseTo(3_000 * fraction, within(5 * deviation + 1));
    }

    @Test
    void zeroKeepsNoneAndOneKeepsAll() {
        assertThat(sample(0, 7, 0, 1_000)).isEmpty();
        assertThat(sample(1, 7, 0, 1_000)).hasSize(1_000);
        assertThat(sample(Math.nextDown(1.0), 7, 0, 1_000)).hasSize(1_000);
        assertThat(sample(Double.MIN_VALUE, 7, 0, 1_000)).isEmpty();
    }

    @Test
    void neighbouringSeedsChooseOnTheirOwn() {
        for (long seed = 0; seed < 5; seed++) {
            Set<Long> both = sample(0.5, seed, 0, 4_000);
            both.retainAll(sample(0.5, seed + 1, 0, 4_000));
            assertThat(both.size()).isBetween(850, 1_150);
        }
    }

    @Test
    void theNumbersAreThoseOfTheJdksSplittableGenerator() {
        // The hash of row n is the n-th number of SplitMix64 from a mixed seed: its first mix is
        // what the JDK's generator gives first.
        long mixed = new SplittableRandom(42).nextLong();
        SplittableRandom expected = new SplittableRandom(mixed);
        RowHash hash = new RowHash(42);
        for (int row = 0; row < 100; row++) {
            assertThat(hash.of(row)).isEqualTo(expected.nextLong());
        }
    }
}
