package io.spillway.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Exports of a running service, as a client sees them. */
public final class Exports {

    private static final String JSON = "application/json";
    private static final JsonMapper MAPPER = new JsonMapper();

    /** No export of a test takes longer. */
    private static final Duration LONGEST = Duration.ofSeconds(90);

    private final HttpCaller http;

    public Exports(HttpCaller http) {
        this.http = http;
    }

    /** The answer to an export, whatever its status. */
    public HttpAnswer ask(String job, Object path, Map<String, ?> more) {
        Map<String, Object> body = new LinkedHashMap<>(more);
        body.put("job", job);
        body.put("path", path.toString());
        return http.post("/v1/exports", JSON, MAPPER.writeValueAsString(body));
    }

    /** Begins an export; gives its id. */
    public String begin(String job, Object path, Map<String, ?> more) {
        HttpAnswer answer = ask(job, path, more);
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return MAPPER.readTree(answer.text()).required("id").stringValue();
    }

    /** An export's document. */
    public JsonNode document(String id) {
        HttpAnswer answer = http.get("/v1/exports/" + id, JSON);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return MAPPER.readTree(answer.text());
    }

    /** An export's document once it has come to its end. */
    public JsonNode ended(String id) {
        await().atMost(LONGEST)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> document(id).has("endedAt"));
        return document(id);
    }

    /** Exports, and fails unless that is completed. */
    public JsonNode completed(String job, Object path, Map<String, ?> more) {
        JsonNode document = ended(begin(job, path, more));
        assertThat(document.required("state").stringValue())
                .as(document.toString())
                .isEqualTo("COMPLETED");
        return document;
    }

    /** All that is below a folder, hidden or not. */
    public static List<String> tree(Path folder) {
        try (Stream<Path> tree = Files.walk(folder)) {
            return tree.filter(path -> !path.equals(folder))
                    .map(path -> folder.relativize(path).toString())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
