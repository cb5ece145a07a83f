package io.spillway.encode;

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
    public byte[] close(long first, long end) {
        return GroupText.utf8(names.behind(first, end) + "\n");
    }

    @Override
    public boolean isEvents() {
        return false;
    }
}
