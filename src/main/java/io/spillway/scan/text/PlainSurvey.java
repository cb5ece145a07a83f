package io.spillway.scan.text;

import io.spillway.batch.OffHeap;
import io.spillway.error.SpillwayException;
import io.spillway.memory.MemoryPool;
import io.spillway.memory.MemoryReservation;
import io.spillway.scan.FileMetadata;
import io.spillway.scan.bytes.Buffers;
import io.spillway.scan.bytes.OpenFile;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntUnaryOperator;
import org.apache.arrow.memory.ArrowBuf;
import org.jspecify.annotations.Nullable;

/**
 * Looks through a text that is not compressed, in stretches of equal length, several at a time. The
 * records that begin behind a line's end in a stretch are a partition, wherever the last one ends:
 *
 * <pre>
 * stretches   |        0        |        1        |        2        |
 * records     [r0][ r1 ][   r2    ][ r3  ][  r4 ][        r5          ][r6]
 * partitions  [--------0----------][-------------1--------------------][2-]
 * </pre>
 *
 * Where the first record of a stretch begins depends on all text before it, for a line may end
 * inside of quotes. So each stretch, once read, waits for the state in which the one before it
 * ends, tells its own to the next, which is quick, and is only then looked through. Stretches are
 * taken in order, so that each waits only for those that somebody works on.
 */
final class PlainSurvey {

    /** Partitions of a file, if they are not to become too large. */
    private static final int PARTITIONS = 4096;

    private static final int MAX_PARTITION = 64 << 20;

    private final OpenFile file;
    private final TextSyntax syntax;
    private final TextHead head;
    private final TextSettings settings;
    private final MemoryPool pool;
    private final int stretch;
    private final int count;

    private final AtomicInteger next = new AtomicInteger();

    /** The first stretch that failed so far. */
    private final AtomicInteger failed = new AtomicInteger(Integer.MAX_VALUE);

    private final AtomicReferenceArray<Outcome> outcomes;

    /** The states in front of the stretches. */
    private final List<CompletableFuture<Integer>> states = new ArrayList<>();

    /** What came of a stretch. */
    private sealed interface Outcome {

        record Done(Survey.Part part) implements Outcome {}

        /**
         * @param lines in front of the fault, in the stretch's partition
         */
        record Faulty(TextFault fault, long lines) implements Outcome {}

        record Failed(Throwable cause) implements Outcome {}
    }

    private PlainSurvey(
            OpenFile file,
            TextSyntax syntax,
            TextHead head,
            TextSettings settings,
            MemoryPool pool) {
        this.file = file;
        this.syntax = syntax;
        this.head = head;
        this.settings = settings;
        this.pool = pool;
        long bytes = file.pinned().size() - head.offset();
        this.stretch =
                (int) Math.max(settings.partition(), Math.min(MAX_PARTITION, bytes / PARTITIONS));
        this.count = Math.toIntExact((bytes + stretch - 1) / stretch);
        this.outcomes = new AtomicReferenceArray<>(count);
        for (int i = 0; i <= count; i++) {
            states.add(new CompletableFuture<>());
        }
    }

    /**
     * Looks through all records.
     *
     * @throws SpillwayException for what is no record, naming the first line that has it, and as
     *     reads of the file
     */
    static FileMetadata run(
            OpenFile file,
            TextSyntax syntax,
            TextHead head,
            TextSettings settings,
            MemoryPool pool) {
        return new PlainSurvey(file, syntax, head, settings, pool).run();
    }

    private FileMetadata run() {
        if (count > 0) {
            states.getFirst().complete(0);
            int workers = Math.min(count, Runtime.getRuntime().availableProcessors());
            if (workers == 1) {
                work();
            } else {
                runSideBySide(workers);
            }
        }
        Survey survey = new Survey(file.pinned(), syntax.noRecords(head), head.line());
        for (int i = 0; i < count; i++) {
            switch (outcomes.get(i)) {
                case Outcome.Done(Survey.Part part) -> survey.add(part);
                case Outcome.Faulty(TextFault fault, long lines) ->
                        throw TextFailures.of(fault, file.pinned().uri(), survey.line() + lines);
                case Outcome.Failed(SpillwayException cause) -> throw cause.copy();
                case Outcome.Failed(Throwable cause) -> throw new IllegalStateException(cause);
            }
        }
        return survey.metadata();
    }

