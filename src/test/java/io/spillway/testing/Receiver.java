package io.spillway.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP server over real sockets that stores every request and then answers, or misbehaves, as it
 * is told: by {@link #then replies for the next requests}, after them by {@link #by a rule}. It
 * answers 200 to whoever has told it nothing.
 *
 * <p>Requests are stored once their body is complete and before anything of the answer is sent.
 */
public final class Receiver implements AutoCloseable {

    private final ServerSocket listener;
    private final String scheme;
    private final Set<ReceiverLine> lines = ConcurrentHashMap.newKeySet();
    private final AtomicInteger connections = new AtomicInteger();
    private final List<Received> requests = new ArrayList<>();
    private final Queue<Reply> next = new ConcurrentLinkedQueue<>();
    private volatile Function<Received, Reply> rule = _ -> Reply.status(200);
    private volatile int bytesPerSecond;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean deaf;
    private volatile @Nullable Reply early;
    private volatile boolean keepsBodies = true;

    private Receiver(ServerSocket listener, String scheme) {
        this.listener = listener;
        this.scheme = scheme;
        Thread.ofVirtual().name("receiver").start(this::listen);
    }

    /** On a free port of the loopback interface. */
    public static Receiver start() throws IOException {
        return new Receiver(new ServerSocket(0, 1000, InetAddress.getLoopbackAddress()), "http");
    }

    /** On a free port of all interfaces: every loopback address is then an endpoint of its own. */
    public static Receiver startEverywhere() throws IOException {
        return new Receiver(new ServerSocket(0, 1000), "http");
    }

    /** The same with TLS, on the loopback interface. */
    public static Receiver start(SSLContext tls) throws IOException {
        ServerSocket listener = tls.getServerSocketFactory().createServerSocket();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1000);
        return new Receiver(listener, "https");
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** A URL of this receiver, by the address 127.0.0.1. */
    public URI uri(String path) {
        return uri("127.0.0.1", path);
    }

    /** A URL of this receiver, by another name or address. */
    public URI uri(String host, String path) {
        return URI.create(scheme + "://" + host + ":" + port() + path);
    }

    /** What to do with the next requests, one each, in the order in which their bodies end. */
    public Receiver then(Reply... replies) {
        next.addAll(List.of(replies));
        return this;
    }

    /** What to do with requests for which nothing else is said. */
    public Receiver by(Function<Received, Reply> answer) {
        rule = answer;
        return this;
    }

    /** What to do with requests for which nothing else is said. */
    public Receiver always(Reply reply) {
        return by(_ -> reply);
    }

    /** Takes so many bytes a second over each connection made from now on; 0 for all there are. */
    public Receiver slowly(int bytesEachSecond) {
        bytesPerSecond = bytesEachSecond;
        return this;
    }

    /** Accepts connections from now on, and reads nothing from them. */
    public Receiver deaf() {
        deaf = true;
        return this;
    }

    /** Replies from now on once the head of a request has come, and reads nothing more. */
    public Receiver early(Reply reply) {
        early = reply;
        return this;
    }

    /** Stores requests without their bodies from now on. */
    public Receiver withoutBodies() {
        keepsBodies = false;
        return this;
    }

    /** All requests so far. */
    public List<Received> requests() {
        synchronized (requests) {
            return List.copyOf(requests);
        }
    }

    /** The only request so far. */
    public Received only() {
        List<Received> all = requests();
        if (all.size() != 1) {
            throw new AssertionError("one request was expected and " + all.size() + " came");
        }
        return all.getFirst();
    }

    /** Connections accepted so far. */
    public int connections() {
        return connections.get();
    }

    /** Connections that neither side has ended, as far as this side has noticed. */
    public int openConnections() {
        return lines.size();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        closed.countDown();
        for (ReceiverLine line : lines) {
            line.close();
        }
    }

    private void listen() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                int number = connections.getAndIncrement();
                Thread.ofVirtual().name("receiver-" + number).start(() -> serve(socket, number));
            } catch (IOException e) {
                // Closed, or the client was gone before it was accepted.
            }
        }
    }

    private void serve(Socket socket, int number) {
        try (socket) {
            socket.setTcpNoDelay(true);
            ReceiverLine line = new ReceiverLine(socket, number, bytesPerSecond);
            lines.add(line);
            try {
                serve(line);
            } finally {
                lines.remove(line);
            }
        } catch (IOException | InterruptedException e) {
            // The client has gone, or this receiver is closed.
        }
    }

    private void serve(ReceiverLine line) throws IOException, InterruptedException {
        if (deaf) {
            closed.await();
        }
        while (!line.closed()) {
            Reply first = early;
            Received request = store(first == null ? line.read(keepsBodies) : line.readHead());
            if (request == null) {
                return;
            }
            if (first != null) {
                first.send(line);
                closed.await();
            }
            Reply reply = next.poll();
            (reply == null ? rule.apply(request) : reply).send(line);
        }
    }

    private @Nullable Received store(@Nullable Received request) {
        if (request == null) {
            return null;
        }
        synchronized (requests) {
            Received numbered = request.numbered(requests.size());
            requests.add(numbered);
            return numbered;
        }
    }
}
