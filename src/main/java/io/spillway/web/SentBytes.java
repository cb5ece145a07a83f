package io.spillway.web;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.RawUnixChannelOption;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * How far the bytes of a connection have come that the kernel has taken, as Linux tells of it.
 *
 * @param acknowledged bytes that the peer has acknowledged
 * @param isWaiting whether there are others, sent or not
 * @see <a href="https://github.com/torvalds/linux/blob/master/include/uapi/linux/tcp.h">struct
 *     tcp_info</a>
 */
record SentBytes(long acknowledged, boolean isWaiting) {

    /** Of a connection that nothing is known of. */
    static final SentBytes NONE = new SentBytes(0, false);

    private static final int IPPROTO_TCP = 6;
    private static final int TCP_INFO = 11;

    private static final int UNACKED = 24;
    private static final int BYTES_ACKED = 120;
    private static final int NOTSENT_BYTES = 144;
    private static final int LENGTH = NOTSENT_BYTES + Integer.BYTES;

    private static final RawUnixChannelOption OPTION =
            new RawUnixChannelOption("TCP_INFO", IPPROTO_TCP, TCP_INFO, LENGTH);

    /** Whether anything can be known of the connection. */
    static boolean isKnown(Channel channel) {
        return channel instanceof EpollSocketChannel;
    }

    /** Of a connection now. */
    static SentBytes of(Channel channel) {
        if (!isKnown(channel)) {
            return NONE;
        }
        ByteBuffer info;
        try {
            info = channel.config().getOption(OPTION);
        } catch (ChannelException e) {
            return NONE; // has just ended
        }
        info.order(ByteOrder.nativeOrder());
        return new SentBytes(
                info.getLong(BYTES_ACKED),
                info.getInt(UNACKED) != 0 || info.getInt(NOTSENT_BYTES) != 0);
    }
}
