package io.spillway.scan.parquet.index;

import io.spillway.scan.pruning.ColumnFacts;
import io.spillway.scan.pruning.ValueSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Walks down a row group from one run of rows to the next: within a run, each column that has a
 * page index stays in one page.
 *
 * <pre>
 * column a  |      page 0      | page 1 |     page 2      |
 * column b  | page 0 |      page 1      |     page 2      |
 * runs      |        |         |        |                 |
 * </pre>
 */
public final class PageCursor implements ColumnFacts {

    private static final class Column {

        private final int number;
        private final OffsetIndex places;
        private final List<ValueSet> pages;
        private int page;

        Column(int number, OffsetIndex places, List<ValueSet> pages) {
            this.number = number;
            this.places = places;
            this.pages = pages;
        }
    }

    private final List<Column> columns = new ArrayList<>();

    /** What is known of columns in the whole row group. */
    private final Map<Integer, ValueSet> otherwise;

    private long end;

    /**
     * @param indexes by column
     * @param places of the same columns' pages
     */
    public PageCursor(
            Map<Integer, ColumnIndex> indexes,
            Map<Integer, OffsetIndex> places,
            Map<Integer, ValueSet> otherwise) {
        this.otherwise = otherwise;
        places.forEach(
                (number, index) -> {
                    ColumnIndex bounds = indexes.get(number);
                    if (bounds != null) {
                        columns.add(new Column(number, index, bounds.pages()));
                    }
                });
    }

    /** Moves to the run that holds a row; rows ascend. */
    public void moveTo(long row) {
        end = Long.MAX_VALUE;
        for (Column column : columns) {
            while (column.places.endRow(column.page) <= row) {
                column.page++;
            }
            end = Math.min(end, column.places.endRow(column.page));
        }
    }

    /** The row after the run. */
    public long end() {
        return end;
    }

    @Override
    public ValueSet of(int number) {
        ValueSet known = otherwise.getOrDefault(number, ValueSet.anything());
        for (Column column : columns) {
            if (column.number == number) {
                ValueSet page = column.pages.get(column.page);
                return known.members() == null ? page : page.knowing(known.members());
            }
        }
        return known;
    }
}
