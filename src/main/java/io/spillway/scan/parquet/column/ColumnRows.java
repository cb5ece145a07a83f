package io.spillway.scan.parquet.column;

import io.spillway.batch.ColumnVector;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The decoded rows of one column that no batch has taken yet: columns end their batches where their
 * values ask for it, and what one has more than another waits here for the next batch.
 *
 * <pre>
 * column a | 4096 rows decoded             | → batch takes 1000 | waiting: 3096 |
 * column b | 1000 rows decoded, then full  | → batch takes 1000 | decodes on    |
 * </pre>
 */
public final class ColumnRows implements AutoCloseable {

    private final ColumnSource reader;

    private @Nullable ColumnVector decoded;

    /** Rows of it that batches have taken. */
    private int taken;

    /** Takes over the reader. */
    public ColumnRows(ColumnSource reader) {
        this.reader = reader;
    }

    /**
     * Decodes rows, if none are waiting.
     *
     * @param rows how many the next batch can take, above 0
     * @return how many of them are there, or 0: ask again when {@link #waiting} is done
     */
    public int read(int rows) {
        ColumnVector there = decoded;
        if (there == null) {
            if (!reader.read(rows)) {
                return 0;
            }
            there = reader.take();
            decoded = there;
            taken = 0;
        }
        return Math.min(rows, there.size() - taken);
    }

    /** Done when it is worth asking for rows again. */
    public CompletableFuture<?> waiting() {
        return reader.waiting();
    }

    /** The next rows, the caller's; no more than {@link #read} told. */
    public ColumnVector take(int rows) {
        ColumnVector there = decoded;
        if (there == null) {
            throw new IllegalStateException("no rows");
        }
        if (rows < there.size()) {
            ColumnVector part = there.slice(taken, rows);
            taken += rows;
            if (taken == there.size()) {
                drop();
            }
            return part;
        }
        decoded = null;
        return there;
    }

    private void drop() {
        ColumnVector there = decoded;
        if (there != null) {
            decoded = null;
            there.close();
        }
    }

    @Override
    public void close() {
        drop();
        reader.close();
    }
}
