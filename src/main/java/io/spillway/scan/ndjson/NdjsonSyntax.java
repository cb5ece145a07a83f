package io.spillway.scan.ndjson;

import io.spillway.batch.ColumnSchema;
import io.spillway.batch.ColumnType;
import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.error.SpillwayException;
import io.spillway.memory.MemoryPool;
import io.spillway.scan.InferredColumns;
import io.spillway.scan.text.OptionValues;
import io.spillway.scan.text.RecordReader;
import io.spillway.scan.text.Surveyor;
import io.spillway.scan.text.Swar;
import io.spillway.scan.text.TextColumns;
import io.spillway.scan.text.TextHead;
import io.spillway.scan.text.TextSyntax;
import io.spillway.scan.text.TypeEvidence;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * NDJSON files: one JSON object a line, whose fields are the columns. Lines of nothing but blanks
 * are passed over.
 *
 * @param columns types that are given, by name
 */
public record NdjsonSyntax(Map<String, ColumnType> columns) implements TextSyntax {

    /** With all types inferred. */
    public static final NdjsonSyntax DEFAULT = new NdjsonSyntax(Map.of());

    private static final String COLUMNS = "columns";

    public NdjsonSyntax {
        columns = Collections.unmodifiableMap(new LinkedHashMap<>(columns));
    }

    @Override
    public String name() {
        return "ndjson";
    }

    @Override
    public Set<String> options() {
        return Set.of(COLUMNS);
    }

    @Override
    public TextSyntax with(Map<String, ?> values) {
        Map<String, ColumnType> types = new OptionValues(values).types(COLUMNS);
        types.forEach((name, type) -> check(name, type, type));
        return new NdjsonSyntax(types);
    }

    private static void check(String name, ColumnType type, ColumnType part) {
        switch (part) {
            case ColumnType.Bool _,
                    ColumnType.Int _,
                    ColumnType.FloatingPoint _,
                    ColumnType.Decimal _,
                    ColumnType.Utf8 _,
                    ColumnType.Date _,
                    ColumnType.Time _,
                    ColumnType.Timestamp _ -> {}
            case ColumnType.ListOf(ColumnType element, boolean _) -> check(name, type, element);
            case ColumnType.Struct(List<ColumnSchema> fields) ->
                    fields.forEach(field -> check(name, type, field.type()));
            case ColumnType.Binary _, ColumnType.FixedBinary _, ColumnType.MapOf _ ->
                    throw new SpillwayException(
                                    ErrorCode.TYPE_MISMATCH,
                                    "The field '%s' of JSON objects cannot be of type %s"
                                            .formatted(name, type))
                            .with(SpillwayException.COLUMN, name)
                            .with(SpillwayException.FOUND, type.toString());
        }
    }

    @Override
    public TextHead head(long from, long to, boolean last) {
        return new TextHead(0, 1, List.of());
    }

    @Override
    public int state(int before, long from, long to) {
        return 0;
    }

    @Override
    public long afterRecord(int state, long from, long to) {
        long end = Swar.find(from, to, (byte) '\n');
        return end < 0 ? -1 : end + 1;
    }

    @Override
    public Surveyor surveyor(TextHead head) {
        return new NdjsonSurveyor(columns);
    }

    @Override
    public InferredColumns noRecords(TextHead head) {
        return new TextColumns(columns, new TypeEvidence());
    }

    @Override
    public RecordReader reader(TextHead head, RowSchema schema, int batchRows, MemoryPool pool) {
        return new NdjsonReader(schema, batchRows, pool);
    }

    @Override
    public long readerBytes(RowSchema schema, int batchRows, int window) {
        return NdjsonReader.bytes(schema, batchRows, window);
    }
}
