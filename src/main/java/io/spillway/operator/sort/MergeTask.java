package io.spillway.operator.sort;

import io.spillway.operator.key.EncodedKeys;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Merges neighbouring parts into one, a block a turn. */
final class MergeTask extends PartTask {

    /** Where the merged rows go, in order. */
    interface Target extends AutoCloseable {

        /** Adds rows, which stay the caller's. */
        void add(Picks picks);

        /** All rows, owned by the caller. */
        SortedPart finish(KeyPrefix prefix, byte @Nullable [] bound);

        /** Frees what has not been handed over. */
        @Override
        void close();
    }

    private final List<SortedPart> parts;
    private final SortShape shape;
    private final Target target;
    private final Runnable freed;
    private final KeyPrefix prefix;
    private final Merger merger;

    /**
     * A task that has not begun.
     *
     * @param parts taken over
     * @param width of keys, as {@link EncodedKeys#width()}
     * @param target taken over
     * @param freed called when everything has been freed; perhaps more than once
     */
    MergeTask(List<SortedPart> parts, SortShape shape, int width, Target target, Runnable freed) {
        this.parts = List.copyOf(parts);
        this.shape = shape;
        this.target = target;
        this.freed = freed;
        this.prefix = Merger.prefix(parts);
        this.merger = new Merger(parts, shape, shape.limit(), width);
    }

    @Override
    @Nullable SortedPart step() {
        try (Picks picks = merger.next(SortShape.BLOCK_ROWS, shape.blockBytes())) {
            if (picks != null) {
                target.add(picks);
                return null;
            }
        }
        SortedPart merged = target.finish(prefix, merger.bound());
        free();
        return merged;
    }

    @Override
    void free() {
        merger.close();
        parts.forEach(SortedPart::close);
        target.close();
        freed.run();
    }
}
