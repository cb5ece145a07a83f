package io.spillway.scan.parquet;

/**
 * A file of the suite, the right answer to reading it, and why that is the right one.
 *
 * @param file its path within the suite
 */
record ConformanceCase(String file, Expectation expectation, String why) {

    /** Names the case in reports. */
    @Override
    public String toString() {
        return file;
    }
}
