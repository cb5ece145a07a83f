package io.spillway.plan.logical;

import io.spillway.batch.RowSchema;
import io.spillway.catalog.Catalog;
import io.spillway.expression.Expression;
import io.spillway.plan.physical.ScanFilter;
import io.spillway.scan.FileColumns;
import io.spillway.scan.ScanFile;
import io.spillway.scan.pruning.ColumnFacts;
import io.spillway.scan.pruning.PruningPredicate;
import java.util.BitSet;

/** Finds the partitions of a scan that cannot match the filter above it; reads nothing. */
final class ScanPruning {

    private final SnapshotScan scan;
    private final Catalog catalog;
    private final Expression condition;

    /** The condition where files have the scan's columns as they are, as nearly all do. */
    private final PruningPredicate whereSame;

    private final BitSet byFileValues = new BitSet();
    private final BitSet byStatistics = new BitSet();

    private ScanPruning(SnapshotScan scan, Expression condition, Catalog catalog) {
        this.scan = scan;
        this.condition = condition;
        this.catalog = catalog;
        this.whereSame = PruningPredicate.of(condition);
    }

    /**
     * What a filter tells the scan below it.
     *
     * @param condition over the scan's columns
     */
    static ScanFilter filter(SnapshotScan scan, Expression condition, Catalog catalog) {
        ScanPruning pruning = new ScanPruning(scan, condition, catalog);
        int number = 0;
        for (ScanFile file : scan.snapshot().files()) {
            pruning.add(file, number);
            number += file.partitionRows().size();
        }
        return ScanFilter.of(condition, pruning.byFileValues, pruning.byStatistics);
    }

    private void add(ScanFile file, int number) {
        FileColumns own = FileColumns.of(file, scan.schema());
        if (own.isIdentity()) {
            addByStatistics(file, number, own.inner(), whereSame);
            return;
        }
        PruningPredicate filter = PruningPredicate.of(own.translate(condition));
        if (filter.canMatch(ColumnFacts.NONE)) {
            addByStatistics(file, number, own.inner(), filter);
        } else {
            byFileValues.set(number, number + file.partitionRows().size());
        }
    }

    private void addByStatistics(
            ScanFile file, int number, RowSchema columns, PruningPredicate filter) {
        catalog.prune(scan.snapshot().format(), file.status(), columns, filter).stream()
                .filter(partition -> partition < file.partitionRows().size())
                .forEach(partition -> byStatistics.set(number + partition));
    }
}
