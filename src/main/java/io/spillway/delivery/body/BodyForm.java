package io.spillway.delivery.body;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.RowSchema;
import io.spillway.delivery.body.Piece.Field;
import io.spillway.encode.Caps;
import io.spillway.error.ErrorCode;
import io.spillway.error.NearestName;
import io.spillway.error.SpillwayException;
import io.spillway.group.Weights;
import io.spillway.operator.ColumnSet;
import io.spillway.plan.document.BatchShape;
import io.spillway.plan.document.BodyFormat;
import io.spillway.plan.document.JsonValue;
import io.spillway.plan.document.Place;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the bodies of a delivery are made of its batches. Immutable; made once, and good for any
 * number of readers.
 *
 * <p>In a template, what is an object with one of these fields alone is replaced; all else is sent
 * as it stands, without white space around it, and numbers as they were written:
 *
 * <table>
 * <caption>What is replaced</caption>
 * <tr><td>{@code {"$rows": "*"}}, or a list of columns</td><td>an array of the rows, as objects
 * <tr><td>{@code {"$column": "text"}}</td><td>an array of a column's values
 * <tr><td>{@code {"$row": "*"}}, or a list of columns</td><td>the row, for batches of one
 * <tr><td>{@code {"$batch": "number"}}</td><td>which multiple of the batch size it begins at, rounded
 * down; for batches of even size
 * <tr><td>{@code {"$batch": "firstRow"}}</td><td>the number of its first row
 * <tr><td>{@code {"$batch": "rows"}}</td><td>how many rows it has
 * <tr><td>{@code {"$batch": "link"}}</td><td>a link to it
 * <tr><td>{@code {"$literal": …}}</td><td>the value as it stands, be there dollars in it
 * </table>
 */
public final class BodyForm {

    private static final Place BATCH = Place.ROOT.field("batch");

    private final BodyFormat format;
    private final BatchShape shape;
    private final List<Piece> pieces;
    private final ColumnSet columns;
    private final RowSchema schema;
    private final int weight;

    private BodyForm(
            BodyFormat format, BatchShape shape, List<Piece> pieces, RowSchema all, int weight) {
        this.format = format;
        this.shape = shape;
        this.pieces = pieces;
        ColumnSet read = weight < 0 ? ColumnSet.none() : ColumnSet.none().and(weight);
        for (Piece piece : pieces) {
            if (piece instanceof Piece.Slot(List<Integer> slot, Piece.Layout _)) {
                for (int column : slot) {
                    read = read.and(column);
                }
            }
        }
        if (format == BodyFormat.ARROW) {
            read = ColumnSet.first(all.size());
        }
        this.columns = read;
        this.schema = read.of(all);
        this.weight = weight < 0 ? -1 : read.indexOf(weight);
    }

    /**
     * Checks what is wanted against the rows there are.
     *
     * @param template what the bodies look like; null for the rows alone
     * @param schema of the job's rows
     * @param shape how the job's rows are cut
     * @throws SpillwayException with a pointer into the request: {@code UNKNOWN_COLUMN} with the
     *     nearest name, {@code INVALID_PLAN} for what a template cannot say, {@code TYPE_MISMATCH}
     *     for a weight that is no number
     */
    public static BodyForm of(
            @Nullable JsonValue template, BodyFormat format, RowSchema schema, BatchShape shape) {
        if (shape.rows() > Integer.MAX_VALUE) {
            throw BATCH.field("rows")
                    .invalid("A batch has %,d rows at most".formatted(Integer.MAX_VALUE))
                    .with(SpillwayException.LIMIT, Integer.MAX_VALUE);
        }
        int weight = weight(shape.weight(), schema);
        BodyForm form =
                new BodyForm(
                        format, shape, pieces(template, format, schema, shape), schema, weight);
        form.checkMaxBytes();
        return form;
    }

    private static List<Piece> pieces(
            @Nullable JsonValue template, BodyFormat format, RowSchema schema, BatchShape shape) {
        Place body = Place.ROOT.field("body");
        if (template != null) {
            if (format != BodyFormat.JSON) {
                throw body.invalid(
                        "Bodies in the format '%s' are the rows alone, without a template"
                                .formatted(format.word()));
            }
            return Template.pieces(template, body, schema, shape);
        }
        return switch (format) {
            case JSON -> Template.array(schema);
            case NDJSON -> Template.lines(schema);
            case ARROW -> List.of();
        };
    }

