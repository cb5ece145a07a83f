package io.spillway.plan.physical;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.spillway.expression.Expression;
import io.spillway.scan.Pruned;
import io.spillway.scan.ScanFile;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the filter directly above a scan lets it leave out. Only a hint: the filter tests every row
 * that the scan gives, so that the result is the same whatever the scan makes of it.
 *
 * <p>Partitions are numbered over all files of the scan, in order, and lists of them are written as
 * runs, {@code [from, to, from, to, …]}, the {@code to} excluded: plans are stored, and may have
 * very many partitions.
 *
 * @param condition over the scan's columns: rows for which it is not true may be left out
 * @param byFileValues partitions that cannot match for what their whole file is: the values in its
 *     folder's name, the columns that it does not have
 * @param byStatistics further partitions that cannot match by their own statistics
 */
public record ScanFilter(
        Expression condition,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Integer> byFileValues,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Integer> byStatistics) {

    public ScanFilter(
            Expression condition,
            @Nullable List<Integer> byFileValues,
            @Nullable List<Integer> byStatistics) {
        this.condition = condition;
        this.byFileValues = byFileValues == null ? List.of() : List.copyOf(byFileValues);
        this.byStatistics = byStatistics == null ? List.of() : List.copyOf(byStatistics);
    }

    /** A filter, and the partitions that are known not to match. */
    public static ScanFilter of(Expression condition, BitSet byFileValues, BitSet byStatistics) {
        return new ScanFilter(condition, runs(byFileValues), runs(byStatistics));
    }

    /** All partitions that need not be opened. */
    public BitSet prunedPartitions() {
        BitSet all = partitions(byFileValues);
        all.or(partitions(byStatistics));
        return all;
    }

    /** How much it leaves out of the scan's files. */
    List<Pruned> pruned(List<ScanFile> files) {
        List<Pruned> pruned = new ArrayList<>();
        add(pruned, Pruned.By.FILE_VALUES, byFileValues, files);
        add(pruned, Pruned.By.STATISTICS, byStatistics, files);
        return pruned;
    }

    /** How many files have partitions, and all of them are left out by what the file is. */
    int filesByValues(List<ScanFile> files) {
        BitSet partitions = partitions(byFileValues);
        int count = 0;
        int number = 0;
        for (ScanFile file : files) {
            int end = number + file.partitionRows().size();
            count += number < end && partitions.nextClearBit(number) >= end ? 1 : 0;
            number = end;
        }
        return count;
    }

    private static void add(
            List<Pruned> pruned, Pruned.By by, List<Integer> runs, List<ScanFile> files) {
        BitSet partitions = partitions(runs);
        if (partitions.isEmpty()) {
            return;
        }
        int number = 0;
        long rows = 0;
        for (ScanFile file : files) {
            for (long count : file.partitionRows()) {
                rows += partitions.get(number++) ? count : 0;
            }
        }
        pruned.add(new Pruned(by, partitions.cardinality(), 0, rows, 0));
    }

    /** The partitions that a list of runs names. */
    static BitSet partitions(List<Integer> runs) {
        BitSet partitions = new BitSet();
        for (int i = 0; i + 1 < runs.size(); i += 2) {
            partitions.set(runs.get(i), runs.get(i + 1));
        }
        return partitions;
    }

    private static List<Integer> runs(BitSet partitions) {
        List<Integer> runs = new ArrayList<>();
        int from = partitions.nextSetBit(0);
        while (from >= 0) {
            int to = partitions.nextClearBit(from);
            runs.add(from);
            runs.add(to);
            from = partitions.nextSetBit(to);
        }
        return runs;
    }
}
