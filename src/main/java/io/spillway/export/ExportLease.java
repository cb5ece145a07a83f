package io.spillway.export;

/**
 * The right to write an export, for a while. Whoever takes it next has a higher epoch, and what is
 * done with a lower one has no effect any more.
 *
 * @param epoch counts those who had it, from 1 on
 */
public record ExportLease(String export, long epoch) {

    /** What is not to be seen yet is named after it. */
    String tag() {
        return tag(epoch);
    }

    /** The same of one who had the right before. */
    String tag(long earlier) {
        return export + "-" + earlier;
    }
}
