package io.spillway.operator.join;

import io.spillway.batch.RowSchema;
import io.spillway.spill.SpillFile;
import io.spillway.spill.SpillSpace;
import java.util.ArrayList;
import java.util.List;

/** What comes out of a join of partitions, on disk, until it is merged. Closing deletes it. */
final class JoinFiles implements AutoCloseable {

    private final SpillSpace space;
    private final RowSchema leftSchema;
    private final RowSchema rightSchema;
    private final RowSchema outSchema;

    /** Rows that come out, by the numbers of their left rows. */
    private final List<SpillFile> runs = new ArrayList<>();

    /** Left rows that come out if there is nothing else of their number. */
    private final List<SpillFile> lefts = new ArrayList<>();

    /** Right rows that found no match, by their numbers. */
    private final List<SpillFile> rights = new ArrayList<>();

    JoinFiles(JoinLayout layout, SpillSpace space) {
        this.space = space;
        this.leftSchema = RowTags.before(layout.left());
        this.rightSchema =
                layout.type().keepsRight() ? RowTags.before(layout.right()) : layout.right();
        this.outSchema = RowTags.before(layout.schema());
    }

    /** Left rows with their numbers. */
    RowSchema leftSchema() {
        return leftSchema;
    }

    /** Right rows, with their numbers if these matter. */
    RowSchema rightSchema() {
        return rightSchema;
    }

    /** What comes out, with the left rows' numbers. */
    RowSchema outSchema() {
        return outSchema;
    }

    RunWriter writer(RowSchema schema) {
        return new RunWriter(space, schema);
    }

    List<SpillFile> runs() {
        return runs;
    }

    List<SpillFile> lefts() {
        return lefts;
    }

    List<SpillFile> rights() {
        return rights;
    }

    @Override
    public void close() {
        runs.forEach(SpillFile::close);
        lefts.forEach(SpillFile::close);
        rights.forEach(SpillFile::close);
    }
}
