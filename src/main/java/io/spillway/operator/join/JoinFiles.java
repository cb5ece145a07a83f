package io.spillway.operator.join;

import io.spillway.batch.RowSchema;
import io.spillway.spill.SpillFile;
import io.spillway.spill.SpillSpace;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a join that goes by way of the disk has there until it comes out. Closing deletes it. */
final class JoinFiles implements AutoCloseable {

    private final SpillSpace space;
    private final RowSchema leftSchema;
    private final RowSchema rightSchema;
    private final RowSchema matchSchema;

    /** All left rows, in order. */
    private @Nullable SpillFile left;

    /** Matches, by the numbers of their left rows. */
    private final List<SpillFile> matches = new ArrayList<>();

    /** Right rows that found no match, by their numbers. */
    private final List<SpillFile> rights = new ArrayList<>();

    JoinFiles(JoinLayout layout, SpillSpace space) {
        this.space = space;
        this.leftSchema = RowTags.before(layout.narrow().left());
        this.rightSchema =
                layout.type().keepsRight() ? RowTags.before(layout.right()) : layout.right();
        this.matchSchema = RowTags.before(layout.outRight());
    }

    /** The numbers of left rows, and what decides about them. */
    RowSchema leftSchema() {
        return leftSchema;
    }

    /** Right rows, with their numbers if these matter. */
    RowSchema rightSchema() {
        return rightSchema;
    }

    /** The numbers of left rows, and the right columns that come out. */
    RowSchema matchSchema() {
        return matchSchema;
    }

    RunWriter writer(RowSchema schema) {
        return new RunWriter(space, schema);
    }

    @Nullable SpillFile left() {
        return left;
    }

    void setLeft(@Nullable SpillFile file) {
        left = file;
    }

    List<SpillFile> matches() {
        return matches;
    }

    List<SpillFile> rights() {
        return rights;
    }

    @Override
    public void close() {
        if (left != null) {
            left.close();
        }
        matches.forEach(SpillFile::close);
        rights.forEach(SpillFile::close);
    }
}
