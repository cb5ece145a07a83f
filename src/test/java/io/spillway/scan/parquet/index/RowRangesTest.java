package io.spillway.scan.parquet.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Ranges are the sets of rows that they stand for. */
class RowRangesTest {

    private static final int ROWS = 40;

    private static BitSet set(Random random) {
        BitSet rows = new BitSet();
        for (int n = random.nextInt(6); n > 0; n--) {
            int from = random.nextInt(ROWS);
            rows.set(from, from + random.nextInt(ROWS - from + 1));
        }
        return rows;
    }

    private static RowRanges ranges(BitSet rows) {
        RowRanges.Builder builder = new RowRanges.Builder();
        for (int from = rows.nextSetBit(0); from >= 0; ) {
            int to = rows.nextClearBit(from);
            builder.add(from, to);
            from = rows.nextSetBit(to);
        }
        return builder.build();
    }

    @Property(tries = 500)
    void behaveAsSetsOfRows(@ForAll long seed) {
        Random random = new Random(seed);
        BitSet a = set(random);
        BitSet b = set(random);
        RowRanges left = ranges(a);
        BitSet both = (BitSet) a.clone();
        both.and(b);

        assertThat(left.intersect(ranges(b))).isEqualTo(ranges(both));
        assertThat(left.count()).isEqualTo(a.cardinality());
        assertThat(left.isEmpty()).isEqualTo(a.isEmpty());
        for (int row = 0; row < ROWS; row++) {
            int next = a.nextSetBit(row);
            assertThat(left.next(row)).isEqualTo(next < 0 ? left.to() : next);
            assertThat(left.end(row)).isEqualTo(a.get(row) ? a.nextClearBit(row) : row);
            int to = row + random.nextInt(ROWS - row + 1);
            assertThat(left.count(row, to)).isEqualTo(a.get(row, to).cardinality());
            assertThat(left.overlaps(row, to)).isEqualTo(!a.get(row, to).isEmpty());
            int n = random.nextInt(4) + 1;
            if (left.count(row, ROWS) >= n) {
                int at = row - 1;
                for (int i = 0; i < n; i++) {
                    at = a.nextSetBit(at + 1);
                }
                assertThat(left.after(row, n)).isEqualTo(at + 1);
            }
        }
    }
}
