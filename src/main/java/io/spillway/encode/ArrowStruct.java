package io.spillway.encode;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.FieldVector;

/** Structs. */
record ArrowStruct(List<ArrowNode> fields) implements ArrowNode {

    @Override
    public Write layout(FieldVector vector, Picks picks, ArrowLayout layout) {
        int nulls = picks.nulls(vector);
        long validityAt = layout.field(picks.count(), nulls);
        List<FieldVector> children = vector.getChildrenFromFields();
        List<Write> writes = new ArrayList<>(fields.size());
        for (int i = 0; i < fields.size(); i++) {
            FieldVector child = children.get(i);
            Picks shown =
                    switch (picks) {
                        case Picks.Run run when nulls > 0 && hides(run, vector, child) ->
                                Picks.of(run.picked(vector).at, child);
                        case Picks.Run run -> run;
                        case Picks.Picked picked -> Picks.of(picked.at, child);
                    };
            writes.add(fields.get(i).layout(child, shown, layout));
        }
        return body -> {
            picks.writeValidity(vector, body + validityAt);
            int invalid = -1;
            for (Write write : writes) {
                int found = write.to(body);
                invalid = invalid < 0 ? found : invalid;
            }
            return invalid;
        };
    }

    /** Whether a child has a value where the struct is null. */
    private static boolean hides(Picks.Run run, FieldVector struct, FieldVector child) {
        long parents = struct.getValidityBuffer().memoryAddress();
        long values = child.getValidityBuffer().memoryAddress();
        for (int i = 0; i < run.count(); i += Long.SIZE) {
            int bits = Math.min(Long.SIZE, run.count() - i);
            int at = run.from() + i;
            if ((Bits.word(values, at, bits) & ~Bits.word(parents, at, bits)) != 0) {
                return true;
            }
        }
        return false;
    }
}
