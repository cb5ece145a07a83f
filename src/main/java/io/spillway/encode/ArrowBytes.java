package io.spillway.encode;

import io.spillway.batch.OffHeap;
import org.apache.arrow.vector.FieldVector;

/** Text and binary of any length. */
record ArrowBytes(Text text, Utf8Memory utf8) implements ArrowNode {

    /** Whether values are text, and what becomes of it if it is not UTF-8. */
    enum Text {
        NONE,
        CHECKED,
        REPAIRED
    }

    /** Values up to this length are copied by words. */
    private static final int SHORT = 2 * Long.BYTES;

    @Override
    public Write layout(FieldVector vector, Picks picks, ArrowLayout layout) {
        int nulls = picks.nulls(vector);
        long validityAt = layout.field(picks.count(), nulls);
        long offsetsAt = layout.buffer(ArrowOffsets.bytes(picks.count()));
        Picks shown = ArrowOffsets.shown(vector, picks, nulls);
        if (text == Text.REPAIRED && !isValid(vector, shown)) {
            Picks.Picked broken =
                    switch (shown) {
                        case Picks.Run run -> run.picked(vector);
                        case Picks.Picked picked -> picked;
                    };
            long dataAt = layout.buffer(repairedLength(vector, broken));
            return body -> {
                picks.writeValidity(vector, body + validityAt);
                repair(vector, broken, body + offsetsAt, body + dataAt);
                return -1;
            };
        }
        long dataAt = layout.buffer(ArrowOffsets.total(vector, shown));
        return body -> {
            picks.writeValidity(vector, body + validityAt);
            ArrowOffsets.write(vector, shown, body + offsetsAt);
            writeData(vector, shown, body + dataAt);
            return text == Text.CHECKED
                    ? utf8.firstInvalid(body + offsetsAt, picks.count(), body + dataAt)
                    : -1;
        };
    }

    private static void writeData(FieldVector vector, Picks picks, long target) {
        long source = vector.getDataBuffer().memoryAddress();
        int total = (int) ArrowOffsets.total(vector, picks);
        switch (picks) {
            case Picks.Run(int from, int count) -> {
                if (count > 0) {
                    OffHeap.copy(source + ArrowOffsets.at(vector, from), target, total);
                }
            }
            case Picks.Picked picked -> {
                long readable = vector.getDataBuffer().capacity();
                int end = 0;
                for (int at : picked.at) {
                    if (at < 0) {
                        continue;
                    }
                    int start = ArrowOffsets.at(vector, at);
                    int length = ArrowOffsets.at(vector, at + 1) - start;
                    if (length <= SHORT && start + SHORT <= readable && end + SHORT <= total) {
                        OffHeap.putLong(target + end, OffHeap.getLong(source + start));
                        OffHeap.putLong(
                                target + end + Long.BYTES,
                                OffHeap.getLong(source + start + Long.BYTES));
                    } else {
                        OffHeap.copy(source + start, target + end, length);
                    }
                    end += length;
                }
            }
        }
    }

    private boolean isValid(FieldVector vector, Picks picks) {
        long data = vector.getDataBuffer().memoryAddress();
        for (int i = 0; i < picks.count(); i++) {
            int at =
                    switch (picks) {
                        case Picks.Run(int from, int _) -> from + i;
                        case Picks.Picked picked -> picked.at[i];
                    };
            if (at >= 0
                    && !utf8.isValid(
                            data + ArrowOffsets.at(vector, at), ArrowOffsets.length(vector, at))) {
                return false;
            }
        }
        return true;
    }

    private long repairedLength(FieldVector vector, Picks.Picked picks) {
        long data = vector.getDataBuffer().memoryAddress();
        long sum = 0;
        for (int at : picks.at) {
            if (at >= 0) {
                sum +=
                        utf8.repairedLength(
                                data + ArrowOffsets.at(vector, at),
                                ArrowOffsets.length(vector, at));
            }
        }
        return sum;
    }

    private void repair(FieldVector vector, Picks.Picked picks, long offsets, long target) {
        long data = vector.getDataBuffer().memoryAddress();
        long end = 0;
        long next = offsets;
        OffHeap.putInt(next, 0);
        for (int at : picks.at) {
            if (at >= 0) {
                end +=
                        utf8.repair(
                                data + ArrowOffsets.at(vector, at),
                                ArrowOffsets.length(vector, at),
                                target + end);
            }
            next += Integer.BYTES;
            OffHeap.putInt(next, (int) end);
        }
    }
}
