package io.spillway.delivery.capture;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.NearestName;
import io.spillway.error.SpillwayException;
import io.spillway.operator.ColumnSet;
import io.spillway.plan.document.Place;
import io.spillway.sink.parquet.ParquetSink;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;

/**
 * What is captured out of the responses to a delivery, and beside which columns of the rows that
 * were sent. Immutable.
 *
 * <p>A response is read as it stands, without a tree: one that is deep, huge or cut off costs no
 * more than its bytes and those of what is captured.
 */
public final class CaptureForm {

    /** Responses are not deeper; what is deeper is refused. */
    private static final int MOST_DEPTH = 128;

    private static final JsonFactory FACTORY =
            JsonFactory.builder()
                    .streamReadConstraints(
                            StreamReadConstraints.builder().maxNestingDepth(MOST_DEPTH).build())
                    .build();

    private static final Place PLACE = Place.ROOT.field("capture");

    /** A column, checked. */
    private record Column(String name, CapturePath path, @Nullable ColumnType type) {}

    private final List<Column> columns;
    private final ColumnSet keys;
    private final RowSchema keySchema;

    private CaptureForm(List<Column> columns, ColumnSet keys, RowSchema all) {
        this.columns = columns;
        this.keys = keys;
        this.keySchema = keys.of(all);
    }

    /**
     * Checks what is wanted.
     *
     * @param keys names of the columns of the rows that are kept, at least one
     * @param schema of the job's rows
     * @throws SpillwayException with a pointer into the request: {@code UNKNOWN_COLUMN} with the
     *     nearest name, {@code DUPLICATE_COLUMN}, {@code INVALID_PLAN}, {@code NOT_SUPPORTED} for
     *     types that cannot be captured, or cannot be written
     */
    public static CaptureForm of(List<CaptureColumn> columns, List<String> keys, RowSchema schema) {
        Place keysPlace = PLACE.field("keys");
        Place columnsPlace = PLACE.field("columns");
        if (keys.isEmpty()) {
            throw keysPlace.invalid("At least one column of the rows is to be kept");
        }
        if (columns.isEmpty()) {
            throw columnsPlace.invalid("At least one column is to be captured");
        }
        ColumnSet kept = ColumnSet.none();
        Set<String> names = new HashSet<>();
        for (int i = 0; i < keys.size(); i++) {
            int column = schema.indexOf(keys.get(i));
            Place place = keysPlace.item(i);
            if (column < 0) {
                throw place.error(
                                ErrorCode.UNKNOWN_COLUMN,
                                "The job has no column '" + keys.get(i) + "'")
                        .with(SpillwayException.FOUND, keys.get(i))
                        .with(
                                SpillwayException.SUGGESTION,
                                NearestName.of(keys.get(i), schema.names()));
            }
            checkOnce(keys.get(i), names, place);
            kept = kept.and(column);
        }
        List<Column> checked = new ArrayList<>();
        for (CaptureColumn column : columns) {
            Place place = columnsPlace.field(column.name());
            checkOnce(column.name(), names, place);
            checked.add(
                    new Column(
                            column.name(),
                            CapturePath.of(column.path(), place),
                            type(column.type(), place)));
        }
        ParquetSink.check(kept.of(schema));
        return new CaptureForm(List.copyOf(checked), kept, schema);
    }

    private static void checkOnce(String name, Set<String> names, Place place) {
        if (!names.add(name)) {
            throw place.error(ErrorCode.DUPLICATE_COLUMN, "Two columns are named '" + name + "'")
                    .with(SpillwayException.COLUMN, name);
        }
    }

    private static @Nullable ColumnType type(@Nullable String text, Place place) {
        if (text == null) {
            return null;
        }
        ColumnType type;
        try {
            type = ColumnType.parse(text);
        } catch (SpillwayException e) {
            throw e.with(SpillwayException.POINTER, place.pointer());
        }
        if (!ValueKind.isSupported(type)) {
            throw place.error(
                            ErrorCode.NOT_SUPPORTED,
                            "Values of type %s are not captured".formatted(type))
                    .with(SpillwayException.FOUND, text)
                    .with(
                            SpillwayException.EXPECTED,
                            "bool, int64, float32, float64, utf8, or a list of one of these");
        }
        return type;
    }

