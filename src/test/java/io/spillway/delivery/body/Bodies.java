package io.spillway.delivery.body;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.job.Job;
import io.spillway.job.JobService;
import io.spillway.memory.MemoryPool;
import io.spillway.plan.document.BatchShape;
import io.spillway.plan.document.BodyFormat;
import io.spillway.plan.document.JsonValue;
import io.spillway.testing.SpillwayServer;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Bodies of the jobs of a server. */
final class Bodies {

    private static final JsonFactory FACTORY = new JsonFactory();

    /** A body as it is sent, and which rows it has. */
    record Sent(long firstRow, long rows, @Nullable String reason, ByteBuffer body) {

        byte[] bytes() {
            byte[] bytes = new byte[body.remaining()];
            body.get(body.position(), bytes);
            return bytes;
        }

        String text() {
            return new String(bytes(), StandardCharsets.UTF_8);
        }

        /** The same of a batch that was cut before. */
        Sent withoutReason() {
            return new Sent(firstRow, rows, null, body);
        }
    }

    private final SpillwayServer server;

    Bodies(SpillwayServer server) {
        this.server = server;
    }

    Job job(String id) {
        return server.bean("jobService", JobService.class).toRead("anonymous", id);
    }

    BodyForm form(String job, @Nullable String template, BodyFormat format, BatchShape shape) {
        return BodyForm.of(
                template == null ? null : json(template), format, job(job).plan().schema(), shape);
    }

    BodyReader reader(String job, BodyForm form) {
        return reader(job, form, null);
    }

    BodyReader reader(String job, BodyForm form, @Nullable Links links) {
        return new BodyReader(
                server.bean("jobService", JobService.class),
                job(job),
                form,
                server.bean("waiting", ExecutorService.class),
                links);
    }

    static BatchShape rows(long rows) {
        return new BatchShape(rows, null, null, false);
    }

    /** All bodies from a row on. */
    static List<Sent> rest(BodyReader reader, long firstRow, int most) throws Exception {
        List<Sent> all = new ArrayList<>();
        long next = firstRow;
        while (all.size() < most) {
            Sent sent = sent(reader.next(next));
            if (sent == null) {
                break;
            }
            all.add(sent);
            next = sent.firstRow() + sent.rows();
        }
        return all;
    }

    /** The body, closed; null if there is none. */
    static @Nullable Sent sent(CompletableFuture<BodyRead> asked) throws Exception {
        return switch (asked.get(60, TimeUnit.SECONDS)) {
            case Body body -> {
                try (body) {
                    byte[] bytes = bytes(body);
                    assertThat(bytes).hasSize((int) body.bytes());
                    yield new Sent(
                            body.cut().firstRow(),
                            body.cut().rows(),
                            body.cut().shortReason() == null
                                    ? null
                                    : body.cut().shortReason().word(),
                            ByteBuffer.wrap(bytes));
                }
            }
            case NoRows() -> null;
            case BadBody bad -> throw new AssertionError(bad.cut().toString(), bad.reason());
        };
    }

    static byte[] bytes(Body body) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (ByteBuffer part : body.parts()) {
            byte[] some = new byte[part.remaining()];
            part.get(some);
            out.writeBytes(some);
        }
        return out.toByteArray();
    }

    /** Waits until nothing is held any more. */
    void assertNothingHeld() {
        MemoryPool memory = server.bean("memory", MemoryPool.class);
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .untilAsserted(
                        () -> {
                            assertThat(memory.held()).isZero();
                            assertThat(memory.seated()).isZero();
                            assertThat(memory.admitted()).isZero();
                        });
    }

    /** A document, numbers as they are written. */
    static JsonValue json(String text) {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
            return value(parser, parser.nextToken());
        }
    }

    private static JsonValue value(JsonParser parser, JsonToken token) {
        return switch (token) {
            case START_OBJECT -> {
                JsonValue.Obj object = new JsonValue.Obj();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = parser.currentName();
                    object.members().put(name, value(parser, parser.nextToken()));
                }
                yield object;
            }
            case START_ARRAY -> {
                JsonValue.Arr array = new JsonValue.Arr();
                for (JsonToken next = parser.nextToken();
                        next != JsonToken.END_ARRAY;
                        next = parser.nextToken()) {
                    array.items().add(value(parser, next));
                }
                yield array;
            }
            case VALUE_STRING -> new JsonValue.Str(parser.getString());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new JsonValue.Num(parser.getString());
            case VALUE_TRUE -> new JsonValue.Bool(true);
            case VALUE_FALSE -> new JsonValue.Bool(false);
            case VALUE_NULL -> new JsonValue.Null();
            default -> throw new AssertionError(token);
        };
    }
}
