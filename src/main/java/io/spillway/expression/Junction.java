package io.spillway.expression;

import java.util.List;

/**
 * AND or OR of any number of conditions. An operand that can fail is tested only on rows that the
 * ones before it leave open; one that cannot fail may be tested on all rows, which is cheaper than
 * picking rows out while many are open.
 */
final class Junction implements Condition {

    /** Open rows are picked out when they are fewer than one in so many. */
    private static final int SPARSE = 4;

    private final List<Condition> operands;
    private final boolean isAnd;
    private final Truth next = new Truth();
    private final Selection open = new Selection();
    private long[] openBits = new long[0];

    private Junction(List<Condition> operands, boolean isAnd) {
        this.operands = List.copyOf(operands);
        this.isAnd = isAnd;
    }

    static Condition and(List<Condition> operands) {
        return operands.size() == 1 ? operands.getFirst() : new Junction(operands, true);
    }

    static Condition or(List<Condition> operands) {
        return operands.size() == 1 ? operands.getFirst() : new Junction(operands, false);
    }

    @Override
    public boolean total() {
        return operands.stream().allMatch(Condition::total);
    }

    @Override
    public void test(Input input, Truth verdicts) {
        int rows = input.rows();
        verdicts.fill(rows, isAnd);
        for (Condition operand : operands) {
            int left = findOpen(verdicts);
            if (left == 0) {
                return;
            }
            if (left == rows || (operand.total() && left > rows / SPARSE)) {
                operand.test(input, next);
                combine(verdicts);
            } else {
                open.set(openBits, rows);
                try (Input narrowed = input.narrow(open)) {
                    operand.test(narrowed, next);
                }
                combineOpen(verdicts);
            }
        }
    }

    /** Rows that a further operand can still change: for AND those not false, for OR not true. */
    private int findOpen(Truth verdicts) {
        long[] closed = isAnd ? verdicts.no() : verdicts.yes();
        int words = verdicts.words();
        if (openBits.length < words) {
            openBits = new long[words];
        }
        int count = 0;
        for (int w = 0; w < words; w++) {
            openBits[w] = ~closed[w] & Bits.mask(w, verdicts.rows());
            count += Long.bitCount(openBits[w]);
        }
        return count;
    }

    private void combine(Truth verdicts) {
        for (int w = 0; w < verdicts.words(); w++) {
            combine(verdicts, w, next.yes()[w], next.no()[w]);
        }
    }

    /** Verdicts on the open rows alone, put back in their places. */
    private void combineOpen(Truth verdicts) {
        int at = 0;
        for (int w = 0; w < verdicts.words(); w++) {
            // A closed row keeps its verdict whatever is combined with it.
            long yes = 0;
            long no = 0;
            for (long left = openBits[w]; left != 0; left &= left - 1) {
                long bit = Long.lowestOneBit(left);
                if ((next.yes()[at >>> 6] >>> at & 1) != 0) {
                    yes |= bit;
                } else if ((next.no()[at >>> 6] >>> at & 1) != 0) {
                    no |= bit;
                }
                at++;
            }
            combine(verdicts, w, yes, no);
        }
    }

    private void combine(Truth verdicts, int w, long yes, long no) {
        if (isAnd) {
            verdicts.yes()[w] &= yes;
            verdicts.no()[w] |= no;
        } else {
            verdicts.yes()[w] |= yes;
            verdicts.no()[w] &= no;
        }
    }
}
