package io.spillway.delivery.http;

import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** What tests of the sender send. */
final class Posts {

    static final int RESPONSE_LIMIT = 64 << 10;
    static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

    /** Lets requests go to this machine. */
    static final TargetRules LOCAL = new TargetRules(true, List.of("127.0.0.0/8"));

    static final Secrets NO_SECRETS = _ -> null;

    private Posts() {}

    static Endpoint endpoint(URI uri) {
        return endpoint(uri, Duration.ofSeconds(10));
    }

    static Endpoint endpoint(URI uri, Duration timeout) {
        return new Endpoint(uri, "POST", Map.of(), new Authentication.None(), false, timeout);
    }

    static Endpoint endpoint(URI uri, Authentication authentication) {
        return new Endpoint(uri, "POST", Map.of(), authentication, false, Duration.ofSeconds(10));
    }

    static Post post(String body) {
        return post(List.of(ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8))));
    }

    static Post post(List<ByteBuffer> body) {
        return new Post("d1.96.96", "d1", 96, 96, 3, "application/json", body, TRACE);
    }

    /** Printable text that does not compress to nothing. */
    static byte[] text(int bytes, long seed) {
        Random random = new Random(seed);
        byte[] text = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            text[i] = (byte) ('a' + random.nextInt(16));
        }
        return text;
    }

    static ByteBuffer direct(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    /** The bytes as direct, heap, read-only and sliced buffers in turns. */
    static List<ByteBuffer> parts(byte[] bytes, int pieces) {
        int length = bytes.length / pieces;
        ByteBuffer[] parts = new ByteBuffer[pieces];
        for (int i = 0; i < pieces; i++) {
            int end = i == pieces - 1 ? bytes.length : (i + 1) * length;
            byte[] piece = Arrays.copyOfRange(bytes, i * length, end);
            parts[i] =
                    switch (i % 4) {
                        case 0 -> direct(piece);
                        case 1 -> ByteBuffer.wrap(bytes, i * length, end - i * length);
                        case 2 -> direct(piece).asReadOnlyBuffer();
                        default -> ByteBuffer.wrap(piece).asReadOnlyBuffer();
                    };
        }
        return List.of(parts);
    }

    static Answer answer(Exchange exchange) throws Exception {
        return exchange.answer().get(30, TimeUnit.SECONDS);
    }

    static Answer send(Sender sender, Endpoint endpoint, Post post) throws Exception {
        return answer(sender.send(endpoint, post, RESPONSE_LIMIT));
    }
}
