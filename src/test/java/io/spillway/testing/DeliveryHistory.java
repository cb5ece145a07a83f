package io.spillway.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * How a receiver treats the requests of a delivery, by chance, and whether what came is what was to
 * come: each row once, once repeats are dropped by their ids, and repeats alike to the byte.
 */
public final class DeliveryHistory implements Function<Received, Reply> {

    private static final JsonMapper MAPPER = new JsonMapper();
    private static final String ID = "idempotency-key";

    private final Random random;

    /** Requests that were answered with success, by their numbers. */
    private final Set<Integer> acknowledged = ConcurrentHashMap.newKeySet();

    /** Batches that are too large, whenever they come. */
    private final Map<String, Boolean> tooLarge = new HashMap<>();

    private volatile boolean hurries;

    public DeliveryHistory(long seed) {
        this.random = new Random(seed);
    }

    /** Answers at once from now on, and with success. */
    public void hurry() {
        hurries = true;
    }

    @Override
    public synchronized Reply apply(Received request) {
        String id = Objects.requireNonNull(request.header(ID));
        int rows = Integer.parseInt(Objects.requireNonNull(request.header("spillway-row-count")));
        if (rows > 1 && tooLarge.computeIfAbsent(id, key -> random.nextInt(50) == 0)) {
            return Reply.status(413);
        }
        int chance = hurries ? 100 : random.nextInt(100);
        if (chance < 3) {
            return Reply.status(503);
        }
        if (chance < 5) {
            return Reply.reset();
        }
        if (chance < 6) {
            return Reply.status(429).header("Retry-After", "1");
        }
        Reply success =
                Reply.status(200).after(Duration.ofMillis(hurries ? 0 : random.nextInt(100)));
        return line -> {
            success.send(line);
            acknowledged.add(request.number());
        };
    }

    /**
     * Fails unless each row came, once, and nothing else.
     *
     * @param key column of the rows that tells one from another
     * @param rows its values
     */
    public void check(List<Received> requests, String key, List<Long> rows) {
        Map<String, byte[]> bodies = new HashMap<>();
        Set<String> taken = new HashSet<>();
        for (Received request : requests) {
            String id = Objects.requireNonNull(request.header(ID));
            byte[] first = bodies.putIfAbsent(id, request.body());
            assertThat(first == null || Arrays.equals(first, request.body()))
                    .as("requests of batch %s have the same bytes", id)
                    .isTrue();
            if (acknowledged.contains(request.number())) {
                taken.add(id);
            }
        }
        List<Long> found = new ArrayList<>();
        taken.forEach(id -> found.addAll(values(Objects.requireNonNull(bodies.get(id)), key)));
        found.sort(null);
        assertThat(found).isEqualTo(rows);
    }

    private static List<Long> values(byte @Nullable [] body, String key) {
        List<Long> values = new ArrayList<>();
        MAPPER.readTree(body).forEach(row -> values.add(row.required(key).longValue()));
        return values;
    }

    /** Requests whose batch had been answered with success before. */
    public int repeatedThoughAcknowledged(List<Received> requests) {
        Set<String> before = new HashSet<>();
        int repeated = 0;
        for (Received request : requests) {
            String id = Objects.requireNonNull(request.header(ID));
            if (before.contains(id)) {
                repeated++;
            }
            if (acknowledged.contains(request.number())) {
                before.add(id);
            }
        }
        return repeated;
    }
}
