package io.spillway.testing;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.dialect.Dialects;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * The contract in openapi/spillway.yaml, as what answers are checked against. Remembers which of
 * its answers it has seen.
 */
public final class Contract {

    /** The file, in the project's top folder. */
    public static final Path FILE = Path.of("openapi", "spillway.yaml");

    private static final String BASE = "https://spillway.test/openapi";
    private static final Set<String> METHODS =
            Set.of("get", "put", "post", "delete", "patch", "head");

    private final JsonNode document;
    private final SchemaRegistry schemas;
    private final Set<Answer> seen = new TreeSet<>();

    /** One operation. */
    public record Operation(String method, String path) implements Comparable<Operation> {

        @Override
        public int compareTo(Operation other) {
            return Comparator.comparing(Operation::path)
                    .thenComparing(Operation::method)
                    .compare(this, other);
        }

        @Override
        public String toString() {
            return method + " " + path;
        }
    }

    /** One documented status of an operation. */
    public record Answer(Operation operation, int status) implements Comparable<Answer> {

        @Override
        public int compareTo(Answer other) {
            return Comparator.comparing(Answer::operation)
                    .thenComparingInt(Answer::status)
                    .compare(this, other);
        }

        @Override
        public String toString() {
            return operation + " -> " + status;
        }
    }

    /** Reads the file. */
    public Contract() {
        String yaml;
        try {
            yaml = Files.readString(FILE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        document = new YAMLMapper().readTree(yaml);
        schemas =
                SchemaRegistry.withDefaultDialect(
                        Dialects.getOpenApi31(),
                        builder ->
                                builder.schemas(Map.of(BASE, document.toString()))
                                        .schemaRegistryConfig(
                                                SchemaRegistryConfig.builder()
                                                        .formatAssertionsEnabled(true)
                                                        .build()));
    }

    /** All documented operations. */
    public Set<Operation> operations() {
        Set<Operation> operations = new TreeSet<>();
        document.required("paths")
                .forEachEntry(
                        (path, item) ->
                                item.forEachEntry(
                                        (method, operation) -> {
                                            if (METHODS.contains(method)) {
                                                operations.add(
                                                        new Operation(
                                                                method.toUpperCase(Locale.ROOT),
                                                                path));
                                            }
                                        }));
        return operations;
    }

    /** All documented answers. */
    public Set<Answer> answers() {
        Set<Answer> answers = new TreeSet<>();
        for (Operation operation : operations()) {
            document.at(pointer(operation) + "/responses")
                    .propertyNames()
                    .forEach(s -> answers.add(new Answer(operation, Integer.parseInt(s))));
        }
        return answers;
    }

    /** The documented answers that {@link #check} has seen. */
    public Set<Answer> seen() {
        return seen;
    }

    /** Examples of request bodies by name, resolved. */
    public Map<String, JsonNode> submissions() {
        Map<String, JsonNode> examples = new TreeMap<>();
        document.at("/components/requestBodies/Submission/content/application~1json/examples")
                .forEachEntry((name, example) -> examples.put(name, example.required("value")));
        return examples;
    }

    /** The values of an enumeration among the component schemas. */
    public List<String> enumeration(String schema) {
        return document.at("/components/schemas/" + schema + "/enum")
                .valueStream()
                .map(JsonNode::stringValue)
                .toList();
    }

    /**
     * Asserts that an answer is one that the contract has: status, media type, headers, body.
     *
     * @throws AssertionError saying what differs
     */
    public void check(String method, String target, HttpAnswer answer) {
        Operation operation = operation(method, target);
        String response =
                resolve(pointer(operation) + "/responses/" + answer.status())
                        .orElseThrow(
                                () ->
                                        new AssertionError(
                                                operation
                                                        + " documents no "
                                                        + answer.status()
                                                        + ": "
                                                        + answer.text()));
        seen.add(new Answer(operation, answer.status()));
        List<String> faults = new ArrayList<>(headers(response, answer));
        faults.addAll(body(response, answer));
        if (!faults.isEmpty()) {
            throw new AssertionError(
                    operation + " -> " + answer.status() + ": " + faults + " in " + answer.text());
        }
    }

    /** Faults of a JSON text against a component schema. */
    public List<String> faults(String schema, String json) {
        return validate("/components/schemas/" + schema, json);
    }

    private Operation operation(String method, String target) {
        String path = target.replaceFirst("\\?.*", "");
        return operations().stream()
                .filter(o -> o.method().equals(method) && path.matches(pattern(o.path())))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no operation for " + method + " " + path));
    }

    private static String pattern(String template) {
        return template.replaceAll("\\{[^}]+}", "[^/:]+");
    }

    private static String pointer(Operation operation) {
        return "/paths/"
                + operation.path().replace("~", "~0").replace("/", "~1")
                + "/"
                + operation.method().toLowerCase(Locale.ROOT);
    }

    /** The pointer to what stands at a pointer, references followed; empty if nothing does. */
    private Optional<String> resolve(String pointer) {
        JsonNode node = document.at(pointer);
        if (node.isMissingNode()) {
            return Optional.empty();
        }
        JsonNode reference = node.get("$ref");
        return reference == null
                ? Optional.of(pointer)
                : resolve(reference.stringValue().substring(1));
    }

    private List<String> headers(String response, HttpAnswer answer) {
        List<String> faults = new ArrayList<>();
        for (String name : document.at(response + "/headers").propertyNames()) {
            String header = resolve(response + "/headers/" + name).orElseThrow();
            Optional<String> value = answer.header(name);
            if (value.isEmpty() && document.at(header + "/required").asBoolean(false)) {
                faults.add("there is no header " + name);
            }
            value.ifPresent(
                    v -> {
                        String json = StringNode.valueOf(v).toString();
                        validate(header + "/schema", json)
                                .forEach(f -> faults.add("header " + name + ": " + f));
                    });
        }
        return faults;
    }

    private List<String> body(String response, HttpAnswer answer) {
        JsonNode content = document.at(response + "/content");
        if (content.isMissingNode()) {
            return answer.text().isEmpty() ? List.of() : List.of("there is a body");
        }
        String type = answer.mediaType();
        if (!content.has(type)) {
            return List.of("the media type '" + type + "' is not documented");
        }
        String schema = response + "/content/" + type.replace("/", "~1") + "/schema";
        if (type.endsWith("json") && !type.endsWith("ndjson")) {
            return validate(schema, answer.text());
        }
        if (type.endsWith("ndjson")) {
            return answer.text()
                    .lines()
                    .flatMap(
                            line ->
                                    faults(line.startsWith("[") ? "ArrayRow" : "ObjectRow", line)
                                            .stream())
                    .toList();
        }
        return List.of();
    }

    private List<String> validate(String pointer, String json) {
        Schema schema = schemas.getSchema(SchemaLocation.of(BASE + "#" + pointer));
        return schema.validate(json, InputFormat.JSON).stream().map(Error::toString).toList();
    }
}
