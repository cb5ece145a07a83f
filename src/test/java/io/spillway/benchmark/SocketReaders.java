package io.spillway.benchmark;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Thousands of readers of one resource over bare sockets, in one thread. Each reads as many bytes
 * as it is allowed to and then not one more, until it is allowed more: so the same class makes
 * readers that stall and readers that take their time.
 *
 * <p>An answer other than a 200 is a refusal: the connection is closed and, after a pause, tried
 * again. A connection that ends after its 200 is one that was dropped.
 */
final class SocketReaders implements AutoCloseable {

    /** Files that the client needs beside its sockets. */
    private static final int OTHER_FILES = 200;

    private static final int AT_ONCE = 64;
    private static final long PAUSE_NANOS = 200_000_000L;
    private static final byte[] OK = "HTTP/1.1 200".getBytes(StandardCharsets.US_ASCII);

    private final InetSocketAddress address;
    private final byte[] request;
    private final int receiveBuffer;
    private final Selector selector;
    private final Thread thread;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
    private final List<Reader> readers = new ArrayList<>();
    private final AtomicInteger wanted = new AtomicInteger();
    private final AtomicLong allowance = new AtomicLong();
    private final AtomicInteger satisfied = new AtomicInteger();
    private final AtomicInteger refusals = new AtomicInteger();
    private final AtomicInteger dropped = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private volatile boolean stop;
    private volatile @Nullable IOException failure;

    /**
     * @param allowance bytes that each reader may take at first
     * @param receiveBuffer bytes that the kernel may hold for each reader
     */
    SocketReaders(int port, String target, String accept, long allowance, int receiveBuffer)
            throws IOException {
        address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        request =
                "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAccept: %s\r\n\r\n"
                        .formatted(target, port, accept)
                        .getBytes(StandardCharsets.US_ASCII);
        this.allowance.set(allowance);
        this.receiveBuffer = receiveBuffer;
        selector = Selector.open();
        thread = Thread.ofPlatform().name("readers").start(this::run);
    }

    /**
     * Fails with a sentence that helps if a process may not open as many files.
     *
     * @param pid the process, or "self"
     */
    static void checkFileLimit(String pid, int sockets) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc", pid, "limits"))) {
            if (line.startsWith("Max open files")) {
                String soft = line.substring("Max open files".length()).strip().split(" ", 2)[0];
                if (!soft.equals("unlimited") && Long.parseLong(soft) < sockets + OTHER_FILES) {
                    throw new IOException(
                            "Process %s may open %s files, and %d sockets are needed: raise the limit with ulimit -n"
                                    .formatted(pid, soft, sockets));
                }
            }
        }
    }

    /** Opens further readers; returns once all have used up what they may take. */
    void open(int count, long patienceMillis) throws IOException {
        wanted.addAndGet(count);
        selector.wakeup();
        awaitSatisfied(patienceMillis);
    }

    /** Allows each reader further bytes. */
    void allow(long more) {
        allowance.addAndGet(more);
        selector.wakeup();
    }

    /** Waits until each reader that is left has taken all that it may. */
    void awaitSatisfied(long patienceMillis) throws IOException {
        long end = System.nanoTime() + patienceMillis * 1_000_000;
        while (satisfied.get() + dropped.get() < wanted.get()) {
            IOException failed = failure;
            if (failed != null) {
                throw failed;
            }
            if (System.nanoTime() > end) {
                throw new IOException(
                        "%d of %d readers got what they asked for, %d were dropped, %d were refused at first"
                                .formatted(
                                        satisfied.get(),
                                        wanted.get(),
                                        dropped.get(),
                                        refusals.get()));
            }
            Pause.millis(10);
        }
    }

    /** Connections that ended after their 200. */
    int dropped() {
        return dropped.get();
    }

    /** Answers other than a 200. */
    int refusals() {
        return refusals.get();
    }

    /** Bytes that all took together. */
    long bytes() {
        return bytes.get();
    }

    private void run() {
        try (selector) {
            while (!stop) {
                connect();
                selector.select(20);
                wake();
                for (Iterator<SelectionKey> i = selector.selectedKeys().iterator(); i.hasNext(); ) {
                    SelectionKey key = i.next();
                    i.remove();
                    ((Reader) key.attachment()).ready();
                }
            }
            for (Reader reader : readers) {
                reader.channel.close();
            }
        } catch (IOException e) {
            failure = e;
        }
    }

    /** Some at a time, so that the line of those who wait to be accepted does not overflow. */
    private void connect() throws IOException {
        int connecting = (int) readers.stream().filter(r -> r.taken == 0).count();
        while (connecting < AT_ONCE && readers.size() < wanted.get()) {
            readers.add(new Reader());
            connecting++;
        }
        long now = System.nanoTime();
        for (Reader reader : readers) {
            if (reader.retryAt != 0 && now >= reader.retryAt) {
                reader.open();
            }
        }
    }

    /** Those that may read on again. */
    private void wake() {
        long limit = allowance.get();
        for (Reader reader : readers) {
            if (reader.resting && reader.taken < limit) {
                reader.resting = false;
                satisfied.decrementAndGet();
                reader.key.interestOps(SelectionKey.OP_READ);
            }
        }
    }

    private final class Reader {

        private SocketChannel channel;
        private SelectionKey key;
        private long taken;
        private boolean resting;
        private long retryAt;

        Reader() throws IOException {
            channel = SocketChannel.open();
            key = connect();
        }

        void open() throws IOException {
            retryAt = 0;
            channel = SocketChannel.open();
            key = connect();
        }

        private SelectionKey connect() throws IOException {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.SO_RCVBUF, receiveBuffer);
            channel.connect(address);
            return channel.register(selector, SelectionKey.OP_CONNECT, this);
        }

        void ready() throws IOException {
            if (key.isConnectable()) {
                channel.finishConnect();
                // A request of some hundred bytes fits into any socket's buffer.
                channel.write(ByteBuffer.wrap(request));
                key.interestOps(SelectionKey.OP_READ);
            } else if (key.isReadable()) {
                read();
            }
        }

        private void read() throws IOException {
            buffer.clear();
            buffer.limit((int) Math.min(buffer.capacity(), allowance.get() - taken));
            int count = receive();
            if (count < 0) {
                key.cancel();
                channel.close();
                dropped.incrementAndGet();
                return;
            }
            if (taken == 0 && !isOk(count)) {
                key.cancel();
                channel.close();
                refusals.incrementAndGet();
                retryAt = System.nanoTime() + PAUSE_NANOS;
                return;
            }
            taken += count;
            bytes.addAndGet(count);
            if (taken == allowance.get()) {
                resting = true;
                satisfied.incrementAndGet();
                key.interestOps(0);
            }
        }

        /** Bytes received, or -1 at an end of any kind. */
        private int receive() {
            try {
                return channel.read(buffer);
            } catch (IOException e) {
                return -1;
            }
        }

        private boolean isOk(int count) {
            for (int i = 0; i < OK.length; i++) {
                if (i >= count || buffer.get(i) != OK[i]) {
                    return false;
                }
            }
            return true;
        }
    }

    /** All leave, each with a FIN, or a RST if bytes for it are left. */
    @Override
    public void close() throws IOException {
        stop = true;
        selector.wakeup();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        IOException failed = failure;
        if (failed != null) {
            throw failed;
        }
    }
}
