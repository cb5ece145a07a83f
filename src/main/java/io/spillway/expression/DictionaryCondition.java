package io.spillway.expression;

import io.spillway.batch.ColumnType;
import io.spillway.batch.ColumnVector;
import io.spillway.batch.Dictionary;
import io.spillway.batch.OffHeap;
import io.spillway.error.SpillwayException;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.jspecify.annotations.Nullable;

/**
 * A condition of one column. Where the column is dictionary-encoded, the condition is tested once
 * for each entry and once for null, and the verdicts are looked up by index.
 */
final class DictionaryCondition implements Condition {

    private static final int YES = 1;
    private static final int NO = 2;

    private final Condition inner;
    private final int column;
    private final ColumnType columnType;
    private final DictionaryUse use = new DictionaryUse();

    /** Verdict of each entry, that of null behind the last. */
    private byte @Nullable [] codes;

    DictionaryCondition(Condition inner, int column, ColumnType columnType) {
        this.inner = inner;
        this.column = column;
        this.columnType = columnType;
    }

    @Override
    public boolean total() {
        return inner.total();
    }

    @Override
    public void test(Input input, Truth verdicts) {
        switch (input.column(column)) {
            case ColumnVector.Plain _ -> inner.test(input, verdicts);
            case ColumnVector.Encoded(IntVector indices, Dictionary dictionary) -> {
                byte[] known = codes(dictionary, input);
                if (known == null) {
                    inner.test(input, verdicts);
                } else {
                    lookUp(indices, known, verdicts);
                }
            }
        }
    }

    private byte @Nullable [] codes(Dictionary dictionary, Input input) {
        if (!use.meet(dictionary, input.rows())) {
            codes = null;
        }
        if (codes == null && use.pays(dictionary)) {
            try {
                byte[] made = new byte[dictionary.size() + 1];
                Truth verdicts = new Truth();
                try (Input entries =
                        Input.of(dictionary.values(), input.allocator(), input.scratch())) {
                    inner.test(entries, verdicts);
                    copy(verdicts, made, 0);
                }
                try (FieldVector nothing =
                                Vectors.nulls(Vectors.field(columnType), 1, input.allocator());
                        Input one = Input.of(nothing, input.allocator(), input.scratch())) {
                    inner.test(one, verdicts);
                    copy(verdicts, made, dictionary.size());
                }
                codes = made;
            } catch (SpillwayException | OutOfMemoryException e) {
                use.fail();
            }
        }
        return codes;
    }

    private static void copy(Truth verdicts, byte[] codes, int from) {
        for (int i = 0; i < verdicts.rows(); i++) {
            long yes = verdicts.yes()[i >>> 6] >>> i & 1;
            long no = verdicts.no()[i >>> 6] >>> i & 1;
            codes[from + i] = (byte) (yes * YES + no * NO);
        }
    }

    private static void lookUp(IntVector indices, byte[] codes, Truth verdicts) {
        int rows = indices.getValueCount();
        verdicts.reset(rows);
        long data = Vectors.data(indices);
        long validity = Vectors.validity(indices);
        int codeOfNull = codes[codes.length - 1];
        for (int w = 0; w < verdicts.words(); w++) {
            long valid = Bits.load(validity, w, rows);
            int from = w << 6;
            int end = Math.min(64, rows - from);
            long yes = 0;
            long no = 0;
            for (int i = 0; i < end; i++) {
                int code =
                        (valid >>> i & 1) != 0
                                ? codes[OffHeap.getInt(data + 4L * (from + i))]
                                : codeOfNull;
                yes |= (long) (code & YES) << i;
                no |= (long) (code >>> 1) << i;
            }
            verdicts.yes()[w] = yes;
            verdicts.no()[w] = no;
        }
    }
}
