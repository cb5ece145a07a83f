package io.spillway.scan.csv;

import io.spillway.batch.RowSchema;
import io.spillway.error.ErrorCode;
import io.spillway.memory.MemoryPool;
import io.spillway.scan.InferredColumns;
import io.spillway.scan.text.RecordReader;
import io.spillway.scan.text.Surveyor;
import io.spillway.scan.text.Swar;
import io.spillway.scan.text.TextColumns;
import io.spillway.scan.text.TextFault;
import io.spillway.scan.text.TextHead;
import io.spillway.scan.text.TextSyntax;
import io.spillway.scan.text.TypeEvidence;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** CSV files of one dialect. */
public record CsvSyntax(CsvDialect dialect) implements TextSyntax {

    /** As RFC 4180 says, with a header. */
    public static final CsvSyntax DEFAULT = new CsvSyntax(CsvDialect.DEFAULT);

    private static final String POSITIONAL = "column";

    @Override
    public String name() {
        return "csv";
    }

    @Override
    public Set<String> options() {
        return CsvDialect.NAMES;
    }

    @Override
    public TextSyntax with(Map<String, ?> values) {
        return new CsvSyntax(CsvDialect.of(values));
    }

    @Override
    public @Nullable TextHead head(long from, long to, boolean last) {
        long at = from;
        for (int i = 0; i < dialect.skipLines(); i++) {
            long end = Swar.find(at, to, (byte) '\n');
            if (end < 0) {
                if (!last) {
                    return null;
                }
                at = to;
                break;
            }
            at = end + 1;
        }
        CsvRecords counter = new CsvRecords(dialect, 0, new int[0], 0, 1);
        if (counter.read(at, to, to, last, 1) == 0) {
            return last ? withoutRecords(from, to) : null;
        }
        if (!dialect.header()) {
            return head(from, at, positional(at, counter.fieldsFound()));
        }
        int fields = counter.fieldsFound();
        int[] slots = new int[fields];
        for (int i = 0; i < fields; i++) {
            slots[i] = i;
        }
        CsvRecords header = new CsvRecords(dialect, 0, slots, fields, 1);
        header.read(at, to, to, last, 1);
        List<String> names = new ArrayList<>();
        for (int i = 0; i < fields; i++) {
            int length = header.lengths(i)[0];
            names.add(
                    new String(
                            FieldBytes.copy(
                                    header.base() + header.starts(i)[0],
                                    length & CsvRecords.LENGTH,
                                    (length & CsvRecords.ESCAPED) != 0,
                                    dialect.escape()),
                            StandardCharsets.UTF_8));
        }
        check(at, names);
        return head(from, header.next(), names);
    }

    private static TextHead head(long from, long end, List<String> names) {
        return new TextHead(
                Math.toIntExact(end - from), 1 + Swar.count(from, end, (byte) '\n'), names);
    }

    private TextHead withoutRecords(long from, long to) {
        if (dialect.header()) {
            throw TextFault.corrupt(from, "ends without a header");
        }
        return head(from, to, List.copyOf(dialect.columns().keySet()));
    }

    private List<String> positional(long at, int fields) {
        if (!dialect.columns().isEmpty()) {
            if (fields != dialect.columns().size()) {
                throw TextFault.corrupt(
                        at, "has %,d fields, not %,d".formatted(fields, dialect.columns().size()));
            }
            return List.copyOf(dialect.columns().keySet());
        }
        List<String> names = new ArrayList<>();
        for (int i = 0; i < fields; i++) {
            names.add(POSITIONAL + i);
        }
        return names;
    }

    private static void check(long at, List<String> names) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            if (name.isEmpty()) {
                throw new TextFault(
                        ErrorCode.SCHEMA_MISMATCH,
                        at,
                        "has no name for column %,d".formatted(i + 1),
                        null);
            }
            if (!seen.add(name)) {
                throw new TextFault(
                        ErrorCode.SCHEMA_MISMATCH, at, "has that name a second time", name);
            }
        }
    }

    @Override
    public int state(int before, long from, long to) {
        return new CsvBoundaries(dialect).state(before, from, to);
    }

    @Override
    public long afterRecord(int state, long from, long to) {
        return new CsvBoundaries(dialect).afterRecord(state, from, to);
    }

    @Override
    public Surveyor surveyor(TextHead head) {
        return new CsvSurveyor(dialect, head.names());
    }

    @Override
    public InferredColumns noRecords(TextHead head) {
        TypeEvidence row = new TypeEvidence();
        head.names().forEach(row::field);
        return new TextColumns(dialect.columns(), row);
    }

    @Override
    public RecordReader reader(TextHead head, RowSchema columns, int batchRows, MemoryPool pool) {
        return CsvReader.open(dialect, head, columns, batchRows, pool);
    }

    @Override
    public long readerBytes(RowSchema columns, int batchRows, int window) {
        return CsvReader.bytes(columns, batchRows, window);
    }
}
