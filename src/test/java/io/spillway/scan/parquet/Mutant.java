package io.spillway.scan.parquet;

/**
 * A file that was changed.
 *
 * @param origin the name of the file that it was made of
 * @param how what was done to it
 * @param bytes the whole file
 * @param inPages whether nothing but bytes of pages, none of their headers, was changed, in place
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares mutants
record Mutant(String origin, String how, byte[] bytes, boolean inPages) {

    @Override
    public String toString() {
        return origin + ", " + how;
    }
}
