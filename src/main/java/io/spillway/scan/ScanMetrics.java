package io.spillway.scan;

/**
 * Where a scan format tells what it does. Called from many threads, a few times for each window of
 * bytes or page and never for each row; implementations must be quick and must not throw.
 */
public interface ScanMetrics {

    /** Tells nobody. */
    ScanMetrics NONE =
            new ScanMetrics() {
                @Override
                public void fileOpened() {}

                @Override
                public void bytesRead(long bytes) {}

                @Override
                public void pageDecoded(long uncompressedBytes) {}

                @Override
                public void pageSkipped() {}

                @Override
                public void pruned(Pruned what) {}
            };

    /** A file was opened for its data or its metadata. */
    void fileOpened();

    /** Bytes came from a file, metadata included. */
    void bytesRead(long bytes);

    /** A page was decompressed; its size thereafter. */
    void pageDecoded(long uncompressedBytes);

    /** A page was passed over by its header alone. */
    void pageSkipped();

    /**
     * Rows were left out that a filter above would have dropped: told once a stream, and once for
     * what a job's plan left out.
     */
    void pruned(Pruned what);
}
