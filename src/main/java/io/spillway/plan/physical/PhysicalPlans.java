package io.spillway.plan.physical;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.spillway.batch.ColumnType;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

/**
 * Physical plans as JSON: the form in which a job keeps its plan, and in which a client sees it.
 * Reading what was written gives an equal plan. Types stand as their text form, null members are
 * left out, and a member that is not known is an error.
 *
 * <p>Whoever stores a plan may store this text; it is as deep as the plan, so that readers with a
 * nesting limit of their own should treat it as text.
 */
public final class PhysicalPlans {

    /** Steps, and expressions in them, each a few levels of JSON; the plan's limits come first. */
    private static final int MAX_NESTING = 10_000;

    /** Plans up to this depth are read on the caller's stack, as nearly all are. */
    private static final int SHALLOW = 100;

    private static final JsonMapper MAPPER = mapper();

    private PhysicalPlans() {}

    /** A plan as JSON text. */
    public static String toJson(PhysicalPlan plan) {
        return DeepStack.call(() -> MAPPER.writeValueAsString(plan));
    }

    /**
     * A plan from the text that {@link #toJson} made of it.
     *
     * @throws tools.jackson.core.JacksonException if it did not make it
     */
    public static PhysicalPlan fromJson(String json) {
        return depth(json) <= SHALLOW ? read(json) : DeepStack.call(() -> read(json));
    }

    private static PhysicalPlan read(String json) {
        return MAPPER.readValue(json, PhysicalPlan.class);
    }

    /** How deep arrays and objects stand in each other; brackets in strings do not count. */
    private static int depth(String json) {
        int depth = 0;
        int deepest = 0;
        boolean quoted = false;
        for (int i = 0; i < json.length(); i++) {
            switch (json.charAt(i)) {
                case '"' -> quoted = !quoted;
                case '\\' -> i++;
                case '{', '[' -> deepest = quoted ? deepest : Math.max(deepest, ++depth);
                case '}', ']' -> depth -= quoted ? 0 : 1;
                default -> {}
            }
        }
        return deepest;
    }

    private static JsonMapper mapper() {
        JsonFactory factory =
                JsonFactory.builder()
                        .streamReadConstraints(
                                StreamReadConstraints.builder()
                                        .maxNestingDepth(MAX_NESTING)
                                        .maxStringLength(Integer.MAX_VALUE)
                                        .build())
                        .streamWriteConstraints(
                                StreamWriteConstraints.builder()
                                        .maxNestingDepth(MAX_NESTING)
                                        .build())
                        .build();
        return JsonMapper.builder(factory)
                .addModule(
                        new SimpleModule()
                                .addSerializer(ColumnType.class, new TypeWriter())
                                .addDeserializer(ColumnType.class, new TypeReader()))
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .changeDefaultPropertyInclusion(
                        i -> i.withValueInclusion(JsonInclude.Include.NON_NULL))
                .build();
    }

    private static final class TypeWriter extends StdSerializer<ColumnType> {

        TypeWriter() {
            super(ColumnType.class);
        }

        @Override
        public void serialize(ColumnType type, JsonGenerator out, SerializationContext context) {
            out.writeString(type.toString());
        }
    }

    private static final class TypeReader extends StdDeserializer<ColumnType> {

        TypeReader() {
            super(ColumnType.class);
        }

        @Override
        public ColumnType deserialize(JsonParser parser, DeserializationContext context) {
            return ColumnType.parse(parser.getString());
        }
    }
}
