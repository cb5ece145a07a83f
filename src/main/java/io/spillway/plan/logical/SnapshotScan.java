package io.spillway.plan.logical;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.RowSchema;
import io.spillway.catalog.Snapshot;
import java.util.List;
import java.util.Objects;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.rel.AbstractRelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.type.RelDataType;
import org.jspecify.annotations.Nullable;

/** A leaf of the algebra: columns of pinned files. */
final class SnapshotScan extends AbstractRelNode {

    private final Snapshot snapshot;
    private final RowSchema schema;

    private SnapshotScan(RelOptCluster cluster, Snapshot snapshot, RowSchema schema) {
        super(cluster, cluster.traitSetOf(Convention.NONE));
        this.snapshot = snapshot;
        this.schema = schema;
    }

    /** A scan of all columns that can be read. */
    static SnapshotScan create(RelOptCluster cluster, Snapshot snapshot) {
        return new SnapshotScan(cluster, snapshot, snapshot.schema());
    }

    /** The same files, but only some of the columns, by position, in this order. */
    SnapshotScan project(List<Integer> positions) {
        List<ColumnSchema> columns = positions.stream().map(schema::column).toList();
        return new SnapshotScan(getCluster(), snapshot, new RowSchema(columns));
    }

    Snapshot snapshot() {
        return snapshot;
    }

    /** The columns that come out. */
    RowSchema schema() {
        return schema;
    }

    @Override
    protected RelDataType deriveRowType() {
        return TypeMapping.toRel(schema);
    }

    @Override
    public RelWriter explainTerms(RelWriter writer) {
        return super.explainTerms(writer)
                .item("format", snapshot.format())
                .item("files", snapshot.files().size())
                .item("columns", schema.names());
    }

    /** Two scans are one only if they read the same files in the same state. */
    @Override
    public boolean deepEquals(@Nullable Object other) {
        return other instanceof SnapshotScan scan
                && snapshot.equals(scan.snapshot)
                && schema.equals(scan.schema);
    }

    @Override
    public int deepHashCode() {
        return Objects.hash(snapshot.files(), schema);
    }
}
