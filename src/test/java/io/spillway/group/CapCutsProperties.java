package io.spillway.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.encode.ShortReason;
import io.spillway.plan.document.BatchShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;

/** Batches with caps, held against their definition. */
class CapCutsProperties {

    private static final int MANY = 1_000;

    @Property(tries = 500)
    void eachBatchHasAsManyRowsAsItMay(
            @ForAll @Size(max = 60) List<@IntRange(min = 3, max = 40) Integer> bytes,
            @ForAll @Size(min = 60, max = 60) List<@IntRange(max = 20) Integer> weights,
            @ForAll @IntRange(min = 1, max = 12) int maxRows,
            @ForAll @IntRange(min = 1, max = 150) int maxBytes,
            @ForAll @IntRange(min = 1, max = 60) int maxWeight,
            @ForAll boolean dropLast,
            @ForAll @IntRange(min = 1, max = 70) int step) {
        BatchShape shape =
                new BatchShape(
                        maxRows, (long) maxBytes, new BatchShape.Weight("w", maxWeight), dropLast);
        CapCuts cuts = new CapCuts(shape, 100, MANY);
        feed(cuts, ints(bytes), doubles(weights), step);
        Cutter.Cuts found = cuts.atEnd();

        long next = 100;
        int total = bytes.size();
        for (Cut cut : found.cuts()) {
            assertThat(cut.firstRow()).isEqualTo(next);
            int from = (int) next - 100;
            int to = from + (int) cut.rows();
            assertThat(cut.rows()).isBetween(1L, (long) maxRows);
            if (cut.rows() > 1) {
                assertThat(arrayBytes(bytes, from, to)).isLessThanOrEqualTo(maxBytes);
                assertThat(sum(weights, from, to)).isLessThanOrEqualTo(maxWeight);
            }
            assertThat(cut.shortReason()).isEqualTo(reason(bytes, weights, shape, from, to));
            next = cut.end();
        }
        assertThat(found.end()).isEqualTo(next);
        if (dropLast) {
            int from = (int) next - 100;
            assertThat(reason(bytes, weights, shape, from, total)).isIn(ShortReason.END, null);
        } else {
            assertThat(next - 100).isEqualTo(total);
        }
    }

    /** Why a batch may not have one row more. */
    private static @Nullable ShortReason reason(
            List<Integer> bytes, List<Integer> weights, BatchShape shape, int from, int to) {
        BatchShape.Weight weight = shape.weight();
        Long maxBytes = shape.maxBytes();
        if (to - from == shape.rows() || weight == null || maxBytes == null) {
            return null;
        }
        if (to == bytes.size()) {
            return ShortReason.END;
        }
        if (arrayBytes(bytes, from, to + 1) > maxBytes) {
            return ShortReason.BYTES;
        }
        assertThat(sum(weights, from, to + 1)).isGreaterThan((int) weight.max());
        return ShortReason.WEIGHT;
    }

    /** Of rows with a comma each, in brackets. */
    private static int arrayBytes(List<Integer> bytes, int from, int to) {
        return 1 + sum(bytes, from, to);
    }

    private static int sum(List<Integer> values, int from, int to) {
        return values.subList(from, to).stream().mapToInt(value -> value).sum();
    }

    /** In pieces of so many rows. */
    private static void feed(CapCuts cuts, int[] bytes, double[] weights, int step) {
        for (int from = 0; from < bytes.length; from += step) {
            int to = Math.min(from + step, bytes.length);
            cuts.add(
                    to - from,
                    Arrays.copyOfRange(bytes, from, to),
                    Arrays.copyOfRange(weights, from, to));
        }
    }

    private static int[] ints(List<Integer> values) {
        return values.stream().mapToInt(value -> value).toArray();
    }

    private static double[] doubles(List<Integer> values) {
        return values.stream().mapToDouble(value -> value).toArray();
    }

    @Property(tries = 200)
    void whereOneStopsAnotherGoesOn(
            @ForAll @Size(max = 60) List<@IntRange(min = 3, max = 40) Integer> bytes,
            @ForAll @IntRange(min = 1, max = 9) int most) {
        BatchShape shape = new BatchShape(7, 90L, null, false);
        CapCuts whole = new CapCuts(shape, 0, MANY);
        whole.add(bytes.size(), ints(bytes), null);
        List<Cut> pieces = new ArrayList<>();
        long next = 0;
        Long end = null;
        while (end == null) {
            CapCuts some = new CapCuts(shape, next, most);
            List<Integer> rest = bytes.subList((int) next, bytes.size());
            some.add(rest.size(), ints(rest), null);
            Cutter.Cuts cuts = some.isFull() ? some.soFar() : some.atEnd();
            pieces.addAll(cuts.cuts());
            next = pieces.isEmpty() ? 0 : pieces.getLast().end();
            end = cuts.end();
        }
        assertThat(pieces).isEqualTo(whole.atEnd().cuts());
    }
}
