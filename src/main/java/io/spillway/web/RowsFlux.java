package io.spillway.web;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.spillway.encode.EncodedChunk;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Schedulers;
import reactor.netty.channel.AbortedException;
import reactor.util.context.Context;

/**
 * A stream of rows as it goes to one connection: chunks with what a {@link Framing} puts around
 * them.
 *
 * <p>Whatever the network takes ahead, it holds few bytes that it has not sent: a further chunk is
 * asked for only while fewer than {@link Pace#windowBytes} are under way.
 */
final class RowsFlux extends Flux<DataBuffer> {

    /** How long a reader may take to fetch the last bytes of a stream that has broken off. */
    private static final Duration LAST_BYTES = Duration.ofSeconds(5);

    /**
     * Between what tells of a failure and the breaking of the connection: browsers throw away what
     * comes together with that.
     */
    private static final Duration LAST_WORDS = Duration.ofMillis(100);

    private final Flux<EncodedChunk> chunks;
    private final Framing framing;
    private final Pace pace;
    private final Channel channel;

    /**
     * A stream that can be subscribed to once.
     *
     * @param pace how far the network may fall behind
     * @param channel where the rows go
     */
    RowsFlux(Flux<EncodedChunk> chunks, Framing framing, Pace pace, Channel channel) {
        this.chunks = chunks;
        this.framing = framing;
        this.pace = pace;
        this.channel = channel;
    }

    @Override
    public void subscribe(CoreSubscriber<? super DataBuffer> subscriber) {
        pace.set(channel);
        chunks.subscribe(new Sender(framing, pace, channel, subscriber));
    }

