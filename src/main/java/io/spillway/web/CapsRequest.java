package io.spillway.web;

import io.spillway.batch.ColumnType;
import io.spillway.batch.RowSchema;
import io.spillway.encode.Caps;
import io.spillway.error.SpillwayException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What closes batches early, as a request asks for it.
 *
 * @param maxBytes the most bytes of a batch's rows, if told
 * @param weight the column that tells what rows weigh, if told
 * @param maxWeight the largest sum of weights, together with {@code weight}
 * @param offset number of the first row
 */
record CapsRequest(
        @Nullable Long maxBytes, @Nullable String weight, @Nullable Long maxWeight, long offset) {

    /** The parameters that ask for it. */
    static final List<String> PARAMETERS = List.of("maxBytes", "weight", "maxWeight");

    /**
     * Batches whose borders depend on their rows have no numbers, and no reader takes some of them.
     */
    private static final List<String> MEANINGLESS =
            List.of("from", "shard", "of", "remainder", "dropLast");

    /** Rows are separated by commas: the first one's does not count. */
    private static final long COMMA_OF_FIRST = -1;

    /** Null if nothing but the number of rows closes batches. */
    static @Nullable CapsRequest of(Parameters parameters) {
        Long offset = parameters.count("offset");
        if (PARAMETERS.stream().noneMatch(parameters::has)) {
            if (offset != null) {
                throw Parameters.invalid(
                        "offset", "Batches of so many rows begin at a number of their own: from=K");
            }
            return null;
        }
        for (String name : MEANINGLESS) {
            if (parameters.has(name)) {
                throw Parameters.invalid(
                        name,
                        name.equals("from")
                                ? "Where batches are closed early they have no numbers: go on at a"
                                        + " row, offset=N"
                                : "The parameter '%s' has no meaning where batches are closed early"
                                        .formatted(name));
            }
        }
        if (!parameters.choice("order", "strict", "any").equals("strict")) {
            throw Parameters.invalid("order", "Where batches are closed early they come in order");
        }
        Long maxBytes = positive(parameters, "maxBytes");
        Long maxWeight = positive(parameters, "maxWeight");
        String weight = parameters.text("weight");
        if ((weight == null) != (maxWeight == null)) {
            throw Parameters.invalid(
                    weight == null ? "weight" : "maxWeight",
                    "A weight is told by its column and its most together:"
                            + " weight=tokens&maxWeight=8000");
        }
        return new CapsRequest(maxBytes, weight, maxWeight, offset == null ? 0 : offset);
    }

    private static @Nullable Long positive(Parameters parameters, String name) {
        Long value = parameters.count(name);
        if (value != null && value == 0) {
            throw Parameters.invalid(name, "'" + name + "' is at least 1")
                    .with(SpillwayException.FOUND, value);
        }
        return value;
    }

    /**
     * The same for a job's rows.
     *
     * @param rows the most rows of a batch
     * @throws SpillwayException {@code INVALID_PARAMETER} if there is no such column, or it is no
     *     number
     */
    Caps caps(int rows, RowSchema schema) {
        return new Caps(
                rows,
                maxBytes == null ? Long.MAX_VALUE : maxBytes,
                COMMA_OF_FIRST,
                weight == null ? -1 : column(weight, schema),
                maxWeight == null ? Double.POSITIVE_INFINITY : maxWeight);
    }

    private static int column(String name, RowSchema schema) {
        for (int i = 0; i < schema.size(); i++) {
            if (schema.column(i).name().equals(name)) {
                ColumnType type = schema.column(i).type();
                if (isNumber(type)) {
                    return i;
                }
                throw Parameters.invalid(
                                "weight",
                                "Rows cannot be weighed by '%s', which is %s and no number"
                                        .formatted(name, type))
                        .with(SpillwayException.FOUND, type.toString());
            }
        }
        throw Parameters.invalid("weight", "There is no column '" + name + "'")
                .with(SpillwayException.FOUND, name)
                .with(
                        SpillwayException.EXPECTED,
                        schema.columns().stream().map(c -> c.name()).toList());
    }

    private static boolean isNumber(ColumnType type) {
        return switch (type) {
            case ColumnType.Int _, ColumnType.FloatingPoint _, ColumnType.Decimal _ -> true;
            case ColumnType _ -> false;
        };
    }
}
