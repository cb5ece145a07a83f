package io.spillway.operator.sort;

import io.spillway.execution.Failures;
import io.spillway.execution.PartitionScheduler.TaskGroup;
import io.spillway.execution.PartitionScheduler.TaskHandle;
import io.spillway.memory.MemoryHolding;
import io.spillway.memory.MemoryReservation;
import io.spillway.operator.WorkContext;
import io.spillway.spill.SpillSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * All rows that a sort has taken in, as parts in the order of the input, each in one of three
 * states: waiting to be sorted, in the hands of a task, or sorted. Tasks are started here, and what
 * they made is fetched by {@link #collect}; so one thread at a time sees all of it.
 */
final class Parts implements AutoCloseable {

    private final SortShape shape;
    private final int keyWidth;
    private final MemoryHolding holding;
    private final TaskGroup group;
    private final SpillSpace spill;
    private final int parallelism;
    private final List<Slot> slots = new ArrayList<>();
    private final List<TaskHandle> handles = new ArrayList<>();
    private int running;
    private byte @Nullable [] bound;

    /** The place of a part. */
    private static final class Slot {

        private @Nullable RawChunk raw;
        private @Nullable PartTask task;
        private @Nullable SortedPart part;

        boolean isChunk() {
            return part instanceof SortedChunk;
        }

        long held() {
            return part instanceof SortedChunk chunk ? chunk.held() : 0;
        }
    }

    Parts(SortShape shape, int keyWidth, MemoryHolding holding, WorkContext context) {
        this.shape = shape;
        this.keyWidth = keyWidth;
        this.holding = holding;
        this.group = context.group();
        this.spill = context.spill();
        this.parallelism = context.parallelism();
    }

    /** Adds the rows that come next; takes them over. */
    void add(RawChunk raw) {
        Slot slot = new Slot();
        slot.raw = raw;
        slots.add(slot);
    }

    /**
     * Fetches what tasks have made.
     *
     * @throws io.spillway.error.SpillwayException what stopped one
     */
    void collect() {
        for (Slot slot : slots) {
            if (slot.task != null && slot.task.result().isDone()) {
                CompletableFuture<SortedPart> result = slot.task.result();
                slot.task = null;
                running--;
                if (result.isCompletedExceptionally()) {
                    throw Failures.asSpillway(result.exceptionNow());
                }
                slot.part = result.resultNow();
                lower(slot.part.bound());
            }
        }
        handles.removeIf(handle -> handle.ended().isDone());
    }

    private void lower(byte @Nullable [] other) {
        if (other != null && (bound == null || Arrays.compareUnsigned(other, bound) < 0)) {
            bound = other;
        }
    }

    /**
     * A key such that no row which is yet to come and has it, or a greater one, is asked for; null
     * if there is none.
     */
    byte @Nullable [] bound() {
        return bound;
    }

    /** Done when a task may have ended; at once if none is under way. */
    CompletableFuture<?> progress() {
        CompletableFuture<?>[] results =
                slots.stream()
                        .filter(slot -> slot.task != null)
                        .map(slot -> slot.task.result())
                        .toArray(CompletableFuture[]::new);
        return results.length == 0
                ? CompletableFuture.completedFuture(null)
                : CompletableFuture.anyOf(results);
    }

    /** Whether tasks are under way. */
    boolean isBusy() {
        return running > 0;
    }

    /** Whether anything waits to be sorted. */
    boolean isUnsorted() {
        return slots.stream().anyMatch(slot -> slot.raw != null);
    }

    /** Whether any sorted part is in memory. */
    boolean hasChunks() {
        return slots.stream().anyMatch(Slot::isChunk);
    }

    /** Starts to sort what waits, as far as tasks may be started. */
    void sort() {
        for (Slot slot : slots) {
            if (running == parallelism) {
                return;
            }
            RawChunk raw = slot.raw;
            if (raw != null) {
                slot.raw = null;
                start(slot, new ChunkSort(raw, shape, holding));
            }
        }
    }

    /**
     * Starts to write neighbouring chunks to disk, as far as tasks may be started.
     *
     * @param target bytes of the holding that are worth a run
     * @param all whether smaller runs are written, too
     */
    void spill(long target, boolean all) {
        for (int from = 0; from < slots.size() && running < parallelism; from++) {
            int to = from;
            long bytes = 0;
            while (to < slots.size() && slots.get(to).isChunk() && bytes < target) {
                bytes += slots.get(to++).held();
            }
            if (to > from && (all || bytes >= target)) {
                merge(from, to, new RunTarget(spill.create(shape.schema()), shape), () -> {});
            }
        }
    }

    /**
     * Where fewer rows are asked for than there are, starts to give the others up, as soon as they
     * are half of those in memory.
     */
    void compact() {
        for (int from = 0; from < slots.size() && running < parallelism; from++) {
            int to = from;
            long rows = 0;
            while (to < slots.size() && slots.get(to).part instanceof SortedChunk chunk) {
                rows += chunk.rows();
                to++;
            }
            if (to - from > 1 && rows / 2 >= shape.limit()) {
                merge(from, to, new ChunkTarget(shape, holding), () -> {});
            }
        }
    }

    /**
     * Starts to merge runs.
     *
     * @param memory for it; taken over
     */
    void mergeRuns(int from, int to, MemoryReservation memory) {
        merge(from, to, new RunTarget(spill.create(shape.schema()), shape), memory::close);
    }

    private void merge(int from, int to, MergeTask.Target target, Runnable freed) {
        List<Slot> merged = slots.subList(from, to);
        List<SortedPart> parts = new ArrayList<>();
        for (Slot slot : merged) {
            parts.add(Objects.requireNonNull(slot.part));
        }
        merged.clear();
        Slot slot = new Slot();
        slots.add(from, slot);
        start(slot, new MergeTask(parts, shape, keyWidth, target, freed));
    }

    private void start(Slot slot, PartTask task) {
        running++;
        slot.task = task;
        handles.add(group.start(task));
    }

    /** All parts, when nothing is under way; they stay here. */
    List<SortedPart> sorted() {
        List<SortedPart> parts = new ArrayList<>();
        for (Slot slot : slots) {
            if (slot.part != null) {
                parts.add(slot.part);
            }
        }
        return parts;
    }

    /** Frees everything, what tasks work on as soon as their present turns are over. */
    @Override
    public void close() {
        for (Slot slot : slots) {
            if (slot.raw != null) {
                slot.raw.close();
            }
            if (slot.part != null) {
                slot.part.close();
            }
            if (slot.task != null) {
                var _ =
                        slot.task
                                .result()
                                .whenComplete(
                                        (part, failure) -> {
                                            if (part != null) {
                                                part.close();
                                            }
                                        });
            }
        }
        slots.clear();
        handles.forEach(TaskHandle::cancel);
    }

    /** Done when all tasks have ended. */
    CompletableFuture<?> ended() {
        return CompletableFuture.allOf(
                handles.stream().map(TaskHandle::ended).toArray(CompletableFuture[]::new));
    }
}
