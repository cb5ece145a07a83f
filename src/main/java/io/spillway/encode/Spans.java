package io.spillway.encode;

/** Where a text stands in an array, as one long: start in the upper half, length in the lower. */
final class Spans {

    private Spans() {}

    static long of(int start, int end) {
        return (long) start << Integer.SIZE | end - start;
    }

    static int start(long span) {
        return (int) (span >>> Integer.SIZE);
    }

    static int length(long span) {
        return (int) span;
    }
}
