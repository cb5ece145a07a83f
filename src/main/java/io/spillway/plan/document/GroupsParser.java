package io.spillway.plan.document;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads what callers ask of consumer groups and their leases. */
final class GroupsParser {

    private static final int MAX_READER = 255;

    /** Sums up to it are exact in 64-bit floating point. */
    private static final long MAX_WEIGHT = 1L << 53;

    private GroupsParser() {}

    static GroupRequest group(JsonValue body) {
        Fields group = Fields.of(body, Place.ROOT).only("batch", "leaseTime");
        return new GroupRequest(
                batch(group.required("batch"), group.place("batch")), leaseTime(group));
    }

    static BatchShape batch(JsonValue value, Place place) {
        Fields batch = Fields.of(value, place).only("rows", "maxBytes", "weight", "dropLast");
        JsonValue bytes = batch.optional("maxBytes");
        JsonValue weight = batch.optional("weight");
        return new BatchShape(
                Fields.integer(batch.required("rows"), batch.place("rows"), 1, Long.MAX_VALUE),
                bytes == null ? null : OptionsParser.bytes(bytes, batch.place("maxBytes")),
                weight == null ? null : weight(weight, batch.place("weight")),
                batch.flag("dropLast"));
    }

    private static BatchShape.Weight weight(JsonValue value, Place place) {
        Fields weight = Fields.of(value, place).only("column", "max");
        return new BatchShape.Weight(
                weight.requiredString("column"),
                Fields.integer(weight.required("max"), weight.place("max"), 1, MAX_WEIGHT));
    }

    static ClaimRequest claim(JsonValue body) {
        Fields claim = Fields.of(body, Place.ROOT).only("reader", "batches", "leaseTime");
        JsonValue batches = claim.optional("batches");
        return new ClaimRequest(
                reader(claim.required("reader"), claim.place("reader")),
                batches == null
                        ? 1
                        : Fields.integer(batches, claim.place("batches"), 1, Long.MAX_VALUE),
                leaseTime(claim));
    }

    private static String reader(JsonValue value, Place place) {
        String reader = Fields.string(value, place);
        if (reader.isBlank() || reader.length() > MAX_READER || reader.indexOf(0) >= 0) {
            throw Fields.wrongType(
                    value,
                    place,
                    "a name of 1 to %d characters, not only spaces".formatted(MAX_READER));
        }
        return reader;
    }

    static @Nullable Duration renewal(JsonValue body) {
        return leaseTime(Fields.of(body, Place.ROOT).only("leaseTime"));
    }

    static long reset(JsonValue body) {
        Fields reset = Fields.of(body, Place.ROOT).only("row");
        return Fields.integer(reset.required("row"), reset.place("row"), 0, Long.MAX_VALUE);
    }

    private static @Nullable Duration leaseTime(Fields fields) {
        JsonValue time = fields.optional("leaseTime");
        return time == null ? null : OptionsParser.duration(time, fields.place("leaseTime"));
    }
}
