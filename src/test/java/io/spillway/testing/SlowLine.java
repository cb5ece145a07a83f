package io.spillway.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A line to a server of this machine over which every answer takes its time to begin, as over a
 * network. Counts what goes over it, and can be cut, or freeze.
 *
 * <p>A request is what a client sends after it has got a part of an answer, or first: true for HTTP
 * without pipelining.
 */
public final class SlowLine implements AutoCloseable {

    private static final int CHUNK = 64 << 10;

    private final ServerSocket listener;
    private final int target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicInteger peak = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong toCut = new AtomicLong(Long.MAX_VALUE);
    private volatile Duration latency;
    private volatile CountDownLatch open = new CountDownLatch(0);

    /** A line to a port of this machine. */
    public SlowLine(int target, Duration latency) throws IOException {
        this.target = target;
        this.latency = latency;
        this.listener = new ServerSocket(0, 1000, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::listen);
    }

    /** The port to speak to. */
    public int port() {
        return listener.getLocalPort();
    }

    /** How long an answer takes to begin, from now on. */
    public void latency(Duration answerAfter) {
        latency = answerAfter;
    }

    /** Requests so far. */
    public int requests() {
        return requests.get();
    }

    /** Bytes of answers so far. */
    public long bytes() {
        return bytes.get();
    }

    /** The most requests that ever waited for their answers at once. */
    public int peak() {
        return peak.get();
    }

    /** Cuts the connection that carries the answers' byte of this number from now on, once. */
    public void cutAfter(long answerBytes) {
        toCut.set(answerBytes);
    }

    /** Carries nothing from now on, though no connection ends; until it is closed. */
    public void freeze() {
        open = new CountDownLatch(1);
    }

    /** Forgets what was counted. */
    public void reset() {
        requests.set(0);
        peak.set(0);
        bytes.set(0);
    }

    private void listen() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                sockets.add(client);
                sockets.add(server);
                Connection connection = new Connection(client, server);
                Thread.ofVirtual().start(connection::requests);
                Thread.ofVirtual().start(connection::answers);
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private final class Connection {

        private final Socket client;
        private final Socket server;

        /** When the request under way began, or 0 if its answer has begun. */
        private final AtomicLong asked = new AtomicLong();

        Connection(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void requests() {
            byte[] chunk = new byte[CHUNK];
            try (client;
                    server) {
                InputStream in = client.getInputStream();
                OutputStream out = server.getOutputStream();
                for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
                    if (asked.compareAndSet(0, System.nanoTime())) {
                        requests.incrementAndGet();
                        peak.accumulateAndGet(underWay.incrementAndGet(), Math::max);
                    }
                    awaitOpen();
                    out.write(chunk, 0, n);
                }
            } catch (IOException e) {
                // One end has closed: so does the other.
            } finally {
                forget();
            }
        }

        void answers() {
            byte[] chunk = new byte[CHUNK];
            try (client;
                    server) {
                InputStream in = server.getInputStream();
                OutputStream out = client.getOutputStream();
                for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
                    long since = asked.getAndSet(0);
                    if (since != 0) {
                        Pauses.until(since + latency.toNanos());
                        underWay.decrementAndGet();
                    }
                    awaitOpen();
                    long left = toCut.addAndGet(-n);
                    if (left < 0 && left + n >= 0) {
                        toCut.set(Long.MAX_VALUE);
                        return;
                    }
                    bytes.addAndGet(n);
                    out.write(chunk, 0, n);
                }
            } catch (IOException e) {
                // One end has closed: so does the other.
            } finally {
                forget();
            }
        }

        private void awaitOpen() throws IOException {
            try {
                open.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException(e);
            }
        }

        private void forget() {
            sockets.remove(client);
            sockets.remove(server);
            if (asked.getAndSet(0) != 0) {
                underWay.decrementAndGet();
            }
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        open.countDown();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