    private void runSideBySide(int workers) {
        List<CompletableFuture<?>> running = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
            CompletableFuture<Void> done = new CompletableFuture<>();
            running.add(done);
            Thread.ofVirtual()
                    .name("spillway-survey")
                    .start(
                            () -> {
                                work();
                                done.complete(null);
                            });
        }
        CompletableFuture<Void> all =
                CompletableFuture.allOf(running.toArray(CompletableFuture[]::new));
        try {
            Survey.await(all);
        } catch (SpillwayException e) {
            // Interrupted: whoever works on a stretch fails as soon as it reads again.
            failed.set(-1);
            file.close();
            throw e;
        }
    }

    /** Works on stretches until there are none left. */
    private void work() {
        long bytes = Buffers.rounded((long) stretch + TextSettings.OVERLAP + Buffers.PADDING);
        try (MemoryReservation _ = Survey.admitted(pool, bytes)) {
            for (int i = take(); i >= 0; i = take()) {
                outcome(i, look(i));
            }
        } catch (Throwable t) {
            int i = take();
            if (i >= 0) {
                outcome(i, new Outcome.Failed(t));
            }
        }
    }

    /** The next stretch, or -1 if there is none that matters any more. */
    private int take() {
        IntUnaryOperator following = i -> i < count && i <= failed.get() ? i + 1 : i;
        int taken = next.getAndUpdate(following);
        return taken < count && taken <= failed.get() ? taken : -1;
    }

    private void outcome(int i, Outcome outcome) {
        outcomes.set(i, outcome);
        if (!(outcome instanceof Outcome.Done)) {
            failed.accumulateAndGet(i, Math::min);
            // Whoever waits for it is behind it, and matters no more.
            states.get(i + 1).complete(0);
        }
    }

    private Outcome look(int i) {
        long offset = head.offset() + (long) i * stretch;
        try (Stretch text = new Stretch(offset)) {
            return look(i, text);
        } catch (Throwable t) {
            return new Outcome.Failed(t);
        }
    }

    private Outcome look(int i, Stretch text) {
        text.read(stretch + TextSettings.OVERLAP);
        long base = text.base();
        long limit = base + Math.min(stretch, text.length);
        int state = Survey.await(states.get(i));
        states.get(i + 1).complete(syntax.state(state, base, limit));
        long first = i == 0 ? base : syntax.afterRecord(state, base, limit);
        if (first < 0) {
            return new Outcome.Done(new Survey.Part(0, 0, 0, syntax.noRecords(head)));
        }
        int from = (int) (first - base);
        int done = from;
        int checked = from;
        try (Surveyor surveyor = syntax.surveyor(head)) {
            while (true) {
                base = text.base();
                long to = base + text.length;
                done =
                        (int)
                                (surveyor.survey(base + done, base + stretch, to, text.isLast())
                                        - base);
                Utf8Check.check(base + checked, base + done);
                checked = done;
                if (done > stretch || text.isLast()) {
                    break;
                }
                if (text.length - done > settings.record()) {
                    throw TextFault.corrupt(
                            base + done,
                            "has a record of more than %,d bytes".formatted(settings.record()));
                }
                text.read(2 * text.length);
            }
            long lines = Swar.count(base + from, base + done, (byte) '\n');
            return new Outcome.Done(
                    new Survey.Part(
                            text.offset + from, surveyor.rows(), lines, surveyor.inferred()));
        } catch (TextFault fault) {
            TextFault earliest = Utf8Check.earliest(fault, text.base() + checked);
            return new Outcome.Faulty(
                    earliest, Swar.count(text.base() + from, earliest.address(), (byte) '\n'));
        }
    }

    /** The bytes of a stretch, and as many behind it as are needed. */
    private final class Stretch implements AutoCloseable {

        private final long offset;
        private @Nullable ArrowBuf buffer;
        private int length;

        Stretch(long offset) {
            this.offset = offset;
        }

        long base() {
            ArrowBuf there = buffer;
            return there == null ? 0 : there.memoryAddress();
        }

        boolean isLast() {
            return offset + length == file.pinned().size();
        }

        /** Reads on, to so many bytes or to the end of the file. */
        void read(int bytes) {
            int wanted = (int) Math.min(bytes, file.pinned().size() - offset);
            ArrowBuf before = buffer;
            ArrowBuf there =
                    before == null
                            ? Buffers.allocate(pool.allocator(), (long) wanted + Buffers.PADDING)
                            : Buffers.grow(
                                    pool.allocator(), before, (long) wanted + Buffers.PADDING);
            buffer = there;
            file.readFully(
                    offset + length, OffHeap.view(there.memoryAddress() + length, wanted - length));
            length = wanted;
        }

        @Override
        public void close() {
            ArrowBuf there = buffer;
            if (there != null) {
                buffer = null;
                there.close();
            }
        }
    }
}
