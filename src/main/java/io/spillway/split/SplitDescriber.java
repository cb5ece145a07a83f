package io.spillway.split;

import io.spillway.cursor.Split;
import io.spillway.rows.RowSource;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Says what is known of splits of a job without reading them. */
final class SplitDescriber {

    private final OptionalLong total;
    private final @Nullable InputMap inputs;

    SplitDescriber(RowSource source) {
        this.total = source.rowCount();
        this.inputs = InputMap.of(source);
    }

    SplitDescription describe(Split split) {
        return switch (split.range()) {
            case Split.Rows rows -> rows(rows, split.offset(), split.limit());
            case Split.Share share ->
                    total.isPresent()
                            ? rows(share.of(total.getAsLong()), split.offset(), split.limit())
                            : SplitDescription.unknown(null);
            case Split.Input input -> input(input, split);
        };
    }

    private SplitDescription rows(Split.Rows range, long offset, long limit) {
        long own = range.to() - range.from();
        long all = own + range.repeats();
        long skipped = Math.min(offset, all);
        long rows = Math.min(all - skipped, limit);
        long from = range.from() + Math.min(skipped, own);
        long to = range.from() + Math.min(skipped + rows, own);
        long repeats = rows - (to - from);
        return inputs != null && inputs.isCounted()
                ? inputs.describe(from, to, repeats)
                : new SplitDescription(
                        rows, true, repeats, new SplitDescription.RowRange(from, to), null, null);
    }

    private SplitDescription input(Split.Input range, Split split) {
        if (inputs == null) {
            return SplitDescription.unknown(null);
        }
        SplitDescription whole = inputs.describe(range);
        return split.isWhole()
                ? whole
                : new SplitDescription(
                        Math.min(inputs.rows(range), split.limit()),
                        false,
                        0,
                        null,
                        whole.bytes(),
                        whole.files());
    }
}
