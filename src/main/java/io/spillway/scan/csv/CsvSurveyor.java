package io.spillway.scan.csv;

import io.spillway.scan.InferredColumns;
import io.spillway.scan.text.Surveyor;
import io.spillway.scan.text.TextColumns;
import io.spillway.scan.text.TypeEvidence;
import java.util.List;

/** Counts records and infers the types of the columns that none is given for. */
final class CsvSurveyor implements Surveyor {

    /** Fields that are noted before they are looked at, and records at most. */
    private static final int FIELDS = 32 << 10;

    private static final int RECORDS = 1024;

    private final CsvDialect dialect;
    private final TypeEvidence row = new TypeEvidence();
    private final TypeEvidence[] columns;
    private final FieldTypes types = new FieldTypes();
    private final NullFields nulls;
    private final CsvRecords records;
    private final int most;
    private long rows;

    CsvSurveyor(CsvDialect dialect, List<String> names) {
        this.dialect = dialect;
        this.nulls = new NullFields(dialect.nullStrings());
        int[] places = new int[names.size()];
        TypeEvidence[] all = new TypeEvidence[names.size()];
        int inferred = 0;
        for (int i = 0; i < names.size(); i++) {
            TypeEvidence evidence = row.field(names.get(i));
            places[i] = -1;
            if (!dialect.columns().containsKey(names.get(i))) {
                places[i] = inferred;
                all[inferred++] = evidence;
            }
        }
        this.columns = all;
        this.most = Math.clamp(FIELDS / Math.max(1, inferred), 1, RECORDS);
        this.records = new CsvRecords(dialect, names.size(), places, inferred, most);
    }

    @Override
    public long survey(long from, long limit, long to, boolean last) {
        long at = from;
        int found;
        do {
            found = records.read(at, limit, to, last, most);
            for (int i = 0; i < columns.length; i++) {
                TypeEvidence evidence = columns[i];
                if (evidence != null && !evidence.isText()) {
                    infer(evidence, i, found);
                }
            }
            rows += found;
            at = records.next();
        } while (found == most);
        return at;
    }

    private void infer(TypeEvidence evidence, int place, int found) {
        int[] starts = records.starts(place);
        int[] lengths = records.lengths(place);
        long base = records.base();
        for (int i = 0; i < found; i++) {
            long address = base + starts[i];
            int length = lengths[i];
            if (nulls.isNull(address, length)) {
                continue;
            }
            if ((length & CsvRecords.ESCAPED) != 0) {
                evidence.text();
            } else {
                types.add(address, length & CsvRecords.LENGTH, evidence);
            }
        }
    }

    @Override
    public long rows() {
        return rows;
    }

    @Override
    public InferredColumns inferred() {
        return new TextColumns(dialect.columns(), row);
    }

    @Override
    public void close() {}
}
