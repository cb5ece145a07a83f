package io.spillway.encode;

import io.spillway.error.SpillwayException;
import org.apache.arrow.vector.FieldVector;
import org.jspecify.annotations.Nullable;

/**
 * The values that nested ones consist of in the end. Their texts are made a window of neighbours at
 * a time, by the writers that flat columns have, and copied one by one to where they belong.
 *
 * <p>A window may hold values that belong to no row, since they lie under a null, and that may be
 * anything. So an error in a window means nothing: its values are then made one by one, when they
 * are asked for.
 */
final class LeafText extends NestedText {

    /** Bytes of values of any length in a window, for each value that it may have. */
    private static final int MEAN_BYTES = 16;

    private final ValueText format;
    private final int most;
    private final long[] spans;
    private final TextBuffer texts;

    private @Nullable FieldVector vector;
    private int end;

    /** The window: values {@code [from, to)}. */
    private int from;

    private int to;

    /** Values before this one are made one by one. */
    private int singleUntil;

    /**
     * @param window the most values whose texts are kept at a time
     */
    LeafText(ValueText format, int window) {
        this.format = format;
        most = window;
        spans = new long[window];
        texts = Literals.buffer(0);
    }

    @Override
    void bind(FieldVector values, int first, int last) {
        if (first == last) {
            return;
        }
        bindValidity(values);
        vector = values;
        end = last;
        from = first;
        to = first;
        singleUntil = first;
    }

    @Override
    long bytes(FieldVector values, int first, int last) {
        return first == last
                ? 0
                : (long) VALUE_BYTES * (last - first)
                        + ValueBlock.wideBytes(values, first, last - first);
    }

    @Override
    void appendValue(int index, int row, Scratch scratch, TextBuffer out) {
        if (make(index, row, scratch, out)) {
            long span = spans[index - from];
            out.appendShort(texts.bytes, Spans.start(span), Spans.length(span));
        }
    }

    /** Appends texts, nulls among them, each with a comma behind it. */
    void appendAll(int first, int last, int row, Scratch scratch, TextBuffer out) {
        int i = first;
        while (i < last) {
            if (isNull(i)) {
                Literals.appendNull(out);
                out.append(',');
                i++;
            } else if (make(i, row, scratch, out)) {
                int until = Math.min(last, to);
                appendWindow(i, until, out);
                i = until;
            } else {
                out.append(',');
                i++;
            }
        }
    }

    private void appendWindow(int first, int last, TextBuffer out) {
        for (int i = first; i < last; i++) {
            long span = spans[i - from];
            out.appendShort(texts.bytes, Spans.start(span), Spans.length(span));
            out.append(',');
        }
    }

    /**
     * Sees to it that the window has the text of a value, or appends that if it is too large.
     *
     * @return false if the text was appended
     */
    private boolean make(int index, int row, Scratch scratch, TextBuffer out) {
        if (index >= from && index < to) {
            return true;
        }
        FieldVector values = bound();
        int count = index < singleUntil ? 1 : Math.min(most, end - index);
        if (format instanceof ValueText.Wide wide) {
            long limit = (long) MEAN_BYTES * most;
            long bytes = ValueBlock.wideBytes(values, index, count);
            while (bytes > limit && count > 1) {
                count = Math.clamp(count * limit / bytes, 1, count - 1);
                bytes = ValueBlock.wideBytes(values, index, count);
            }
            if (bytes > limit) {
                wide.writeLarge(values, index, row, scratch.values, out);
                return false;
            }
        }
        try {
            fill(values, index, count, row, scratch);
        } catch (SpillwayException e) {
            if (count == 1) {
                throw e;
            }
            singleUntil = index + count;
            fill(values, index, 1, row, scratch);
        }
        return true;
    }

    private void fill(FieldVector values, int index, int count, int row, Scratch scratch) {
        // Until it is whole there is no window.
        to = from;
        Literals.clear(texts);
        scratch.values.load(values, index, count, row);
        format.write(scratch.values, texts, spans);
        from = index;
        to = index + count;
    }

    private FieldVector bound() {
        if (vector == null) {
            throw new IllegalStateException("bound to no vector");
        }
        return vector;
    }
}
