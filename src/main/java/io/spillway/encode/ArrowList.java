package io.spillway.encode;

import org.apache.arrow.vector.FieldVector;

/** Lists, and maps, which are lists of entries to Arrow. */
record ArrowList(ArrowNode elements) implements ArrowNode {

    @Override
    public Write layout(FieldVector vector, Picks picks, ArrowLayout layout) {
        int nulls = picks.nulls(vector);
        long validityAt = layout.field(picks.count(), nulls);
        long offsetsAt = layout.buffer(ArrowOffsets.bytes(picks.count()));
        Picks shown = ArrowOffsets.shown(vector, picks, nulls);
        FieldVector children = ListText.elements(vector);
        Write rest = elements.layout(children, elements(vector, shown, children), layout);
        return body -> {
            picks.writeValidity(vector, body + validityAt);
            ArrowOffsets.write(vector, shown, body + offsetsAt);
            int invalid = rest.to(body);
            return invalid < 0 ? invalid : ArrowOffsets.valueOf(invalid, body + offsetsAt);
        };
    }

    private static Picks elements(FieldVector vector, Picks lists, FieldVector children) {
        int total = (int) ArrowOffsets.total(vector, lists);
        return switch (lists) {
            case Picks.Run(int from, int count) ->
                    new Picks.Run(count == 0 ? 0 : ArrowOffsets.at(vector, from), total);
            case Picks.Picked picked -> {
                int[] positions = new int[total];
                int n = 0;
                for (int at : picked.at) {
                    if (at >= 0) {
                        int end = ArrowOffsets.at(vector, at + 1);
                        for (int p = ArrowOffsets.at(vector, at); p < end; p++) {
                            positions[n++] = p;
                        }
                    }
                }
                yield Picks.of(positions, children);
            }
        };
    }
}
