package io.spillway.web;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollSocketChannel;

/**
 * How far the network may fall behind a stream: what is made ahead of a reader makes it fast, and
 * costs memory once it takes nothing.
 */
enum Pace {
    /** Rows for programs that take them as fast as they come. */
    ROWS(128 << 10, 256L << 10),

    /** Events, which thousands of readers may wait for at once: one chunk each. */
    EVENTS(1, 16L << 10);

    private final long windowBytes;
    private final long unsentBytes;

    Pace(long windowBytes, long unsentBytes) {
        this.windowBytes = windowBytes;
        this.unsentBytes = unsentBytes;
    }

    /** Bytes under way to the reader below which a further chunk is asked for. */
    long windowBytes() {
        return windowBytes;
    }

    /**
     * Has the kernel take so much beyond what is on its way already. Without a limit it takes
     * megabytes for each reader that takes nothing. (A small send buffer is no replacement: where
     * one segment is larger than it, as on the loopback interface, sender and receiver wait for
     * each other, some forty milliseconds a time.)
     */
    void set(Channel channel) {
        if (channel instanceof EpollSocketChannel) {
            try {
                var _ =
                        channel.config()
                                .setOption(EpollChannelOption.TCP_NOTSENT_LOWAT, unsentBytes);
            } catch (ChannelException e) {
                if (channel.isOpen()) {
                    throw e;
                }
                // Closed meanwhile: then nothing will be sent.
            }
        }
    }
}
