package io.spillway.storage;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that make remote requests: as many as may be under way at once, first come first
 * served. They are platform threads, and few, because Hadoop's clients keep statistics by thread
 * and would keep them for every virtual thread that ever asked.
 */
final class RequestThreads implements AutoCloseable {

    private static final long IDLE_SECONDS = 60;

    private final ThreadPoolExecutor threads;

    RequestThreads(int count) {
        threads =
                new ThreadPoolExecutor(
                        count,
                        count,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        Thread.ofPlatform().name("remote-read-", 0).daemon().factory());
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Makes a request and waits for its end, also if the calling thread is interrupted: until then
     * the request may write to the caller's buffers.
     */
    <T> T call(Callable<T> request) throws Exception {
        CompletableFuture<T> answer = new CompletableFuture<>();
        threads.execute(
                () -> {
                    try {
                        answer.complete(request.call());
                    } catch (Throwable t) {
                        answer.completeExceptionally(t);
                    }
                });
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return answer.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Lets requests under way end. */
    @Override
    public void close() {
        threads.shutdown();
    }
}
