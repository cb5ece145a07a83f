package io.spillway.web;

import io.spillway.batch.Poll;
import io.spillway.encode.EncodedChunk;
import io.spillway.execution.Failures;
import io.spillway.job.JobReader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;

/**
 * A job reader as a Flux: demand is the only thing that makes it pull, and cancellation closes it.
 * Signals come from whichever thread made progress possible (the one that asked, or a scheduler's),
 * one at a time; none of them waits.
 */
final class ChunkFlux extends Flux<EncodedChunk> {

    private final Supplier<JobReader> readers;

    /**
     * @param readers opens the reader, once a subscription
     */
    ChunkFlux(Supplier<JobReader> readers) {
        this.readers = readers;
    }

    @Override
    public void subscribe(CoreSubscriber<? super EncodedChunk> subscriber) {
        JobReader reader;
        try {
            reader = readers.get();
        } catch (Throwable t) {
            Operators.error(subscriber, t);
            return;
        }
        Pump pump = new Pump(reader, subscriber);
        subscriber.onSubscribe(pump);
        var _ = reader.interrupted().thenRun(pump::drain);
    }

    /**
     * Pulls while there is demand. Whoever raises {@code signals} from zero drains for all who
     * raise it meanwhile.
     */
    private static final class Pump implements Subscription {

        private final JobReader reader;
        private final CoreSubscriber<? super EncodedChunk> subscriber;
        private final AtomicLong demand = new AtomicLong();
        private final AtomicInteger signals = new AtomicInteger();
        private volatile boolean canceled;
        private volatile @Nullable Throwable misuse;
        // Below: only by the draining thread.
        private boolean ended;
        private @Nullable CompletableFuture<?> waitsFor;

        Pump(JobReader reader, CoreSubscriber<? super EncodedChunk> subscriber) {
            this.reader = reader;
            this.subscriber = subscriber;
        }

        @Override
        public void request(long n) {
            if (n <= 0) {
                misuse = new IllegalArgumentException("a demand of " + n);
            } else {
                demand.accumulateAndGet(n, Operators::addCap);
            }
            drain();
        }

        @Override
        public void cancel() {
            canceled = true;
            drain();
        }

        void drain() {
            if (signals.getAndIncrement() != 0) {
                return;
            }
            int missed = 1;
            do {
                if (!ended) {
                    pull();
                }
                missed = signals.addAndGet(-missed);
            } while (missed != 0);
        }

        private void pull() {
            while (true) {
                if (canceled) {
                    end();
                    return;
                }
                Throwable wrong = misuse;
                if (wrong != null) {
                    fail(wrong);
                    return;
                }
                if (demand.get() == 0 && !reader.interrupted().isDone()) {
                    return;
                }
                Poll<EncodedChunk> answer;
                try {
                    answer = reader.poll();
                } catch (Throwable t) {
                    fail(Failures.asSpillway(t));
                    return;
                }
                switch (answer) {
                    case Poll.Output<EncodedChunk>(EncodedChunk chunk) -> {
                        demand.updateAndGet(d -> d == Long.MAX_VALUE ? d : d - 1);
                        subscriber.onNext(chunk);
                    }
                    case Poll.Blocked<EncodedChunk>(CompletableFuture<?> until) -> {
                        await(until);
                        return;
                    }
                    case Poll.Finished<EncodedChunk>() -> {
                        end();
                        subscriber.onComplete();
                        return;
                    }
                }
            }
        }

        /** Drains again when the future is done; asks each future once. */
        @SuppressWarnings("ReferenceEquality") // which future it is matters
        private void await(CompletableFuture<?> until) {
            if (waitsFor != until) {
                waitsFor = until;
                var _ = until.whenComplete((value, failure) -> drain());
            }
        }

        private void fail(Throwable cause) {
            end();
            subscriber.onError(cause);
        }

        private void end() {
            ended = true;
            reader.close();
        }
    }
}
