package io.spillway.encode;

import org.jspecify.annotations.Nullable;

/**
 * Groups as lines, each a JSON object that is a batch: {@link BatchNames}.
 *
 * @param names what each says of itself
 */
public record BatchLines(BatchNames names) implements GroupText {

    @Override
    public byte[] open(long first) {
        return GroupText.utf8(names.before(first));
    }

    @Override
    public byte[] close(long first, long end, @Nullable ShortReason shortReason) {
        return GroupText.utf8(names.behind(first, end, shortReason) + "\n");
    }

    @Override
    public boolean mayBreakOff() {
        return false;
    }

    @Override
    public boolean isEvents() {
        return false;
    }
}
