package io.spillway.encode;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.Dictionary;
import io.spillway.batch.RecordBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which columns are written as one, decided anew whenever a column has another dictionary. From
 * left to right, a column joins those before it as long as their numbers stay few and their text is
 * likely to stay short: since whatever can be folded can be in part, no other choice leaves fewer
 * columns.
 */
final class Folding {

    /** What a table may take of the budget. */
    private static final long MOST_BYTES = 512L << 10;

    /** Most texts of a table. More would rarely be met twice, and fall out of the near caches. */
    private static final int MOST_NUMBERS = 8 << 10;

    /** For longer texts, copies take the time, and look-ups are not worth saving. */
    private static final int LONGEST_TEXT = SpanCopy.LONGEST_BY_WORDS;

    /** What a value is taken to have, beside the bytes of text and binary values. */
    private static final int USUAL_VALUE = 4;

    private final TextColumn[] columns;
    private final int rows;

    /** By the first column that is folded. */
    private final @Nullable TextTable[] tables;

    private final TextBudget budget;
    private final @Nullable Dictionary[] dictionaries;
    private TextColumn[] arranged;

    /**
     * @param columns all columns of a row
     * @param rows the most rows of a block
     */
    Folding(TextColumn[] columns, int rows, TextBudget budget) {
        this.columns = columns;
        this.rows = rows;
        this.budget = budget;
        tables = new TextTable[columns.length];
        dictionaries = new Dictionary[columns.length];
        arranged = columns;
    }

    /** The columns to write a batch's rows with, in order. */
    TextColumn[] arrange(RecordBatch batch) {
        boolean same = true;
        for (int c = 0; c < columns.length; c++) {
            Dictionary dictionary =
                    switch (batch.column(c)) {
                        case ColumnVector.Encoded encoded -> encoded.dictionary();
                        case ColumnVector.Plain _ -> null;
                    };
            same &= dictionary == dictionaries[c];
            dictionaries[c] = dictionary;
        }
        if (!same) {
            arranged = fold();
        }
        return arranged;
    }

    private TextColumn[] fold() {
        List<TextColumn> result = new ArrayList<>();
        int c = 0;
        while (c < columns.length) {
            List<FlatColumn> members = joinedTo(c);
            if (members.size() > 1) {
                result.add(folded(c, members));
                dropTables(c + 1, c + members.size());
                c += members.size();
            } else {
                result.add(columns[c]);
                dropTables(c, c + 1);
                c++;
            }
        }
        return result.toArray(TextColumn[]::new);
    }

    /** A column and those behind it that go with it; none if it has no dictionary itself. */
    private List<FlatColumn> joinedTo(int first) {
        List<FlatColumn> members = new ArrayList<>();
        long numbers = 1;
        long length = 0;
        for (int c = first; c < columns.length; c++) {
            Dictionary dictionary = dictionaries[c];
            if (dictionary == null || !(columns[c] instanceof FlatColumn column)) {
                break;
            }
            numbers *= FoldedColumns.radix(dictionary);
            length += column.keyLength() + usualLength(dictionary);
            if (numbers > MOST_NUMBERS || length > LONGEST_TEXT) {
                break;
            }
            members.add(column);
        }
        return members;
    }

    private FoldedColumns folded(int first, List<FlatColumn> members) {
        Dictionary[] theirs = new Dictionary[members.size()];
        for (int m = 0; m < theirs.length; m++) {
            theirs[m] = Objects.requireNonNull(dictionaries[first + m]);
        }
        TextTable table = tables[first];
        if (table == null) {
            table = new TextTable(budget, MOST_BYTES);
            tables[first] = table;
        }
        return new FoldedColumns(first, members.toArray(FlatColumn[]::new), theirs, rows, table);
    }

    private void dropTables(int from, int to) {
        for (int c = from; c < to; c++) {
            TextTable table = tables[c];
            if (table != null) {
                table.drop();
                tables[c] = null;
            }
        }
    }

    private static long usualLength(Dictionary dictionary) {
        int entries = dictionary.size();
        long bytes = ValueBlock.wideBytes(dictionary.values(), 0, entries);
        return USUAL_VALUE + bytes / Math.max(1, entries);
    }
}
