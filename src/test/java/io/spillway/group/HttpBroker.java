package io.spillway.group;

import io.spillway.testing.Groups;
import io.spillway.testing.HttpAnswer;
import io.spillway.testing.HttpCaller;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/**
 * Speaks to a group over HTTP, at any of some replicas. Who gets no answer, or is told that the
 * service is not available, asks again elsewhere.
 */
final class HttpBroker implements Broker {

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final List<Groups> replicas;

    /**
     * @param replicas calls against each of them
     */
    HttpBroker(List<HttpCaller> replicas, String job, String group) {
        this.replicas = replicas.stream().map(http -> new Groups(http, job, group)).toList();
    }

    @Override
    public Optional<List<Held>> claim(String reader, int batches, Duration life) {
        HttpAnswer answer = ask(group -> group.ask(reader, batches, ""));
        return switch (answer.status()) {
            case 200 -> Optional.of(Groups.leases(answer).stream().map(HttpBroker::held).toList());
            case 204 -> Optional.of(List.of());
            case 410 -> Optional.empty();
            default -> throw new AssertionError(answer.toString());
        };
    }

    private static Held held(JsonNode lease) {
        return new Held(
                lease.required("firstRow").longValue(),
                lease.required("rowCount").longValue(),
                lease.required("epoch").longValue(),
                lease);
    }

    /** The rows of a batch, one a line. */
    List<String> rows(Held held) {
        HttpAnswer answer = ask(group -> group.askRows((JsonNode) held.token()));
        if (answer.status() != 200) {
            throw new AssertionError(answer.toString());
        }
        return answer.text().lines().toList();
    }

    @Override
    public boolean renew(Held held, Duration life) {
        return counts(held, "renew", 200);
    }

    @Override
    public boolean commit(Held held) {
        return counts(held, "commit", 204);
    }

    @Override
    public boolean release(Held held) {
        return counts(held, "release", 204);
    }

    private boolean counts(Held held, String action, int status) {
        HttpAnswer answer = ask(group -> group.use((JsonNode) held.token(), action));
        if (answer.status() != status && answer.status() != 409) {
            throw new AssertionError(answer.toString());
        }
        return answer.status() == status;
    }

    private HttpAnswer ask(Function<Groups, HttpAnswer> call) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        int replica = ThreadLocalRandom.current().nextInt(replicas.size());
        while (true) {
            try {
                HttpAnswer answer = call.apply(replicas.get(replica));
                if (answer.status() != 503 && answer.status() != 429) {
                    return answer;
                }
            } catch (RuntimeException e) {
                if (System.nanoTime() > end) {
                    throw e;
                }
            }
            replica = (replica + 1) % replicas.size();
            LockSupport.parkNanos(100_000_000);
        }
    }
}
