package io.spillway.web;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Compresses bodies by {@code Accept-Encoding} (RFC 9110, section 12.5.3), a buffer at a time as
 * the reader takes them, on threads of its own: compression would keep an event loop from its other
 * connections. Each buffer is flushed, so that nothing is held back.
 */
final class Compression implements AutoCloseable {

    /** A compressor has up to a megabyte. While so many are at work, further bodies go plain. */
    private static final int MOST = 128;

    /** Smaller bodies of known length are not worth it. */
    private static final long WORTHWHILE_BYTES = 2_048;

    private final Semaphore permits = new Semaphore(MOST);
    private final ExecutorService threads;
    private final Scheduler scheduler;

    /**
     * Starts its threads when they are needed.
     *
     * @param parallelism number of threads
     */
    Compression(int parallelism) {
        ThreadFactory factory = Thread.ofPlatform().daemon().name("compression-", 0).factory();
        threads = Executors.newFixedThreadPool(parallelism, factory);
        scheduler = new SteadyScheduler(threads);
    }

    /** A content coding. */
    enum Coding {
        ZSTD,
        GZIP;

        private Compressor compressor() {
            return switch (this) {
                case ZSTD -> new ZstdCompressor();
                case GZIP -> new GzipCompressor();
            };
        }

        /** The strong validator of a body in this coding, which is another one than uncoded. */
        private String etag(String uncoded) {
            return uncoded.substring(0, uncoded.length() - 1) + "-" + word() + "\"";
        }

        private String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        private boolean isNamed(String name) {
            return name.equals(word()) || (this == GZIP && name.equals("x-gzip"));
        }
    }

    /**
     * The body, compressed if the client wants that; sets the headers that tell so, a validator
     * that is there among them.
     *
     * @param length the body's length, or -1 if it is a stream
     */
    Flux<DataBuffer> apply(
            Flux<DataBuffer> body,
            long length,
            ServerHttpRequest request,
            ServerHttpResponse response) {
        HttpHeaders headers = response.getHeaders();
        headers.add(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING);
        Coding coding = wanted(request.getHeaders().get(HttpHeaders.ACCEPT_ENCODING));
        boolean worthwhile = length < 0 || length >= WORTHWHILE_BYTES;
        if (coding == null || !worthwhile) {
            return body;
        }
        // When somebody takes the body, which is before the headers are sent: nobody may come.
        return Flux.defer(
                () -> {
                    if (!permits.tryAcquire()) {
                        return body;
                    }
                    headers.set(HttpHeaders.CONTENT_ENCODING, coding.word());
                    String etag = headers.getETag();
                    if (etag != null) {
                        headers.setETag(coding.etag(etag));
                    }
                    headers.remove(HttpHeaders.CONTENT_LENGTH);
                    return compressed(body, coding);
                });
    }

    /** Gives its permit back in the end. */
    private Flux<DataBuffer> compressed(Flux<DataBuffer> body, Coding coding) {
        return Flux.using(
                coding::compressor,
                compressor ->
                        Unwanted.released(
                                body.publishOn(scheduler, 1)
                                        .map(compressor::add)
                                        .concatWith(Mono.fromSupplier(compressor::finish))),
                compressor -> {
                    compressor.close();
                    permits.release();
                });
    }

    /**
     * Whether a client's validator is that of a body, in whatever coding it had it: the weak
     * comparison of RFC 9110, section 8.8.3.2.
     *
     * @param etag of the body uncoded
     */
    static boolean isValidator(String known, String etag) {
        String strong = known.startsWith("W/") ? known.substring(2) : known;
        return strong.equals(etag)
                || Arrays.stream(Coding.values()).anyMatch(c -> strong.equals(c.etag(etag)));
    }

    /** The coding that is wanted most, or null if none is. */
    static @Nullable Coding wanted(@Nullable List<String> acceptEncoding) {
        if (acceptEncoding == null) {
            return null;
        }
        Coding best = null;
        double bestQuality = 0;
        for (Coding coding : Coding.values()) {
            double quality = quality(coding, acceptEncoding);
            if (quality > bestQuality) {
                best = coding;
                bestQuality = quality;
            }
        }
        return best;
    }

    private static double quality(Coding coding, List<String> lines) {
        double any = 0;
        for (String line : lines) {
            for (String element : line.split(",", -1)) {
                String[] parts = element.split(";", -1);
                String name = parts[0].strip().toLowerCase(Locale.ROOT);
                if (coding.isNamed(name)) {
                    return weight(parts);
                }
                if (name.equals("*")) {
                    any = weight(parts);
                }
            }
        }
        return any;
    }

    /** The weight behind a name: 1 if none is given, 0 if it cannot be read. */
    private static double weight(String[] parts) {
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].strip().toLowerCase(Locale.ROOT);
            if (parameter.startsWith("q=")) {
                try {
                    return Double.parseDouble(parameter.substring(2).strip());
                } catch (NumberFormatException e) {
                    return 0;
                }
            }
        }
        return 1;
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}
