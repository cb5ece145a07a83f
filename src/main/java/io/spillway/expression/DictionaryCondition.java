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

    /** Verdicts, so far apart that those of 32 rows can be put together by shifting them. */
    private static final long YES = 1;

    private static final long NO = 1L << 32;

    private static final long LOW = (1L << 32) - 1;

    private final Condition inner;
    private final int column;
    private final ColumnType columnType;
    private final DictionaryUse use = new DictionaryUse();

    /** Verdict of each entry, that of null behind the last. */
    private long @Nullable [] codes;

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
                long[] known = codes(dictionary, input);
                if (known == null) {
                    inner.test(input, verdicts);
                } else {
                    lookUp(indices, known, verdicts);
                }
            }
        }
    }

    private long @Nullable [] codes(Dictionary dictionary, Input input) {
        if (!use.meet(dictionary, input.rows())) {
            codes = null;
        }
        if (codes == null && use.pays(dictionary)) {
            try {
                long[] made = new long[dictionary.size() + 1];
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

    private static void copy(Truth verdicts, long[] codes, int from) {
        for (int i = 0; i < verdicts.rows(); i++) {
            long yes = verdicts.yes()[i >>> 6] >>> i & 1;
            long no = verdicts.no()[i >>> 6] >>> i & 1;
            codes[from + i] = yes * YES + no * NO;
        }
    }

    private static void lookUp(IntVector indices, long[] codes, Truth verdicts) {
        int rows = indices.getValueCount();
        verdicts.reset(rows);
        long data = Vectors.data(indices);
        long validity = Vectors.validity(indices);
        for (int w = 0; w < verdicts.words(); w++) {
            long valid = Bits.load(validity, w, rows);
            long at = data + 256L * w;
            int end = Math.min(64, rows - (w << 6));
            boolean whole = valid == -1L;
            long first = whole ? lookUp32(at, codes) : lookUp(at, 0, end, valid, codes);
            long second = whole ? lookUp32(at + 128, codes) : lookUp(at, 32, end, valid, codes);
            verdicts.yes()[w] = (first & LOW) | (second << 32);
            verdicts.no()[w] = (first >>> 32) | (second & ~LOW);
        }
    }

    /** Verdicts of 32 rows without nulls: the yes bits below the no bits. */
    private static long lookUp32(long data, long[] codes) {
        long verdicts = 0;
        for (int i = 0; i < 32; i += 8) {
            long at = data + 4L * i;
            long a = OffHeap.getLong(at);
            long b = OffHeap.getLong(at + 8);
            long c = OffHeap.getLong(at + 16);
            long d = OffHeap.getLong(at + 24);
            long eight =
                    codes[(int) a]
                            | (codes[(int) (a >>> 32)] << 1)
                            | (codes[(int) b] << 2)
                            | (codes[(int) (b >>> 32)] << 3)
                            | (codes[(int) c] << 4)
                            | (codes[(int) (c >>> 32)] << 5)
                            | (codes[(int) d] << 6)
                            | (codes[(int) (d >>> 32)] << 7);
            verdicts |= eight << i;
        }
        return verdicts;
    }

    /** The same for rows {@code [from, from + 32)} of a word, as far as there are. */
    private static long lookUp(long data, int from, int end, long valid, long[] codes) {
        long verdicts = 0;
        for (int i = from; i < Math.min(end, from + 32); i++) {
            int entry = (valid >>> i & 1) != 0 ? OffHeap.getInt(data + 4L * i) : codes.length - 1;
            verdicts |= codes[entry] << (i - from);
        }
        return verdicts;
    }
}