    private static int weight(BatchShape.@Nullable Weight weight, RowSchema schema) {
        if (weight == null) {
            return -1;
        }
        Place place = BATCH.field("weight").field("column");
        int column = schema.indexOf(weight.column());
        if (column < 0) {
            throw place.error(
                            ErrorCode.UNKNOWN_COLUMN,
                            "The job has no column '" + weight.column() + "'")
                    .with(SpillwayException.FOUND, weight.column())
                    .with(
                            SpillwayException.SUGGESTION,
                            NearestName.of(weight.column(), schema.names()));
        }
        ColumnSchema found = schema.column(column);
        if (!Weights.isNumeric(found.type())) {
            throw place.error(
                            ErrorCode.TYPE_MISMATCH,
                            "The column '%s' is of type %s, and weighs nothing"
                                    .formatted(found.name(), found.type()))
                    .with(SpillwayException.FOUND, found.type().toString())
                    .with(SpillwayException.EXPECTED, "a numeric column");
        }
        return column;
    }

    private void checkMaxBytes() {
        Long most = shape.maxBytes();
        if (most == null) {
            return;
        }
        Place place = BATCH.field("maxBytes");
        if (format == BodyFormat.ARROW) {
            throw place.error(
                    ErrorCode.NOT_SUPPORTED,
                    "Bodies in the format 'arrow' are not cut by bytes, only by rows and weight");
        }
        long least = bytesBesideRows(0, 1, 0);
        if (most < least) {
            throw place.invalid(
                            "What stands around the rows takes %,d bytes by itself"
                                    .formatted(least))
                    .with(SpillwayException.FOUND, most)
                    .with(SpillwayException.LIMIT, least);
        }
    }

    /** The media type of the bodies. */
    public String contentType() {
        return format.mediaType();
    }

    /** Whether the bodies have links in them. */
    public boolean usesLinks() {
        return pieces.contains(new Piece.Mark(Field.LINK));
    }

    BodyFormat format() {
        return format;
    }

    BatchShape shape() {
        return shape;
    }

    List<Piece> pieces() {
        return pieces;
    }

    /** The slots, in the order of the pieces. */
    List<Piece.Slot> slots() {
        return pieces.stream()
                .filter(Piece.Slot.class::isInstance)
                .map(Piece.Slot.class::cast)
                .toList();
    }

    /** The columns of the job that bodies are made of, and batches cut by. */
    ColumnSet columns() {
        return columns;
    }

    /** These columns. */
    RowSchema schema() {
        return schema;
    }

    /** The number of the batch that has a row. */
    long number(long row) {
        return row / shape.rows();
    }

    /**
     * What closes the batch that begins at a row. Its size is the bytes of the rows' texts, each
     * with its comma but those of the first row.
     *
     * @param linkBytes that a link has at most
     */
    Caps caps(long firstRow, int linkBytes) {
        BatchShape.Weight heaviest = shape.weight();
        return new Caps(
                shape.rows(),
                shape.maxBytes() == null
                        ? Long.MAX_VALUE
                        : shape.maxBytes() - bytesBesideRows(firstRow, shape.rows(), linkBytes),
                -slots().stream().filter(s -> s.layout().hasCommas()).count(),
                weight,
                heaviest == null ? Double.POSITIVE_INFINITY : heaviest.max());
    }

    /** Nothing but a number of rows closes the batch. */
    Caps exactly(long rows) {
        return new Caps(rows, Long.MAX_VALUE, 0, -1, Double.POSITIVE_INFINITY);
    }

    /** The most bytes of all that is not made of rows. */
    private long bytesBesideRows(long firstRow, long rows, int linkBytes) {
        long bytes = 0;
        for (Piece piece : pieces) {
            bytes +=
                    switch (piece) {
                        case Piece.Text(var utf8) -> utf8.remaining();
                        case Piece.Slot _ -> 0;
                        case Piece.Mark(Field field) ->
                                switch (field) {
                                    case NUMBER -> Long.toString(number(firstRow)).length();
                                    case FIRST_ROW -> Long.toString(firstRow).length();
                                    case ROWS -> Long.toString(rows).length();
                                    // With its quotation marks.
                                    case LINK -> linkBytes + 2L;
                                };
                    };
        }
        return bytes;
    }
}
