package io.spillway.testing;

import io.spillway.SpillwayApplication;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The service in this process, on a free port of the loopback interface, spoken to over HTTP.
 *
 * <pre>{@code
 * try (SpillwayServer server = SpillwayServer.builder().root(folder).start()) {
 *     List<String> rows = server.ndjson(plan);
 * }
 * }</pre>
 */
public final class SpillwayServer implements RowsClient, AutoCloseable {

    private static final String JSON = "application/json";
    private static final String NDJSON = "application/x-ndjson";
    private static final JsonMapper MAPPER = new JsonMapper();

    private final ConfigurableApplicationContext context;
    private final HttpCaller http;
    private final Path home;
    private final boolean ownsHome;

    private SpillwayServer(ConfigurableApplicationContext context, Path home, boolean ownsHome) {
        this.context = context;
        this.home = home;
        this.ownsHome = ownsHome;
        http = new HttpCaller(url());
    }

    /** Settings of a server to be started. */
    public static Builder builder() {
        return new Builder();
    }

    /** A server with the sample data sets, as README shows it. */
    public static SpillwayServer withSamples() {
        return samples().start();
    }

    /** One with the sample datasets that has not started. */
    public static Builder samples() {
        Path samples = Path.of("samples").toAbsolutePath();
        return builder()
                .root(samples)
                .dataset("flights", samples.resolve("flights-3m.parquet"))
                .dataset("airports", samples.resolve("airports.parquet"))
                .dataset("birdstrikes", samples.resolve("birdstrikes.parquet"))
                .dataset("zipcodes", samples.resolve("zipcodes.parquet"));
    }

    /** Scheme, host and port. */
    public String url() {
        return "http://127.0.0.1:" + port();
    }

    /** The port it listens on. */
    public int port() {
        return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    /** Calls against this server. */
    public HttpCaller http() {
        return http;
    }

    /** A bean of the running application. */
    public <T> T bean(String name, Class<T> type) {
        return context.getBean(name, type);
    }

    @Override
    public String submit(String plan) {
        HttpAnswer answer = http.post("/v1/jobs", JSON, "{\"plan\":" + plan + "}");
        expect(201, JSON, answer);
        return parse(answer.text()).required("id").stringValue();
    }

    @Override
    public List<String> ndjson(String plan) {
        return lines(http.post("/v1/rows", NDJSON, "{\"plan\":" + plan + "}"));
    }

    @Override
    public String page(String job, String query) {
        HttpAnswer answer = http.get("/v1/jobs/" + job + "/rows?" + query, JSON);
        expect(200, JSON, answer);
        return answer.text();
    }

    @Override
    public List<String> lines(String job, String query) {
        return lines(http.get("/v1/jobs/" + job + "/rows?" + query, NDJSON));
    }

    private static List<String> lines(HttpAnswer answer) {
        expect(200, NDJSON, answer);
        String text = answer.text();
        if (!text.isEmpty() && !text.endsWith("\n")) {
            throw new AssertionError("the last line has no end");
        }
        List<String> lines = new ArrayList<>();
        for (int from = 0; from < text.length(); ) {
            int end = text.indexOf('\n', from);
            lines.add(text.substring(from, end));
            from = end + 1;
        }
        String count = answer.trailer("Spillway-Row-Count").orElse("none");
        if (!count.equals(Integer.toString(lines.size()))) {
            throw new AssertionError(lines.size() + " rows, but the trailer says " + count);
        }
        return lines;
    }

    private static void expect(int status, String mediaType, HttpAnswer answer) {
        if (answer.status() != status || !answer.mediaType().equals(mediaType)) {
            throw new AssertionError(
                    "expected "
                            + status
                            + " "
                            + mediaType
                            + ", got "
                            + answer.status()
                            + " "
                            + answer.mediaType()
                            + ": "
                            + answer.text());
        }
    }

    private static JsonNode parse(String json) {
        return MAPPER.readTree(json);
    }

    /**
     * Stops the service; removes its home folder unless the caller gave one. Again does nothing.
     */
    @Override
    public void close() {
        context.close();
        if (ownsHome && Files.exists(home)) {
            deleteAll(home);
        }
    }

    private static void deleteAll(Path folder) {
        try (Stream<Path> tree = Files.walk(folder)) {
            for (Path p : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(p);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Collects settings; each start makes a server of its own. */
    public static final class Builder {

        private final Map<String, String> settings = new TreeMap<>();
        private int roots;
        private @Nullable Path home;

        private Builder() {
            set("server.port", "0");
            set("spring.main.banner-mode", "off");
        }

        /** Any setting, by its full name. */
        public Builder set(String name, String value) {
            settings.put(name, value);
            return this;
        }

        /** A folder whose files may be read. */
        public Builder root(Path folder) {
            return set("spillway.sources.roots[" + roots++ + "]", folder.toUri().toString());
        }

        /** A named Parquet data set. */
        public Builder dataset(String name, Path... files) {
            set("spillway.datasets." + name + ".format", "parquet");
            for (int i = 0; i < files.length; i++) {
                set("spillway.datasets." + name + ".paths[" + i + "]", files[i].toString());
            }
            return this;
        }

        /** A home folder that outlives the server, for a second start on it. */
        public Builder home(Path folder) {
            home = folder;
            return this;
        }

        /** Starts the service and waits until it listens. */
        public SpillwayServer start() {
            Path given = home;
            Path folder = given == null ? temporaryFolder() : given;
            Map<String, String> all = new TreeMap<>(settings);
            all.put("spillway.home", folder.toString());
            String[] arguments =
                    all.entrySet().stream()
                            .map(e -> "--" + e.getKey() + "=" + e.getValue())
                            .toArray(String[]::new);
            return new SpillwayServer(
                    new SpringApplicationBuilder(SpillwayApplication.class).run(arguments),
                    folder,
                    given == null);
        }

        private static Path temporaryFolder() {
            try {
                return Files.createTempDirectory("spillway-test");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
