package io.spillway.expression;

import io.spillway.batch.ColumnType;
import io.spillway.batch.OffHeap;
import java.util.Arrays;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;

/**
 * ARRAY_CONTAINS: is one of a list's elements equal to a value? Unknown if the list or the value is
 * null; elements that are null are equal to nothing. Values of fixed width are compared all at
 * once, each element with the value of its list's row; texts and bytes where they stand.
 */
final class ContainsElement implements Condition {

    private final Value lists;
    private final Value values;
    private final PairTest equal;
    private final boolean bytes;

    ContainsElement(Value lists, Value values) {
        if (!(lists.type() instanceof ColumnType.ListOf list)
                || list.element().isNested()
                || !list.element().equals(values.type())) {
            throw Failures.unsupported(
                    "ARRAY_CONTAINS of %s and %s".formatted(lists.type(), values.type()));
        }
        this.lists = lists;
        this.values = values;
        this.bytes =
                !(list.element() instanceof ColumnType.Decimal) && !Keys.handles(list.element());
        this.equal = ConditionKernels.pairTest(list.element(), Comparison.EQUAL, list.element());
    }

    @Override
    public boolean total() {
        return lists.total() && values.total();
    }

    @Override
    public void test(Input input, Truth verdicts) {
        int rows = input.rows();
        verdicts.reset(rows);
        long[] yes = verdicts.yes();
        long[] no = verdicts.no();
        Arrays.fill(yes, 0, verdicts.words(), 0);
        Arrays.fill(no, 0, verdicts.words(), 0);
        try (Operand l = lists.plain(input);
                Operand v = values.plain(input)) {
            ListVector vector = (ListVector) l.vector();
            FieldVector wanted = v.vector();
            if (bytes) {
                testBytes(vector, wanted, rows, verdicts);
                return;
            }
            Runs ofElements = new Runs(16);
            Runs ofValues = new Runs(16);
            for (int row = 0; row < rows; row++) {
                if (known(vector, wanted, row)) {
                    int start = start(vector, row);
                    int count = start(vector, row + 1) - start;
                    ofElements.add(0, start, count);
                    for (int i = 0; i < count; i++) {
                        ofValues.add(0, row, 1);
                    }
                }
            }
            try (FieldVector elements = copy(vector.getDataVector(), ofElements, input);
                    FieldVector repeated = copy(wanted, ofValues, input)) {
                int all = ofElements.total();
                long[] bits = new long[Bits.words(all)];
                equal.test(elements, repeated, all, input.scratch(), bits);
                int at = 0;
                for (int row = 0; row < rows; row++) {
                    if (known(vector, wanted, row)) {
                        int end = at + start(vector, row + 1) - start(vector, row);
                        long[] verdict = any(bits, elements, at, end) ? yes : no;
                        verdict[row >>> 6] |= 1L << row;
                        at = end;
                    }
                }
            }
        }
    }

    private static void testBytes(ListVector lists, FieldVector wanted, int rows, Truth verdicts) {
        FieldVector elements = lists.getDataVector();
        BytesReader element = new BytesReader(elements);
        BytesReader value = new BytesReader(wanted);
        for (int row = 0; row < rows; row++) {
            if (known(lists, wanted, row)) {
                int length = value.length(row);
                int end = start(lists, row + 1);
                int at = start(lists, row);
                while (at < end
                        && !(Bits.get(Vectors.validity(elements), at)
                                && element.length(at) == length
                                && ByteRuns.equal(
                                        element.address(at), value.address(row), length))) {
                    at++;
                }
                long[] verdict = at < end ? verdicts.yes() : verdicts.no();
                verdict[row >>> 6] |= 1L << row;
            }
        }
    }

    private static boolean known(FieldVector lists, FieldVector wanted, int row) {
        return Bits.get(Vectors.validity(lists), row) && Bits.get(Vectors.validity(wanted), row);
    }

    private static int start(FieldVector lists, int row) {
        return OffHeap.getInt(Vectors.offsets(lists) + 4L * row);
    }

    private FieldVector copy(FieldVector source, Runs runs, Input input) {
        return RunCopy.copy(
                Vectors.field(values.type()), new FieldVector[] {source}, runs, input.allocator());
    }

    private static boolean any(long[] bits, FieldVector elements, int from, int to) {
        for (int i = from; i < to; i++) {
            if ((bits[i >>> 6] >>> i & 1) != 0 && Bits.get(Vectors.validity(elements), i)) {
                return true;
            }
        }
        return false;
    }
}
