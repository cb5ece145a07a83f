package io.spillway.scan.parquet.column;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnVector;
import io.spillway.scan.parquet.bytes.Place;
import io.spillway.scan.parquet.footer.ColumnNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;

/**
 * A column of lists, structs or maps. Each leaf is read as if it were the only one; batches are as
 * long as the shortest that a leaf gives, and are put together of the leaves' vectors, which must
 * tell the same of the nodes that they have in common.
 */
public final class NestedReader implements ColumnSource {

    private final Field field;
    private final ColumnNode root;
    private final NestedVectors vectors;
    private final List<ColumnRows> leaves = new ArrayList<>();

    /** Leaves that have rows for the batch under way, and how many they all have. */
    private int ready;

    private int common;

    /** What to wait for is told by this one. */
    private @Nullable ColumnRows waiting;

    /**
     * @param wanted the column, of the root's type
     * @param leaf opens the reader of the leaf at the end of a list of nodes that begins with the
     *     root; all of them are closed if one cannot be opened
     */
    public NestedReader(
            ColumnSchema wanted,
            ColumnNode root,
            Function<List<ColumnNode>, LeafReader> leaf,
            BufferAllocator allocator,
            Place place) {
        this.field = wanted.toArrow();
        this.root = root;
        this.vectors = new NestedVectors(allocator, place);
        try {
            open(List.of(root), leaf);
        } catch (Throwable t) {
            close();
            throw t;
        }
    }

    private void open(List<ColumnNode> path, Function<List<ColumnNode>, LeafReader> leaf) {
        switch (path.getLast()) {
            case ColumnNode.Leaf _ -> leaves.add(new ColumnRows(leaf.apply(path)));
            case ColumnNode.Struct struct ->
                    struct.fields().forEach(f -> open(with(path, f), leaf));
            case ColumnNode.Repeated list -> open(with(path, list.element()), leaf);
        }
    }

    private static List<ColumnNode> with(List<ColumnNode> path, ColumnNode next) {
        List<ColumnNode> longer = new ArrayList<>(path);
        longer.add(next);
        return longer;
    }

    @Override
    public boolean read(int count) {
        if (ready == 0) {
            common = count;
        }
        while (ready < leaves.size()) {
            ColumnRows leaf = leaves.get(ready);
            int there = leaf.read(common);
            if (there == 0) {
                waiting = leaf;
                return false;
            }
            common = there;
            ready++;
        }
        return true;
    }

    @Override
    public CompletableFuture<?> waiting() {
        return waiting == null ? CompletableFuture.completedFuture(null) : waiting.waiting();
    }

    @Override
    public ColumnVector take() {
        ready = 0;
        List<FieldVector> parts = new ArrayList<>(leaves.size());
        try {
            for (ColumnRows leaf : leaves) {
                parts.add(((ColumnVector.Plain) leaf.take(common)).vector());
            }
            return new ColumnVector.Plain(vectors.join(field, root, parts));
        } finally {
            parts.forEach(FieldVector::close);
        }
    }

    @Override
    public void close() {
        leaves.forEach(ColumnRows::close);
        leaves.clear();
    }
}
