package io.spillway.expression;

/**
 * Arrays on the heap through which kernels pass their values, a block of rows at a time; shared by
 * all kernels of one compiled expression. A kernel may use them from the moment its operands are
 * evaluated until it returns.
 */
final class Scratch {

    /** Rows in a block; a multiple of 64. */
    static final int BLOCK = 1024;

    final long[] left = new long[BLOCK];
    final long[] right = new long[BLOCK];
    final long[] result = new long[BLOCK];
    final double[] leftDoubles = new double[BLOCK];
    final double[] rightDoubles = new double[BLOCK];
    final double[] resultDoubles = new double[BLOCK];
}