    /**
     * Takes the values for the rows of a batch out of the response to it. Values belong to rows by
     * their position.
     *
     * @param truncated whether the response was longer than was read of it
     */
    public CaptureRead capture(long firstRow, long rows, byte[] response, boolean truncated) {
        if (truncated) {
            return new Refused(
                    Refused.Reason.TOO_LARGE,
                    "The response is longer than the %,d bytes that are read"
                            .formatted(response.length));
        }
        List<Captured.Found> found = new ArrayList<>();
        for (Column column : columns) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            Found values = new Found(out, rows);
            try {
                read(column.path(), response, values);
            } catch (JacksonException e) {
                return new Refused(
                        Refused.Reason.NOT_JSON, "The response is not valid JSON, or too deep");
            }
            if (values.count != rows) {
                return new Refused(
                        Refused.Reason.LENGTH,
                        "The response has %,d values for the column '%s' of %,d rows"
                                .formatted(values.count, column.name(), rows));
            }
            ColumnType type = column.type();
            if (type != null && !values.kind.fits(type)) {
                return new Refused(
                        Refused.Reason.TYPE,
                        "The response has values for the column '%s' that are not of type %s"
                                .formatted(column.name(), type));
            }
            found.add(new Captured.Found(values.kind, new Captured.Json(values.array())));
        }
        return new Captured(firstRow, rows, found);
    }

    private static void read(CapturePath path, byte[] response, Found found) {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), response)) {
            JsonToken first = parser.nextToken();
            if (first == null) {
                throw new StreamReadException(parser, "There is nothing");
            }
            path.find(parser, first, found);
            if (parser.nextToken() != null) {
                throw new StreamReadException(parser, "Something follows");
            }
        }
    }

    /** Values as they are found. */
    private static final class Found implements CapturePath.Values {

        private final ByteArrayOutputStream out;
        private final JsonCopy copy;
        private final long most;
        private ValueKind kind = ValueKind.NULL;
        private long count;

        /**
         * @param most how many are kept; more are only counted
         */
        Found(ByteArrayOutputStream out, long most) {
            this.out = out;
            this.copy = new JsonCopy(out);
            this.most = most;
        }

        @Override
        public void value(JsonParser parser, JsonToken first) {
            count++;
            if (count > most) {
                parser.skipChildren();
                return;
            }
            out.write(count == 1 ? '[' : ',');
            kind = kind.and(copy.copy(parser, first));
        }

        byte[] array() {
            if (count == 0) {
                out.write('[');
            }
            out.write(']');
            return out.toByteArray();
        }
    }

    /** The columns of the job that are kept. */
    ColumnSet keys() {
        return keys;
    }

    /** What the values of each captured column are, all together. */
    List<ValueKind> kinds(Iterable<CapturePlace> places) {
        List<ValueKind> all = new ArrayList<>(Collections.nCopies(columns.size(), ValueKind.NULL));
        for (CapturePlace place : places) {
            for (int i = 0; i < all.size(); i++) {
                all.set(i, all.get(i).and(place.kinds().get(i)));
            }
        }
        return all;
    }

    /**
     * The columns of the data set: those that are kept, and those that are captured.
     *
     * @param kinds what the values of the captured columns are, all together
     */
    RowSchema schema(List<ValueKind> kinds) {
        List<ColumnSchema> captured = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            ColumnType type = columns.get(i).type();
            captured.add(
                    new ColumnSchema(
                            columns.get(i).name(),
                            type == null ? kinds.get(i).type() : type,
                            true));
        }
        return new RowSchema(
                Stream.concat(keySchema.columns().stream(), captured.stream()).toList());
    }
}
