package io.spillway.operator.aggregate;

import io.spillway.batch.RecordBatch;
import io.spillway.batch.RowSchema;
import io.spillway.operator.WorkContext;
import io.spillway.operator.key.KeyTable;
import io.spillway.operator.partition.PartitionFiles;
import io.spillway.operator.partition.PartitionWriter;
import io.spillway.spill.SpillFile;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Keys in memory as far as they fit, and on disk what does not, parted by the hash of the key.
 *
 * <pre>
 *             no memory for new keys           memory is asked back, or there
 *                                              is none for keys that are here
 *   OPEN ───────────────────────────▶ FULL ───────────────────────────▶ GONE
 *    │   rows of new keys: to disk     │    all keys: saved, to disk     ▲
 *    ├─────────────────────────────────┼─────────────────────────────────┘
 *    │                                 │
 *    └────────────────┬────────────────┘
 *                     ▼ all rows have been added
 *                   ENDED   what comes of the keys comes out, and none is saved any more
 * </pre>
 *
 * A key's rows are so taken in their order whatever happens: what was kept of it is read back
 * before the rest of its rows is. All keys that stay in memory appear before those that do not.
 *
 * <p>Nothing comes out twice: a key is saved only as long as what comes of it, once all of its rows
 * are known, has not begun to come out. And nothing is lost: rows that were to come out before that
 * do so also after their keys are gone.
 */
final class KeyedLevel implements AutoCloseable {

    /** Rows that are tried at a time when a batch does not fit. */
    private static final int PIECE = 256;

    /** Keys that are saved at a time. */
    private static final int SAVED_ROWS = 1_024;

    /** Two to the power of that is the number of partitions of a level. */
    private static final int PARTITION_BITS = 4;

    /** Rows and bytes of a partition's blocks, and bytes that wait to be written, at most. */
    private static final int BLOCK_ROWS = 1_024;

    private static final long WAITING_BYTES = 256 << 10;

    /** Deeper than any keys that can be told apart go. */
    static final int MAX_LEVEL = 12;

    private enum State {
        OPEN,
        FULL,
        GONE,
        ENDED
    }

    private final KeyedOperation operation;
    private final int level;
    private final FlooredMemory memory;
    private final BufferAllocator allocator;
    private final KeyedState keys;
    private final RowSchema rowSchema;
    private final WorkContext context;
    private @Nullable PartitionWriter rows;

    /** Keys that were saved when this gave way; and before that those that could not be loaded. */
    private @Nullable PartitionWriter saved;

    private @Nullable PartitionWriter overflow;
    private State state = State.OPEN;
    private long[] hashes = new long[0];
    private int[] ids = new int[0];
    private int[] known = new int[0];
    private int[] knownIds = new int[0];
    private int[] unknown = new int[0];

    KeyedLevel(KeyedOperation operation, int level, FlooredMemory memory, WorkContext context) {
        this.operation = operation;
        this.level = level;
        this.memory = memory;
        this.context = context;
        this.allocator = context.pool().allocator();
        this.rowSchema = NumberedRows.schema(operation.input());
        this.keys = operation.open(context.batchRows(), allocator, memory);
    }

    /** Adds keys that were saved; they stay the caller's. */
    void addSaved(RecordBatch batch) {
        requireNotEnded();
        if (state == State.OPEN) {
            if (keys.tryLoad(batch)) {
                return;
            }
            savedPieces(batch, PIECE);
            return;
        }
        writeSaved(batch);
    }

    private void savedPieces(RecordBatch batch, int size) {
        for (int from = 0; from < batch.rowCount(); from += size) {
            try (RecordBatch piece = batch.slice(from, Math.min(size, batch.rowCount() - from))) {
                addSavedPiece(piece);
            }
        }
    }

    private void addSavedPiece(RecordBatch piece) {
        if (state == State.OPEN) {
            if (keys.tryLoad(piece)) {
                return;
            }
            if (piece.rowCount() > 1) {
                savedPieces(piece, (piece.rowCount() + 3) / 4);
                return;
            }
            fill();
        }
        writeSaved(piece);
    }

    private void writeSaved(RecordBatch batch) {
        reserveHashes(batch.rowCount());
        keys.savedHashes(batch, level, hashes);
        if (overflow == null) {
            overflow = writer(keys.savedSchema());
        }
        add(overflow, batch.slice(0, batch.rowCount()));
    }

    /** Adds rows, which stay the caller's. */
    void add(NumberedRows input) {
        requireNotEnded();
        if (state == State.OPEN && keys.tryAdd(input)) {
            return;
        }
        if (state == State.OPEN) {
            pieces(input, PIECE);
        } else {
            overflow(input);
        }
    }

    private void requireNotEnded() {
        if (state == State.ENDED) {
            throw new IllegalStateException("rows are added after the last");
        }
    }

    private void pieces(NumberedRows input, int size) {
        RecordBatch batch = input.batch();
        for (int from = 0; from < batch.rowCount(); from += size) {
            try (RecordBatch piece = batch.slice(from, Math.min(size, batch.rowCount() - from))) {
                piece(input.part(piece, from));
            }
        }
    }

    private void piece(NumberedRows piece) {
        if (state == State.OPEN) {
            if (keys.tryAdd(piece)) {
                return;
            }
            if (piece.count() > 1) {
                pieces(piece, (piece.count() + 3) / 4);
                return;
            }
            fill();
        }
        overflow(piece);
    }

