package io.spillway.expression;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A part of a LIKE pattern without {@code %}: runs of literal bytes between {@code _}s. */
final class LikePiece {

    /** Literal bytes; between two neighbours stands one {@code _}. Never empty as a list. */
    private final List<byte[]> runs;

    private LikePiece(List<byte[]> runs) {
        this.runs = runs;
    }

    /** Collects a piece. */
    static final class Builder {

        private final List<byte[]> runs = new ArrayList<>();
        private final StringBuilder run = new StringBuilder();

        void literal(int codePoint) {
            run.appendCodePoint(codePoint);
        }

        void any() {
            runs.add(run.toString().getBytes(StandardCharsets.UTF_8));
            run.setLength(0);
        }

        LikePiece build() {
            any();
            return new LikePiece(List.copyOf(runs));
        }
    }

    boolean isEmpty() {
        return runs.size() == 1 && runs.getFirst().length == 0;
    }

    /** Where the piece ends if it starts at {@code from}, or -1 if it does not fit there. */
    long matchAt(long from, long end) {
        long at = from;
        for (int i = 0; i < runs.size(); i++) {
            if (i > 0) {
                if (at == end) {
                    return -1;
                }
                at = Utf8.next(at, end);
            }
            byte[] run = runs.get(i);
            if (end - at < run.length || !ByteRuns.equal(at, run)) {
                return -1;
            }
            at += run.length;
        }
        return at;
    }

    /** Where the piece starts if it ends at {@code end}, not before {@code from}, or -1. */
    long matchBefore(long from, long end) {
        long at = end;
        for (int i = runs.size() - 1; i >= 0; i--) {
            byte[] run = runs.get(i);
            at -= run.length;
            if (at < from || !ByteRuns.equal(at, run)) {
                return -1;
            }
            if (i > 0) {
                if (at == from) {
                    return -1;
                }
                at = Utf8.previous(at, from);
            }
        }
        return at;
    }

    /** Where the piece ends at the first place that it fits, or -1. */
    long find(long from, long end) {
        byte[] head = runs.getFirst();
        if (runs.size() == 1) {
            long found = Utf8.find(from, end, head);
            return found < 0 ? -1 : found + head.length;
        }
        for (long at = from; at < end; at = Utf8.next(at, end)) {
            long stop = matchAt(at, end);
            if (stop >= 0) {
                return stop;
            }
        }
        return -1;
    }
}
