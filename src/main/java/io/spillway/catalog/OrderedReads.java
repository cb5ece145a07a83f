package io.spillway.catalog;

import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/** Asks file systems many things side by side, and hands on the answers in order. */
final class OrderedReads {

    /** How far reads run ahead of the answer that is handed on next, as a multiple of threads. */
    private static final int AHEAD = 4;

    private OrderedReads() {}

    /** Told of each answer, in order, in the calling thread. */
    interface Receiver<T, R> {

        void read(T item, R answer);

        /** There is no answer; thrown by a receiver that does not go on without it. */
        void failed(T item, SpillwayException failure);
    }

    /**
     * Reads. However the reads are timed, the receiver is told of them in order, so that of several
     * that fail the first is the one reported; when it throws, the rest is given up. No more than a
     * few times {@code parallelism} answers are held at a time.
     *
     * @param parallelism reads that are under way at once
     * @param read may wait
     * @throws SpillwayException what the receiver throws; {@code CANCELED} if the calling thread is
     *     interrupted; {@code INTERNAL} if a read throws anything else
     */
    static <T, R> void run(
            List<T> items, int parallelism, Function<T, R> read, Receiver<T, R> receiver) {
        ExecutorService readers =
                Executors.newFixedThreadPool(
                        Math.clamp(items.size(), 1, parallelism),
                        Thread.ofVirtual().name("catalog-", 0).factory());
        try {
            Iterator<T> unread = items.iterator();
            Queue<Future<R>> reads = new ArrayDeque<>();
            for (T item : items) {
                while (unread.hasNext() && reads.size() < AHEAD * parallelism) {
                    T next = unread.next();
                    reads.add(readers.submit(() -> read.apply(next)));
                }
                receive(reads.remove(), item, receiver);
            }
        } finally {
            readers.shutdownNow();
        }
    }

    private static <T, R> void receive(Future<R> read, T item, Receiver<T, R> receiver) {
        R answer;
        try {
            answer = read.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SpillwayException(ErrorCode.CANCELED, "Looking at files was canceled", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SpillwayException known) {
                receiver.failed(item, known);
                return;
            }
            throw new SpillwayException(ErrorCode.INTERNAL, "A file could not be looked at", e);
        }
        receiver.read(item, answer);
    }
}