    private void fill() {
        if (keys.size() == 0 || !operation.hasKeys()) {
            throw Failures.tooLarge("What is kept of one key does not fit in memory");
        }
        if (level > MAX_LEVEL) {
            throw Failures.tooLarge("Keys do not fit in memory, and cannot be parted");
        }
        state = State.FULL;
    }

    private void overflow(NumberedRows input) {
        int count = input.count();
        if (ids.length < count) {
            ids = new int[count];
            known = new int[count];
            knownIds = new int[count];
            unknown = new int[count];
        }
        int here = 0;
        int elsewhere = 0;
        if (state == State.FULL) {
            keys.find(input.batch(), ids);
            for (int i = 0; i < count; i++) {
                if (ids[i] == KeyTable.UNKNOWN) {
                    unknown[elsewhere++] = i;
                } else {
                    known[here] = i;
                    knownIds[here++] = ids[i];
                }
            }
            if (here > 0 && !keys.tryUpdate(input.batch(), known, knownIds, here)) {
                if (count > 1) {
                    pieces(input, Math.max(1, Math.min(PIECE, count / 2)));
                    return;
                }
                giveWay();
                here = 0;
            }
        }
        if (state == State.GONE) {
            elsewhere = count;
            for (int i = 0; i < count; i++) {
                unknown[i] = i;
            }
        }
        if (elsewhere > 0) {
            write(input, elsewhere);
        }
    }

    private void write(NumberedRows input, int count) {
        if (rows == null) {
            rows = writer(rowSchema);
        }
        RecordBatch batch = input.take(operation.input(), unknown, count, allocator);
        try {
            reserveHashes(count);
            keys.hashes(batch, level, hashes);
        } catch (Throwable t) {
            batch.close();
            throw t;
        }
        add(rows, batch);
    }

    private PartitionWriter writer(RowSchema schema) {
        return new PartitionWriter(
                schema,
                PARTITION_BITS,
                BLOCK_ROWS,
                WAITING_BYTES,
                null,
                context.spill(),
                allocator);
    }

    /** Adds rows of whose keys there are the hashes now; they are taken over. */
    private void add(PartitionWriter to, RecordBatch batch) {
        int[] partitionOf = new int[batch.rowCount()];
        for (int i = 0; i < partitionOf.length; i++) {
            partitionOf[i] = to.partition(hashes[i]);
        }
        to.add(batch, partitionOf);
    }

    private void reserveHashes(int count) {
        if (hashes.length < count) {
            hashes = new long[count];
        }
    }

    /**
     * Gives memory back if it is asked for and that is worth while: all keys go to disk, unless
     * what comes of them has begun to come out.
     */
    void giveWayIfAsked() {
        boolean mayGo =
                switch (state) {
                    case OPEN, FULL -> true;
                    case GONE, ENDED -> false;
                };
        if (mayGo
                && memory.revoked().isDone()
                && memory.held() > 0
                && operation.hasKeys()
                && level <= MAX_LEVEL) {
            giveWay();
        }
    }

    private void giveWay() {
        if (level > MAX_LEVEL) {
            throw Failures.tooLarge("Keys do not fit in memory, and cannot be parted");
        }
        saved = writer(keys.savedSchema());
        for (int from = 0; from < keys.size(); from += SAVED_ROWS) {
            int count = Math.min(SAVED_ROWS, keys.size() - from);
            RecordBatch batch = keys.save(from, count);
            try {
                reserveHashes(count);
                keys.savedHashes(batch, level, hashes);
            } catch (Throwable t) {
                batch.close();
                throw t;
            }
            add(saved, batch);
        }
        state = State.GONE;
        keys.clear();
    }

    /**
     * As {@link KeyedState#next}; of keys that are on disk there comes what was to come out at
     * once, and no more. Once ended, no rows are added any more.
     */
    @Nullable RecordBatch next(boolean ended) {
        if (ended && state != State.GONE) {
            state = State.ENDED;
        }
        return keys.next(ended);
    }

    /** Ends what is written to disk; the caller owns the partitions. */
    List<Partition> finish() {
        List<Partition> partitions = new ArrayList<>();
        List<PartitionFiles> written = new ArrayList<>();
        try {
            written.add(finish(saved));
            written.add(finish(overflow));
            written.add(finish(rows));
        } catch (Throwable t) {
            written.forEach(PartitionFiles::close);
            throw t;
        }
        for (int p = 0; p < 1 << PARTITION_BITS; p++) {
            List<SpillFile> files = new ArrayList<>();
            add(written.get(0).file(p), files);
            add(written.get(1).file(p), files);
            SpillFile last = written.get(2).file(p);
            if (!files.isEmpty() || last != null) {
                partitions.add(new Partition(level, files, last));
            }
        }
        return partitions;
    }

    private static PartitionFiles finish(@Nullable PartitionWriter writer) {
        return writer == null ? PartitionFiles.none(1 << PARTITION_BITS) : writer.finish();
    }

    private static void add(@Nullable SpillFile file, List<SpillFile> to) {
        if (file != null) {
            to.add(file);
        }
    }

    @Override
    public void close() {
        keys.close();
        for (PartitionWriter writer : new PartitionWriter[] {rows, saved, overflow}) {
            if (writer != null) {
                writer.close();
            }
        }
    }
}
