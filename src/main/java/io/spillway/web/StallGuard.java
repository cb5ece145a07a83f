package io.spillway.web;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Resets a connection whose peer takes nothing: bytes wait for it, here or in the kernel, and for a
 * whole while not one of them has come to it. What the bytes are, and whether whoever made them is
 * still at work, does not matter; nor whether the peer is there and reads nothing, or has vanished
 * without a word. A peer that takes a byte now and then stays.
 *
 * <p>What a peer has taken is what it has acknowledged. Where the kernel cannot be asked for that
 * ({@link SentBytes}), what the kernel itself has taken has to do. It takes a third of its buffer
 * at a time, so there the buffer is kept small: a peer that takes {@value #BLIND_BUFFER} bytes in
 * the time it has is never cut off.
 *
 * <p>The kernel's own limit, {@code TCP_USER_TIMEOUT}, is no replacement: it also counts the time
 * for which a peer takes its bytes through a window smaller than one segment, and ends such
 * connections however steadily they are read.
 */
public final class StallGuard {

    private static final long LEAST_NANOS = Duration.ofMillis(100).toNanos();
    private static final long MOST_NANOS = Duration.ofSeconds(10).toNanos();
    private static final int LOOKS = 8;

    /** Bytes that the kernel may hold for a peer, where it does not tell how many it does hold. */
    private static final int BLIND_BUFFER = 128 << 10;

    private final Channel channel;
    private final long stallNanos;
    private SentBytes sent = SentBytes.NONE;
    private long pending;
    private long progress;
    private @Nullable Object current;
    private long since = System.nanoTime();

    private StallGuard(Channel channel, Duration stall) {
        this.channel = channel;
        this.stallNanos = stall.toNanos();
    }

    /**
     * Watches a connection until it closes.
     *
     * @param stall how long the peer may take nothing; soon after that the connection is reset
     */
    public static void watch(Channel channel, Duration stall) {
        if (!SentBytes.isKnown(channel)) {
            channel.config().setOption(ChannelOption.SO_SNDBUF, BLIND_BUFFER);
        }
        StallGuard guard = new StallGuard(channel, stall);
        long interval = Math.clamp(stall.toNanos() / LOOKS, LEAST_NANOS, MOST_NANOS);
        Future<?> looking =
                channel.eventLoop()
                        .scheduleWithFixedDelay(
                                guard::look, interval, interval, TimeUnit.NANOSECONDS);
        var _ = channel.closeFuture().addListener(closed -> looking.cancel(false));
    }

    private void look() {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        if (buffer == null) {
            return; // closed
        }
        long now = System.nanoTime();
        if (hasMoved(buffer)) {
            since = now;
        } else if (now - since >= stallNanos) {
            reset();
        }
    }

    /** Whether something has gone since the last look, or nothing waits. */
    @SuppressWarnings("ReferenceEquality") // is it the same buffer that is on its way
    private boolean hasMoved(ChannelOutboundBuffer buffer) {
        long waiting = buffer.totalPendingWriteBytes();
        long gone = buffer.currentProgress();
        Object first = buffer.current();
        SentBytes now = SentBytes.of(channel);
        boolean moved =
                waiting != pending || gone != progress || first != current || !now.equals(sent);
        pending = waiting;
        progress = gone;
        current = first;
        sent = now;
        return moved || (waiting == 0 && !now.isWaiting());
    }

    /** Drops what the kernel holds, too: nobody is going to take it. */
    private void reset() {
        channel.config().setOption(ChannelOption.SO_LINGER, 0);
        var _ = channel.close();
    }
}
