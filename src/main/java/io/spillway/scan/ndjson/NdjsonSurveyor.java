package io.spillway.scan.ndjson;

import io.spillway.batch.ColumnType;
import io.spillway.error.ErrorCode;
import io.spillway.scan.InferredColumns;
import io.spillway.scan.text.Surveyor;
import io.spillway.scan.text.TextColumns;
import io.spillway.scan.text.TextFault;
import io.spillway.scan.text.TypeEvidence;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Counts objects and infers what their fields are. */
final class NdjsonSurveyor implements Surveyor {

    private static final int LINES = 1024;
    private static final int BYTES = 256 << 10;

    /** Objects and arrays in each other that have types of their own; deeper ones are texts. */
    private static final int MAX_DEPTH = 32;

    /** Fields of all objects together: more are names that should be values. */
    private static final int MAX_FIELDS = 10_000;

    private final Map<String, ColumnType> given;
    private final JsonLines lines = new JsonLines(LINES);
    private final JsonRows rows = new JsonRows(null);
    private final Node root = new Node(new TypeEvidence());
    private long count;
    private long objects;
    private int fields;

    /** What has been seen at one place of all objects. */
    private static final class Node {

        private final TypeEvidence evidence;
        private final Map<String, Node> fields = new HashMap<>();
        private @Nullable Node element;

        /** The object that had this field last. */
        private long seenIn;

        Node(TypeEvidence evidence) {
            this.evidence = evidence;
        }

        Node element() {
            TypeEvidence elements = evidence.list();
            Node there = element;
            if (there == null) {
                there = new Node(elements);
                element = there;
            }
            return there;
        }
    }

    NdjsonSurveyor(Map<String, ColumnType> given) {
        this.given = given;
    }

    @Override
    public long survey(long from, long limit, long to, boolean last) {
        long at = from;
        while (true) {
            int found = lines.find(at, limit, to, last, LINES, BYTES);
            rows.read(lines, found, (all, parser) -> object(root, parser, 0));
            count += found;
            if (lines.next() == at || (found == 0 && lines.next() >= to)) {
                return lines.next();
            }
            at = lines.next();
        }
    }

    private void object(Node node, JsonParser parser, int depth) {
        long object = ++objects;
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            Node field = node.fields.get(name);
            if (field == null) {
                field = new Node(node.evidence.field(name));
                node.fields.put(name, field);
                if (++fields > MAX_FIELDS) {
                    throw new TextFault(
                            ErrorCode.FILE_NOT_SUPPORTED,
                            rows.line(),
                            "has more than %,d different fields with those before it"
                                    .formatted(MAX_FIELDS),
                            null);
                }
            }
            if (field.seenIn == object) {
                throw TextFault.corrupt(
                        rows.line(),
                        "has the field '%s' twice in one object".formatted(TextFault.shown(name)));
            }
            field.seenIn = object;
            value(field, parser, parser.nextToken(), depth);
        }
    }

    private void value(Node node, JsonParser parser, @Nullable JsonToken token, int depth) {
        switch (token) {
            case START_OBJECT -> {
                if (depth >= MAX_DEPTH) {
                    node.evidence.text();
                    parser.skipChildren();
                } else {
                    node.evidence.struct();
                    object(node, parser, depth + 1);
                }
            }
            case START_ARRAY -> {
                if (depth >= MAX_DEPTH) {
                    node.evidence.text();
                    parser.skipChildren();
                } else {
                    Node element = node.element();
                    for (JsonToken next = parser.nextToken();
                            next != JsonToken.END_ARRAY;
                            next = parser.nextToken()) {
                        value(element, parser, next, depth + 1);
                    }
                }
            }
            case VALUE_STRING -> node.evidence.text();
            case VALUE_NUMBER_INT -> JsonNumbers.integer(parser, node.evidence);
            case VALUE_NUMBER_FLOAT -> JsonNumbers.fraction(parser, node.evidence);
            case VALUE_TRUE, VALUE_FALSE -> node.evidence.bool();
            case VALUE_NULL -> {}
            case null, default -> throw TextFault.corrupt(rows.line(), "is not valid JSON");
        }
    }

    @Override
    public long rows() {
        return count;
    }

    @Override
    public InferredColumns inferred() {
        return new TextColumns(given, root.evidence);
    }

    @Override
    public void close() {
        rows.close();
    }
}
