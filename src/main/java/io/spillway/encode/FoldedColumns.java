package io.spillway.encode;

import io.spillway.batch.ColumnVector;
import io.spillway.batch.Dictionary;
import io.spillway.batch.RecordBatch;

/**
 * Neighbouring dictionary columns of few values, written as one: a row's values are taken together
 * as one number, whose digits are the columns' indices, and the text of each number – that of all
 * its values, with their keys – is kept from when it is first met. A row then needs one look-up and
 * one copy for all of the columns.
 *
 * <p>The columns go on by themselves where that is not to be had: for so many rows that the texts
 * may pay, and once texts have turned out too long or too many for the budget.
 */
final class FoldedColumns extends TextColumn {

    /**
     * A table begins once a row was seen for so many of its numbers: short reads never begin one,
     * and what it costs to fill is in proportion to the rows.
     */
    private static final int NUMBERS_PER_ROW = 4;

    private enum State {
        WAITING,
        BEGUN,
        DROPPED
    }

    private final FlatColumn[] members;
    private final Dictionary[] dictionaries;
    private final int[] radixes;
    private final int numbers;
    private final TextTable texts;

    private State state = State.WAITING;
    private int rowsSeen;

    /** Whether the block's texts are those of all columns. */
    private boolean folded;

    /**
     * @param first the first column's place in a batch
     * @param members the columns, in order
     * @param dictionaries theirs, for as long as this is used
     * @param texts for this alone; may be dropped
     */
    FoldedColumns(
            int first, FlatColumn[] members, Dictionary[] dictionaries, int rows, TextTable texts) {
        super(first, new byte[0], rows);
        this.members = members;
        this.dictionaries = dictionaries;
        this.texts = texts;
        radixes = new int[members.length];
        int product = 1;
        for (int m = 0; m < radixes.length; m++) {
            radixes[m] = (int) radix(dictionaries[m]);
            product *= radixes[m];
        }
        numbers = product;
    }

    /** How many values a column's digit can have: one for each entry, and one for null. */
    static long radix(Dictionary dictionary) {
        return dictionary.size() + 1L;
    }

    @Override
    long prepare(RecordBatch batch, int from, int count, Scratch scratch) {
        if (state == State.WAITING) {
            rowsSeen += count;
            if (rowsSeen >= numbers / NUMBERS_PER_ROW) {
                state = texts.begin(numbers) ? State.BEGUN : State.DROPPED;
            }
        }
        folded = state == State.BEGUN && fold(batch, from, count, scratch);
        return folded ? 0 : prepareMembers(batch, from, count, scratch);
    }

    private boolean fold(RecordBatch batch, int from, int count, Scratch scratch) {
        number(batch, from, count, scratch);
        if (texts.find(scratch.numbers, count, spans)) {
            return true;
        }
        if (!make(count, scratch)) {
            prepareMembers(batch, from, count, scratch);
            if (!make(count, scratch)) {
                state = State.DROPPED;
                texts.drop();
                return false;
            }
        }
        return texts.find(scratch.numbers, count, spans);
    }

    private void number(RecordBatch batch, int from, int count, Scratch scratch) {
        int[] result = scratch.numbers;
        load(batch, 0, from, count, result);
        int[] indices = scratch.indices;
        for (int m = 1; m < members.length; m++) {
            load(batch, m, from, count, indices);
            int radix = radixes[m];
            for (int i = 0; i < count; i++) {
                result[i] = result[i] * radix + indices[i];
            }
        }
    }

    private void load(RecordBatch batch, int member, int from, int count, int[] into) {
        ColumnVector.Encoded column = (ColumnVector.Encoded) batch.column(index + member);
        ValueBlock.loadIndices(column.indices(), from, count, into);
    }

    /**
     * Makes the texts that are missing.
     *
     * @return false if there is no room for them, or a column does not have its own
     */
    private boolean make(int count, Scratch scratch) {
        long[] parts = scratch.spans;
        for (int i = 0; i < count; i++) {
            int number = scratch.numbers[i];
            if (texts.span(number) != 0) {
                continue;
            }
            int length = 0;
            int rest = number;
            for (int m = members.length - 1; m >= 0; m--) {
                int radix = radixes[m];
                long part = members[m].texts().span(dictionaries[m], rest % radix);
                if (part == 0) {
                    return false;
                }
                rest /= radix;
                parts[m] = part;
                length += Spans.length(part);
            }
            if (!texts.open(number, length)) {
                return false;
            }
            for (int m = 0; m < members.length; m++) {
                byte[] source = members[m].texts().bytes();
                texts.append(source, Spans.start(parts[m]), Spans.length(parts[m]));
            }
        }
        return true;
    }

    private long prepareMembers(RecordBatch batch, int from, int count, Scratch scratch) {
        long bytes = 0;
        for (FlatColumn member : members) {
            bytes += member.prepare(batch, from, count, scratch);
        }
        return bytes;
    }

    @Override
    void measure(RecordBatch batch, int from, int count, Scratch scratch, int[] lengths) {
        if (folded) {
            add(count, lengths, true);
            return;
        }
        for (FlatColumn member : members) {
            member.measure(batch, from, count, scratch, lengths);
        }
    }

    @Override
    int follow(int follows) {
        if (folded) {
            return super.follow(follows);
        }
        int behind = follows;
        for (int m = members.length - 1; m >= 0; m--) {
            behind = members[m].follow(behind);
        }
        return behind;
    }

    @Override
    void write(Scratch scratch, int count, long out, int[] ends) {
        if (folded) {
            writeWithKeys(texts.bytes(), count, out, ends);
            return;
        }
        for (FlatColumn member : members) {
            member.write(scratch, count, out, ends);
        }
    }

    @Override
    void writeLarge(RecordBatch batch, int row, Scratch scratch, TextBuffer out) {
        for (FlatColumn member : members) {
            member.writeLarge(batch, row, scratch, out);
        }
    }
}