    /** Signals come from many threads; whoever raises {@code signals} from zero works for all. */
    private static final class Sender
            implements CoreSubscriber<EncodedChunk>, Subscription, Framing.Out {

        private final Framing framing;
        private final Pace pace;
        private final Channel channel;
        private final CoreSubscriber<? super DataBuffer> subscriber;
        private final AtomicInteger signals = new AtomicInteger();
        private final AtomicLong demand = new AtomicLong();
        private final AtomicLong underWay = new AtomicLong();
        private final AtomicReference<@Nullable EncodedChunk> arrived = new AtomicReference<>();
        private final AtomicReference<@Nullable Ending> ending = new AtomicReference<>();
        private final ChannelFutureListener whenClosed = closed -> close();
        private volatile boolean canceled;
        private volatile boolean closed;
        private volatile boolean ticked;
        // Set before any signal.
        private volatile Subscription chunks = Operators.emptySubscription();
        private @Nullable Disposable ticker;
        // Below: only by the working thread.
        private final ArrayDeque<DataBuffer> ready = new ArrayDeque<>();
        private boolean asked;
        private @Nullable Ending last;
        private boolean over;

        /** Does the reader hear of the failure? */
        private boolean told;

        /** How it ends; without a cause, well. */
        private record Ending(@Nullable Throwable cause) {}

        Sender(
                Framing framing,
                Pace pace,
                Channel channel,
                CoreSubscriber<? super DataBuffer> subscriber) {
            this.framing = framing;
            this.pace = pace;
            this.channel = channel;
            this.subscriber = subscriber;
        }

        @Override
        public Context currentContext() {
            return subscriber.currentContext();
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            chunks = subscription;
            if (framing.ticks()) {
                ticker =
                        Schedulers.parallel()
                                .schedulePeriodically(this::tick, 1, 1, TimeUnit.SECONDS);
            }
            subscriber.onSubscribe(this);
            // Not everybody who was to take the rows tells when the connection goes before that.
            var _ = channel.closeFuture().addListener(whenClosed);
        }

        private void close() {
            closed = true;
            chunks.cancel();
            work();
        }

        @Override
        public void onNext(EncodedChunk chunk) {
            arrived.set(chunk);
            work();
        }

        @Override
        public void onError(Throwable cause) {
            ending.compareAndSet(null, new Ending(cause));
            work();
        }

        @Override
        public void onComplete() {
            ending.compareAndSet(null, new Ending(null));
            work();
        }

        @Override
        public void request(long n) {
            if (n <= 0) {
                ending.compareAndSet(
                        null, new Ending(new IllegalArgumentException("a demand of " + n)));
            } else {
                demand.accumulateAndGet(n, Operators::addCap);
            }
            work();
        }

        @Override
        public void cancel() {
            canceled = true;
            chunks.cancel();
            work();
        }

        private void tick() {
            ticked = true;
            work();
        }

        /** The network has done with some bytes. Others on the same loop have their turn first. */
        private void released(int bytes) {
            underWay.addAndGet(-bytes);
            try {
                channel.eventLoop().execute(this::work);
            } catch (RejectedExecutionException e) {
                work(); // the loop is shut down
            }
        }

        private void work() {
            if (signals.getAndIncrement() != 0) {
                return;
            }
            int missed = 1;
            do {
                while (!over && step()) {
                    // All is in the condition.
                }
                if (over) {
                    drop();
                }
                missed = signals.addAndGet(-missed);
            } while (missed != 0);
        }

        /** Does one thing; false if there is nothing to do for now. */
        private boolean step() {
            if (canceled || closed) {
                over = true;
                if (!canceled) {
                    subscriber.onError(new AbortedException("The connection was closed"));
                }
                return false;
            }
            DataBuffer buffer = ready.peek();
            if (buffer != null) {
                return emit();
            }
            Ending how = last;
            if (how != null) {
                finish(how);
                return false;
            }
            // In this order: a chunk that arrives comes before the end that follows it.
            how = ending.get();
            EncodedChunk chunk = arrived.getAndSet(null);
            if (chunk != null) {
                asked = false;
                framing.rows(chunk, this);
                return true;
            }
            if (how != null) {
                conclude(how);
                last = how;
                return true;
            }
            return ticked ? tickFraming() : ask();
        }

        private boolean emit() {
            if (demand.get() == 0) {
                return false;
            }
            demand.updateAndGet(d -> d == Long.MAX_VALUE ? d : d - 1);
            subscriber.onNext(ready.remove());
            return true;
        }

        private void conclude(Ending how) {
            Throwable cause = how.cause();
            if (cause == null) {
                framing.end(this);
            } else {
                framing.failure(cause, this);
                told = !ready.isEmpty();
            }
        }

        private boolean tickFraming() {
            ticked = false;
            if (demand.get() > 0 && underWay.get() == 0) {
                framing.tick(System.nanoTime(), asked, this);
            }
            return true;
        }

        private boolean ask() {
            if (asked || demand.get() == 0 || underWay.get() >= pace.windowBytes()) {
                return false;
            }
            asked = true;
            chunks.request(1);
            return true;
        }

        private void finish(Ending how) {
            over = true;
            Throwable broken = how.cause();
            if (broken == null) {
                subscriber.onComplete();
            } else if (told) {
                var _ =
                        channel.eventLoop()
                                .schedule(
                                        () -> breakOff(broken),
                                        LAST_WORDS.toMillis(),
                                        TimeUnit.MILLISECONDS);
            } else {
                breakOff(broken);
            }
        }

        private void breakOff(Throwable broken) {
            if (underWay.get() > 0) {
                // A reader that takes nothing any more would keep what is left for a long time.
                var _ =
                        channel.eventLoop()
                                .schedule(
                                        this::abandon,
                                        LAST_BYTES.toMillis(),
                                        TimeUnit.MILLISECONDS);
            }
            if (!canceled) {
                subscriber.onError(broken);
            }
        }

        private void abandon() {
            if (underWay.get() > 0) {
                var _ = channel.close();
            }
        }

        private void drop() {
            Disposable clock = ticker;
            if (clock != null) {
                clock.dispose();
            }
            EncodedChunk chunk = arrived.getAndSet(null);
            if (chunk != null) {
                chunk.close();
            }
            var _ = channel.closeFuture().removeListener(whenClosed);
            framing.close();
            ready.forEach(DataBufferUtils::release);
            ready.clear();
        }

        @Override
        public void text(byte[] text) {
            if (text.length > 0) {
                ready.add(ChunkBuffers.wrap(text));
            }
        }

        @Override
        public void chunk(EncodedChunk chunk, int from, int to) {
            int bytes = to - from;
            underWay.addAndGet(bytes);
            ready.add(ChunkBuffers.wrap(chunk, from, to, () -> released(bytes)));
        }
    }
}
