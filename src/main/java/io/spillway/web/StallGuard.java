package io.spillway.web;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection whose peer takes nothing: bytes wait for it, and for a whole while not one of
 * them has gone. What the bytes are, and whether whoever made them is still at work, does not
 * matter. A peer that takes a byte now and then stays.
 */
public final class StallGuard {

    private static final long LEAST_NANOS = Duration.ofMillis(100).toNanos();
    private static final long MOST_NANOS = Duration.ofSeconds(10).toNanos();
    private static final int LOOKS = 8;

    private final Channel channel;
    private final long stallNanos;
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
     * @param stall how long the peer may take nothing
     */
    public static void watch(Channel channel, Duration stall) {
        StallGuard guard = new StallGuard(channel, stall);
        long interval = Math.clamp(stall.toNanos() / LOOKS, LEAST_NANOS, MOST_NANOS);
        Future<?> looking =
                channel.eventLoop()
                        .scheduleWithFixedDelay(
                                guard::look, interval, interval, TimeUnit.NANOSECONDS);
        var _ = channel.closeFuture().addListener(closed -> looking.cancel(false));
    }

    @SuppressWarnings("ReferenceEquality") // is it the same buffer that is on its way
    private void look() {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        if (buffer == null) {
            return; // closed
        }
        long now = System.nanoTime();
        long waiting = buffer.totalPendingWriteBytes();
        long gone = buffer.currentProgress();
        Object first = buffer.current();
        if (waiting == 0 || waiting != pending || gone != progress || first != current) {
            pending = waiting;
            progress = gone;
            current = first;
            since = now;
        } else if (now - since >= stallNanos && !isSending()) {
            var _ = channel.close();
        }
    }

    /**
     * The kernel takes bytes by tens of kilobytes, and may be busy with the last ones for long: it
     * knows itself when it last sent any.
     */
    private boolean isSending() {
        return channel instanceof EpollSocketChannel socket
                && socket.tcpInfo().lastDataSent() < TimeUnit.NANOSECONDS.toMillis(stallNanos);
    }
}
