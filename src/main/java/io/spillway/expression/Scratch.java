package io.spillway.expression;

/**
 * Arrays on the heap through which kernels pass their values, a block of rows at a time; shared by
 * all kernels of one compiled expression. A kernel may use them from the moment its operands are
 * evaluated until it returns.
 */
final class Scratch {

    /** Rows in a block; a multiple of 64. */
    static final int BLOCK = 1024;

    /** For what computes nothing: columns and literals, of which a plan may have thousands. */
    static final Scratch NONE = new Scratch(0);

    final long[] left;
    final long[] right;
    final long[] result;
    final double[] leftDoubles;
    final double[] rightDoubles;
    final double[] resultDoubles;

    Scratch() {
        this(BLOCK);
    }

    private Scratch(int rows) {
        left = new long[rows];
        right = new long[rows];
        result = new long[rows];
        leftDoubles = new double[rows];
        rightDoubles = new double[rows];
        resultDoubles = new double[rows];
    }
}
